package ranktruth

// Query is the problem of the examples Rows alone.
type Query struct {
	Problem
	Rows []int
}

// Within returns the problems of the groups that have positive and negative examples: K is at most the number of the
// latter. The sum of their losses is the loss of p, whose dual variables are theirs.
func (p Problem) Within() (all []Query) {
	seen := map[int]bool{}
	for _, g := range p.Groups {
		if seen[g] {
			continue
		}
		seen[g] = true
		q := Query{Problem: p}
		q.Groups, q.X, q.Positive = nil, nil, nil
		lows := 0
		for i, of := range p.Groups {
			if of != g {
				continue
			}
			q.Rows, q.X, q.Positive = append(q.Rows, i), append(q.X, p.X[i]), append(q.Positive, p.Positive[i])
			if !p.Positive[i] {
				lows++
			}
		}
		q.K = min(p.K, lows)
		if lows > 0 && lows < len(q.Rows) {
			all = append(all, q)
		}
	}
	return all
}

func pick(v []float64, rows []int) []float64 {
	some := make([]float64, len(rows))
	for q, i := range rows {
		some[q] = v[i]
	}
	return some
}

// Grouped returns the problems that are no Pat&Mat with groups of 1 to 7 examples, in any order.
func Grouped(problems []Problem) (all []Problem) {
	for _, p := range problems {
		if p.PatMat {
			continue
		}
		p.Name += ", within queries"
		p.Groups = make([]int, len(p.Positive))
		size, at := 0, 0
		for k := range p.Groups {
			if at++; at > size {
				size, at = size%7+1, 1
			}
			p.Groups[k*7%len(p.Groups)] = 5 - k + at // numbers of any sign, far from 0 to n
		}
		all = append(all, p)
	}
	return all
}
