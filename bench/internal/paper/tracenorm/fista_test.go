package tracenorm

import (
	"context"
	"math"
	"testing"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/tracenorm"
)

// FISTA ends at the optimum that Fit certifies in float64, and its dual values stay below that, whatever the singular
// values that are thresholded.
func TestFISTA(t *testing.T) {
	s := tiny()
	for _, lambda1 := range []float64{.001, .01, .03} {
		const lambda2, tol = 1e-3, 1e-5
		r, err := tracenorm.Fit(t.Context(), design.Float64(s.train.x), s.train.y, tracenorm.Config{
			Lambda1: lambda1, Lambda2: lambda2, Raw: true, Tol: 1e-9, Classes: s.classes, Workers: 1,
		})
		if err == nil {
			err = converged(r.Outcome)
		}
		if err != nil {
			t.Fatal(err)
		}
		optimum := r.Certificate.Primal
		f := fista{part: s.train, classes: s.classes, lambda1: lambda1, lambda2: lambda2}
		if err := f.run(t.Context(), optimum, tol, 5000); err != nil {
			t.Fatal(err)
		}
		last := f.steps[len(f.steps)-1]
		// A float32 loss is off by some roundings of scores of a size of 10 or so.
		const rounding = 1e-6
		if !(last.gap() <= tol) || !(math.Abs(last.primal-optimum) <= (tol+rounding)*optimum) {
			t.Errorf("lambda1 %v: %+v after %d iterations, optimum %v", lambda1, last, len(f.steps), optimum)
		}
		for _, s := range f.steps {
			if s.dual > optimum*(1+rounding) || s.primal < optimum*(1-rounding) {
				t.Fatalf("lambda1 %v: %+v, optimum %v", lambda1, s, optimum)
			}
		}
		exact := f.at(tol, optimum, false)
		if gap := f.at(tol, optimum, true); !(exact.passes <= gap.passes) || gap != last || f.at(0, math.Inf(-1),
			false).seconds < math.Inf(1) {
			t.Errorf("to the error %+v, to the gap %+v, last %+v", exact, gap, last)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := fista{part: s.train, classes: s.classes, lambda1: 1, lambda2: 1}
	if err := f.run(ctx, 1, 1, 10); err != context.Canceled {
		t.Error(err)
	}
}
