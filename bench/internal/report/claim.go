package report

import "fmt"

// Verdict says whether something holds, in the one wording of all commands.
func Verdict(holds bool) string {
	if holds {
		return "HOLDS"
	}
	return "DOES NOT HOLD"
}

// Claim prints a claim of the paper, the numbers found here, and whether they bear it out; where names the table or
// figure that the claim comes from.
func (r *Report) Claim(holds bool, where, claim, format string, found ...any) error {
	return r.judge("claim, "+where, holds, claim, format, found)
}

// Target prints what is asked of this library beyond the paper, the numbers found, and whether they will do.
func (r *Report) Target(holds bool, asked, format string, found ...any) error {
	return r.judge("target", holds, asked, format, found)
}

func (r *Report) judge(what string, holds bool, text, format string, found []any) error {
	return r.Print("%s: %s: found %s: %s", what, text, fmt.Sprintf(format, found...), Verdict(holds))
}
