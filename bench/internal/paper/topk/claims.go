package topk

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/bench/internal/report"
)

// claims prints what the accuracies found, of each method at the tops, say of what the paper claims of Table 1.
func (p *problem) claims(r *report.Report, found [][]float64) error {
	better, cells, least, at := p.own(found, found[0])
	if err := r.Claim(better == cells, "Table 1", "the top-k hinge loss, alpha and beta, has a better top-k "+
		"accuracy at "+
		"its own k than the top-1 SVM", "%d of %d, the least gain %+.2f points, %s", better, cells, least,
		at); err != nil {
		return err
	}
	single, best, name := found[0], math.Inf(-1), ""
	for i, m := range p.methods {
		if m.k > 1 && found[i][0] > best {
			best, name = found[i][0], m.String()
		}
	}
	if err := r.Claim(best > single[0], "Table 1", "a k above 1 may also raise the top-1 accuracy",
		"%.2f with %s, %.2f with the top-1 SVM", best, name, single[0]); err != nil {
		return err
	}
	for i, m := range p.methods {
		if m.k == 10 && m.accuracy != nil && m.loss == p.methods[0].loss {
			const five = 4 // the place of top-5
			gain := found[i][five] - single[five]
			return r.Claim(gain >= 2.6, "section 6.2", "top-10 SVM alpha has a top-5 accuracy 2.6 points above the "+
				"top-1 SVM's", "%+.2f points", gain)
		}
	}
	return nil
}

// baselineClaim prints what the accuracies of the rows that learn each class by itself say beside the others.
func (p *problem) baselineClaim(r *report.Report, baselines, found [][]float64) error {
	rival := slices.Clone(baselines[0])
	for _, row := range baselines[1:] {
		for j, v := range row {
			rival[j] = max(rival[j], v)
		}
	}
	better, cells, least, at := p.own(found, rival)
	return r.Claim(better == cells, "Table 1", "the top-k hinge loss, alpha and beta, has a better top-k accuracy "+
		"at its own k than SVM and TopPush one-vs-all", "%d of %d, the least gain %+.2f points, %s", better,
		cells, least, at)
}

// own counts the methods with a k above 1 among the tops whose top-k accuracy is above the rival's, and all of them,
// and returns the least gain.
func (p *problem) own(found [][]float64, rival []float64) (better, all int, least float64, at string) {
	least = math.Inf(1)
	for i, m := range p.methods {
		for j, k := range p.tops {
			if k != m.k || k == 1 {
				continue
			}
			gain := found[i][j] - rival[j]
			if all++; gain > 0 {
				better++
			}
			if gain < least {
				least, at = gain, fmt.Sprintf("of %v at top-%d", m, k)
			}
		}
	}
	return better, all, least, at
}
