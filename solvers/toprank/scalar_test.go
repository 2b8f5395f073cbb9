package toprank

import (
	"testing"

	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
)

// TestFirstScalars: pair steps come to the optima of the truth problems to 1e-6 from whatever value the search for the
// scalar begins, within 10000 steps, and without the interior point method.
func TestFirstScalars(t *testing.T) {
	for i, p := range ranktruth.Read(t, "testdata") {
		q := problemsOf[float64](t, p)["kernel"]
		c := configOf(p)
		c.Tol, c.Workers = 1e-6, 1
		prepared, err := q.prepare(c, c.options())
		if err != nil {
			t.Fatal(err)
		}
		for k, factor := range []float64{1e-2, .1, 1, 10, 100} {
			if testing.Short() && (i+k)%5 != 0 {
				continue // each problem once
			}
			s, err := newTraining(prepared.o, nil, q.Kernel)
			if err != nil {
				t.Fatal(err)
			}
			s.activate(s.PositivesFirst(append([]int(nil), s.levels.At()...)))
			start := s.part().First(s.levels.At())
			first := start * factor
			if c.K > 1 && c.Loss == Hinge {
				first = min(first, 9*start) // S is at most ten times the default, all alphas at their bounds
			}
			s.solver.Begin(first)
			for s.solver.Steps() < 10000 && !(s.solver.Certificate.RelativeGap() <= c.Tol && s.solver.Steps() > 0) &&
				!s.solver.Interior() {
				s.solver.Train(200)
			}
			if s.solver.Steps() >= 10000 || s.solver.Interior() {
				t.Errorf("%s, %v times the first value: %v after %d steps", p.Name, factor, s.solver.Certificate,
					s.solver.Steps())
				continue
			}
			got, err := s.Certify()
			if err != nil || !(got.RelativeGap() <= 1.001e-6) || got.Dual > p.Optimum*(1+1e-9) ||
				got.Primal < p.Optimum*(1-1e-9) {
				t.Errorf("%s, %v times the first value: %v, %v, want %v", p.Name, factor, got, err, p.Optimum)
			}
		}
	}
}
