package toprank

import (
	"context"
	"math"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
)

// TestPairsTruth: TopPush, and PatMat with Quadratic, reach the known optima; no method passes one.
func TestPairsTruth(t *testing.T) {
	for i, p := range ranktruth.Read(t, "testdata") {
		if testing.Short() && i%6 != 0 {
			continue
		}
		q := problemsOf[float64](t, p)["kernel"]
		c := configOf(p)
		c.Tol = 1e-6
		reaches := !p.PatMat && p.K == 1 || p.PatMat && !p.Hinge
		o := PairOptions{Steps: 40000, Every: 1000}
		if !reaches { // most of what they gain is gained by then
			o = PairOptions{Steps: 4000, Every: 100}
		}
		for _, o.Violation = range []bool{false, true} {
			r, steps, err := q.Pairs(context.Background(), c, o)
			if err != nil {
				t.Fatal(err)
			}
			if last := r.Certificate; last.Dual > p.Optimum*(1+1e-9) || last.Primal < p.Optimum*(1-1e-9) ||
				reaches && (r.Status != solvers.Converged || !(last.Primal <= p.Optimum*(1+1.1e-6))) {
				t.Errorf("%s, violation %v: %v, want %v", p.Name, o.Violation, r.Outcome, p.Optimum)
			}
			for j := 1; j < len(steps); j++ {
				if steps[j].Dual < steps[j-1].Dual-1e-12*math.Abs(steps[j-1].Primal) ||
					steps[j].Elapsed <= steps[j-1].Elapsed || steps[j].Steps <= steps[j-1].Steps {
					t.Errorf("%s: %+v after %+v", p.Name, steps[j], steps[j-1])
				}
			}
			honest(t, p, q, r)
		}
	}
}

// TestPairsErrors: what cannot be, by name and number; a context that ends leaves a model.
func TestPairsErrors(t *testing.T) {
	p := some(9)[0]
	q, ctx := problemsOf[float64](t, linearOf(p)), context.Background()
	refused := func(q Problem[float64], o PairOptions, want ...string) {
		t.Helper()
		r, steps, err := q.Pairs(ctx, configOf(p), o)
		contains(t, err, append(want, "toprank: ")...)
		if r != nil || steps != nil {
			t.Errorf("%v with the error %v", r, err)
		}
	}
	refused(q["dense"], PairOptions{}, "Kernel")
	refused(q["kernel"], PairOptions{Steps: -3}, "Steps = -3")
	refused(q["kernel"], PairOptions{Every: -2}, "Every = -2")
	short := q["kernel"]
	short.Positive = short.Positive[1:]
	refused(short, PairOptions{}, "8", "9")
	var none context.Context
	if _, _, err := q["kernel"].Pairs(none, configOf(p), PairOptions{}); err == nil {
		t.Error("no context is no error")
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	r, steps, err := q["kernel"].Pairs(ended, configOf(p), PairOptions{})
	if err != context.Canceled || r == nil || r.Status != solvers.Canceled || len(steps) != 1 {
		t.Errorf("%v, %v, %v", told(r), steps, err)
	}
}

// TestPairsForms: sparse, precomputed and in float32 the loops come to the same; they go on from Start.
func TestPairsForms(t *testing.T) {
	for _, p := range some(15) {
		c, o := configOf(p), PairOptions{Steps: 2000, Every: 500, Violation: true}
		c.Tol = 1e-12
		want := -1.0
		for name, q := range problemsOf[float64](t, p) {
			r, _, err := q.Pairs(context.Background(), c, o)
			if err != nil {
				t.Fatalf("%s, %s: %v", p.Name, name, err)
			}
			if want < 0 {
				want = r.Certificate.Dual
			}
			again := q
			again.Start = r
			more, steps, err := again.Pairs(context.Background(), c, PairOptions{Steps: 1})
			if err != nil || math.Abs(steps[0].Dual-r.Certificate.Dual) > 1e-12 ||
				more.Certificate.Dual < r.Certificate.Dual-1e-12 {
				t.Errorf("%s, %s: %v after %v, %v", p.Name, name, told(more), told(r), err)
			}
			honest(t, p, q, r)
		}
		q := problemsOf[float32](t, p)["kernel"]
		r, _, err := q.Pairs(context.Background(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		if !(r.Certificate.Dual > want-1e-3) {
			t.Errorf("%s in float32: %v, in float64 %v", p.Name, told(r), want)
		}
		honest(t, in[float32](p), q, r)
	}
}
