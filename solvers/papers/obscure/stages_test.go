package obscure

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/vec"
)

// TestStages: the stages come nearer to the optimum, their history says how, and R bounds |w*|. The model is the best.
func TestStages(t *testing.T) { prove.Both(t, testStages[float32], testStages[float64]) }

func testStages[T vec.Float](t *testing.T) {
	p, _ := cues[T](t, 80, 3, 4, 6)
	for _, c := range [][2]float64{{1.05, 1}, {1.5, 10}, {2, 1}} {
		p.P, p.C = c[0], c[1]
		best, err := mkl.Fit(context.Background(), p.Bundle, p.Y, mkl.Config{P: p.P, C: p.C, Tol: 1e-4})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Solve(context.Background(), p, Options{Options: papers.Options{Every: 30}, Online: 2, Batch: 60})
		if err != nil || r.Status != solvers.EpochLimit {
			t.Fatalf("%+v, %v", r, err)
		}
		size := 0.0
		for _, v := range best.Norms {
			size += math.Pow(v, c[0])
		}
		if size = math.Pow(size, 1/c[0]); r.R < size { // |w*|_{2,p}
			t.Errorf("R = %v, but |w*| = %v", r.R, size)
		}
		least := math.Inf(1)
		for k, s := range r.Steps[1:] {
			before := r.Steps[k]
			ends := s.Steps == 160 || s.Steps == 62*80
			if s.Steps != before.Steps+30 && !ends || s.Count < before.Count ||
				s.Count-before.Count > s.Steps-before.Steps || s.Dual != 0 ||
				s.Primal < best.Certificate.Dual || s.Passes != float64(s.Steps)/80 {
				t.Errorf("%+v after %+v", s, before)
			}
			if s.Steps == 160 && math.Abs(r.R-math.Sqrt(2*s.Primal)) > 1e-9*r.R {
				t.Errorf("R = %v of an objective of %v", r.R, s.Primal)
			}
			least = min(least, s.Primal)
		}
		if first := r.Steps[6].Primal; r.Last().Primal-best.Certificate.Dual > .5*(first-best.Certificate.Dual) {
			t.Errorf("stage 1 ended with %v, stage 2 with %v, of %v", first, r.Last().Primal, best.Certificate)
		}
		if got := objective(t, p, r, c[0]); math.Abs(got-least) > 1e-4*least {
			t.Errorf("the model has %v, but the least of the history is %v", got, least)
		}
	}
}

// objective computes the model's objective from its scores, and the norms of its kernels from their forms.
func objective[T vec.Float](t *testing.T, p Problem[T], r *Result[T], norm float64) float64 {
	t.Helper()
	a, scores := vec.NewMatrix[T](len(p.Y), p.Classes), vec.NewMatrix[T](len(p.Y), p.Classes)
	for q, i := range r.Support() {
		copy(a.Row(i), r.Coefficients().Row(q))
	}
	size, sum := 0.0, 0.0
	for k, form := range p.Bundle.Forms([]vec.Matrix[T]{a}, 1)[0] {
		size += math.Pow(r.Weights()[k]*math.Sqrt(form), norm)
	}
	r.ScoresOf(scores, p.Bundle, nil, nil, 1)
	for i, y := range p.Y {
		row := append([]T(nil), scores.Row(i)...)
		right := row[y]
		row[y] = T(math.Inf(-1))
		sum += max(0, 1-float64(right)+float64(vec.Max(row)))
	}
	return math.Pow(size, 2/norm)/2 + p.C*sum
}

// TestStops: where the context ends, with the best model so far.
func TestStops(t *testing.T) {
	p, _ := cues[float32](t, 80, 3, 2, 4)
	r, err := Solve(statetest.Soon(2), p, Options{Batch: 5})
	if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled || len(r.Steps) > 3 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestErrors: what cannot be is an error that names it, numbers that leave the range of T included.
func TestErrors(t *testing.T) {
	good, _ := cues[float32](t, 20, 3, 2, 4)
	var none context.Context
	for want, change := range map[string]func(ctx *context.Context, p *Problem[float32], o *Options){
		"no context":                   func(ctx *context.Context, _ *Problem[float32], _ *Options) { *ctx = none },
		"no Bundle":                    func(_ *context.Context, p *Problem[float32], _ *Options) { p.Bundle = nil },
		"19 labels for 20":             func(_ *context.Context, p *Problem[float32], _ *Options) { p.Y = p.Y[1:] },
		"Classes = 1":                  func(_ *context.Context, p *Problem[float32], _ *Options) { p.Classes = 1 },
		"label 2 of row 2, want one":   func(_ *context.Context, p *Problem[float32], _ *Options) { p.Classes = 2 },
		"P = 2.5, want a number above": func(_ *context.Context, p *Problem[float32], _ *Options) { p.P = 2.5 },
		"C = -1, want a positive":      func(_ *context.Context, p *Problem[float32], _ *Options) { p.C = -1 },
		"Eta = -2, want a positive":    func(_ *context.Context, _ *Problem[float32], o *Options) { o.Eta = -2 },
		"Online = -1 and Batch = 0":    func(_ *context.Context, _ *Problem[float32], o *Options) { o.Online = -1 },
		"Every = -1":                   func(_ *context.Context, _ *Problem[float32], o *Options) { o.Every = -1 },
		"after 20 steps numbers outgrew float32: scale the": func(_ *context.Context, _ *Problem[float32], o *Options) {
			o.Eta = 1e200
		},
	} {
		ctx, p, o := context.Background(), good, Options{}
		change(&ctx, &p, &o)
		r, err := Solve(ctx, p, o)
		if r != nil || err == nil || !strings.HasPrefix(err.Error(), "obscure: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
