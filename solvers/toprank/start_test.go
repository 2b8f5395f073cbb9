package toprank

import (
	"testing"
)

// TestStart: the solution with another C, method or loss is a start that ends at the same optimum, and its own takes no
// step.
func TestStart(t *testing.T) {
	all := some(60)
	for _, first := range all {
		for name, q := range problemsOf[float64](t, linearOf(first)) {
			if name == "sparse" || name == "kernel of sparse" {
				continue
			}
			c := configOf(first)
			c.Tol = 1e-4
			start := solve(t, q, c)
			for _, p := range append(all, first) {
				c := configOf(p)
				c.Tol, c.C = 1e-4, .3
				q.Start = nil
				cold := solve(t, q, c).Certificate
				q.Start = start
				warm := solve(t, q, c)
				p := linearOf(p)
				p.C = c.C
				honest(t, p, q, warm)
				if warm.Certificate.Dual > cold.Primal*(1+1e-12) || cold.Dual > warm.Certificate.Primal*(1+1e-12) {
					t.Errorf("%s, %s from %s: %v, from 0 %v", p.Name, name, first.Name, warm.Certificate, cold)
				}
			}
			if again := solve(t, q, c); again.Visits != 0 {
				t.Errorf("%s, %s: %s from its own solution", first.Name, name, told(again))
			}
		}
	}
}
