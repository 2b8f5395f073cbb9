package ranking

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/vec"
)

func truths(t *testing.T) []ranktruth.Problem {
	return ranktruth.Read(t, filepath.Join("..", "..", "toprank", "testdata"))
}

func lossesOf(p ranktruth.Problem) Losses {
	return Losses{Positive: p.Positive, PatMat: p.PatMat, Hinge: p.Hinge, All: p.All, K: p.K, Tau: p.Tau, C: p.C,
		Theta1: p.Theta1, Theta2: p.Theta2}
}

func kernelOf[T vec.Float](t *testing.T, p ranktruth.Problem) *kernel.Matrix[T] {
	t.Helper()
	k, err := kernel.New(&dataset.Dense[T]{Matrix: ranktruth.Features[T](p)}, p.Kernel, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// honest compares the last entry of a history with the formulas, and the dual variables with their domain.
func honest(t *testing.T, p ranktruth.Problem, r *Result, primal bool) {
	t.Helper()

	if missed := p.Infeasible(r.Alpha, r.Beta); missed > 1e-11 {
		t.Errorf("%s: %v outside the domain", p.Name, missed)
	}
	want, dual, _ := p.Values(p.Gram(), r.Alpha, r.Beta)
	last := r.Last()
	if size := 1e-10 * want; math.Abs(dual-last.Dual) > size || primal && math.Abs(want-last.Primal) > size {
		t.Errorf("%s: %v, the formulas say %v and %v", p.Name, last.Certificate, want, dual)
	}
}

// TestPairs: TopPush with K = 1, and Pat&Mat with the quadratic, reach the known optima; no method passes one. The dual
// never falls.
func TestPairs(t *testing.T) {
	for i, p := range truths(t) {
		if testing.Short() && i%6 != 0 {
			continue
		}
		reaches := !p.PatMat && p.K == 1 || p.PatMat && !p.Hinge
		o := Options{Options: papers.Options{Steps: 40000, Every: 1000}, Tol: 1e-6}
		if !reaches { // most of what they gain is gained by then
			o.Options = papers.Options{Steps: 4000, Every: 100}
		}
		for _, o.Violation = range []bool{false, true} {
			r, err := Pairs(context.Background(), kernelOf[float64](t, p), lossesOf(p), o)
			if err != nil {
				t.Fatal(err)
			}
			last := r.Last()
			if last.Dual > p.Optimum*(1+1e-9) || last.Primal < p.Optimum*(1-1e-9) ||
				reaches && (r.Status != solvers.Converged || !(last.Primal <= p.Optimum*(1+1.1e-6))) {
				t.Errorf("%s, violation %v: %v, %v, want %v", p.Name, o.Violation, r.Status, last.Certificate,
					p.Optimum)
			}
			for j, s := range r.Steps[1:] {
				if s.Dual < r.Steps[j].Dual-1e-12*math.Abs(s.Primal) || s.Steps <= r.Steps[j].Steps ||
					s.Passes != 2*float64(s.Steps)/float64(len(p.Positive)) {
					t.Errorf("%s: %+v after %+v", p.Name, s, r.Steps[j])
				}
			}
			honest(t, p, r, true)
		}
		o.Violation, o.Options = true, papers.Options{Steps: 2000}
		narrow, err := Pairs(context.Background(), kernelOf[float32](t, p), lossesOf(p), o)
		if err != nil || narrow.Last().Dual > p.Optimum*(1+1e-5) || narrow.Last().Dual <= narrow.Steps[0].Dual {
			t.Errorf("%s in float32: %+v, %v", p.Name, narrow, err)
		}
	}
}

// TestSubgradient: the linear problems with known optima to a gap of 1e-2, and the problems of a smooth objective,
// Pat&Mat with the quadratic, to 1e-8, in any storage. The history never turns back.
func TestSubgradient(t *testing.T) {
	prove.Both(t, testSubgradient[float32], testSubgradient[float64])
}

func testSubgradient[T vec.Float](t *testing.T) {
	for _, p := range truths(t) {
		if _, linear := p.Kernel.(kernel.Linear); !linear {
			continue
		}
		o := Options{Options: papers.Options{Every: 7}, Tol: 1e-2}
		if p.PatMat && !p.Hinge && !prove.IsF32[T]() {
			o.Tol = 1e-8
		}
		dense := &dataset.Dense[T]{Matrix: ranktruth.Features[T](p)}
		x, err := dense.CSR()
		if err != nil {
			t.Fatal(err)
		}
		r, err := Subgradient(context.Background(), x, lossesOf(p), o)
		if err != nil || r.Status != solvers.Converged {
			t.Errorf("%s: %v, %v", p.Name, err, r)
			continue
		}
		rounding := 1e-9
		if prove.IsF32[T]() { // other examples
			rounding = 1e-5
		} else {
			honest(t, p, r, false)
		}
		if last := r.Last(); last.Dual > p.Optimum*(1+rounding) || last.Primal < p.Optimum*(1-rounding) {
			t.Errorf("%s: %v, the optimum is %v", p.Name, last.Certificate, p.Optimum)
		}
		for k, s := range r.Steps[1:] {
			if before := r.Steps[k]; s.Steps != before.Steps+7 || s.Primal > before.Primal || s.Dual < before.Dual ||
				s.Passes != float64(s.Steps) {
				t.Fatalf("%s: %+v after %+v", p.Name, s, before)
			}
		}
	}
}

// TestStops: a context that has ended leaves the start.
func TestStops(t *testing.T) {
	p := truths(t)[0]
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	pairs, err := Pairs(ctx, kernelOf[float64](t, p), lossesOf(p), Options{})
	x := &dataset.Dense[float64]{Matrix: ranktruth.Features[float64](p)}
	steps, err2 := Subgradient(ctx, x, lossesOf(p), Options{})
	for r, err := range map[*Result]error{pairs: err, steps: err2} {
		if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled || len(r.Steps) != 1 {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// TestErrors: what cannot be is an error that names it.
func TestErrors(t *testing.T) {
	var none context.Context
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 1, []float64{1, 2, 3})}
	for want, change := range map[string]func(ctx *context.Context, l *Losses, o *Options){
		"no context": func(ctx *context.Context, _ *Losses, _ *Options) { *ctx = none },
		"Positive of 2 examples, but there are 3": func(_ *context.Context, l *Losses, _ *Options) {
			l.Positive = l.Positive[1:]
		},
		"0 positive examples of 3": func(_ *context.Context, l *Losses, _ *Options) { l.Positive = make([]bool, 3) },
		"K = 3, want one in 1..2":  func(_ *context.Context, l *Losses, _ *Options) { l.K = 3 },
		"Tau = 1, want a number":   func(_ *context.Context, l *Losses, _ *Options) { l.PatMat, l.Tau = true, 1 },
		"C = -1, want a positive":  func(_ *context.Context, l *Losses, _ *Options) { l.C = -1 },
		"Theta2 = NaN":             func(_ *context.Context, l *Losses, _ *Options) { l.Theta2 = math.NaN() },
		"Steps = -3":               func(_ *context.Context, _ *Losses, o *Options) { o.Steps = -3 },
		"-2 workers":               func(_ *context.Context, _ *Losses, o *Options) { o.Workers = -2 },
		"too large":                func(_ *context.Context, l *Losses, _ *Options) { l.C = 1e200 },
	} {
		ctx, l, o := context.Background(), Losses{Positive: []bool{true, false, false}}, Options{}
		change(&ctx, &l, &o)
		k, err := kernel.New[float64](x, kernel.Linear{}, 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Pairs(ctx, k, l, o)
		_, err2 := Subgradient(ctx, x, l, o)
		for how, err := range map[string]error{"Pairs": err, "Subgradient": err2} {
			if err == nil || !strings.HasPrefix(err.Error(), "ranking: ") || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", how, err, want)
			}
		}
	}
	if _, err := Pairs[float64](context.Background(), nil, Losses{}, Options{}); err == nil {
		t.Error("no error without a kernel")
	}
	if _, err := Subgradient[float64](context.Background(), nil, Losses{}, Options{}); err == nil {
		t.Error("no error without examples")
	}
}
