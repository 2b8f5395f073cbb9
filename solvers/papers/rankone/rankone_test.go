package rankone

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// drawn returns n examples of d features and three classes, as dense and as sparse rows.
func drawn[T vec.Float](t *testing.T, n, d int) (dense, sparse Problem[T]) {
	t.Helper()
	rng := rand.New(rand.NewPCG(81, 82))
	x, y := vec.NewMatrix[T](n, d), make([]int, n)
	for i := range n {
		y[i] = i % 3
		for j := range d {
			x.Row(i)[j] = T(rng.NormFloat64())
		}
		x.Row(i)[y[i]] += 1.5
	}
	rows := &dataset.Dense[T]{Matrix: x}
	csr, err := rows.CSR()
	if err != nil {
		t.Fatal(err)
	}
	p := Problem[T]{X: rows, Y: y, Classes: 3}
	q := p
	q.X = csr
	return p, q
}

// TestSolve: the descent comes to the optimum that tracenorm finds, with each of the penalties and with both. Its last
// certificate has the objective of its model.
func TestSolve(t *testing.T) { prove.Both(t, testSolve[float32], testSolve[float64]) }

func testSolve[T vec.Float](t *testing.T) {
	dense, sparse := drawn[T](t, 60, 5)
	for _, lambda := range [][2]float64{{.05, .01}, {.1, 0}, {0, .1}} {
		c := tracenorm.Config{Lambda1: lambda[0], Lambda2: lambda[1], Raw: true, Tol: 1e-4}
		want, err := tracenorm.Fit(context.Background(), dense.X, dense.Y, c)
		if err != nil {
			t.Fatal(err)
		}
		for name, p := range map[string]Problem[T]{"dense": dense, "sparse": sparse} {
			p.Lambda1, p.Lambda2 = lambda[0], lambda[1]
			r, err := Solve(context.Background(), p, Options{Tol: 1e-2, Workers: 2})
			if err != nil || r.Status != solvers.Converged {
				t.Fatalf("%s, %v: %v, %v", name, lambda, r, err)
			}
			last := r.Last()
			if last.RelativeGap() > 1e-2 || last.Dual > want.Certificate.Primal ||
				want.Certificate.Dual > last.Primal || last.Count < len(r.Spectrum) {
				t.Errorf("%s, %v: %v of %d atoms, rank %d, but %v", name, lambda, last.Certificate, last.Count,
					len(r.Spectrum), want.Certificate)
			}
			for k, s := range r.Steps[1:] {
				before := r.Steps[k]
				if s.Steps <= before.Steps || s.Passes < before.Passes || s.Elapsed < before.Elapsed {
					t.Errorf("%s, %v: %+v after %+v", name, lambda, s, before)
				}
			}
			if primal := objective(t, p, r); math.Abs(primal-last.Primal) > 1e-5*primal {
				t.Errorf("%s, %v: %v, but the model has %v", name, lambda, last.Certificate, primal)
			}
		}
	}
}

// objective computes the model's objective by its formula.
func objective[T vec.Float](t *testing.T, p Problem[T], r *Result[T]) (sum float64) {
	t.Helper()
	scores := vec.NewMatrix[T](len(p.Y), p.Classes)
	if err := r.Scores(scores, p.X, nil); err != nil {
		t.Fatal(err)
	}
	for i, y := range p.Y {
		all := 0.0
		for _, s := range scores.Row(i) {
			all += math.Exp(float64(s - scores.Row(i)[y]))
		}
		sum += math.Log(all) / float64(len(p.Y))
	}
	for _, v := range r.Spectrum {
		sum += p.Lambda1*v + p.Lambda2*v*v
	}
	return sum
}

// TestStops: at the last step, and where the context ends with the result so far.
func TestStops(t *testing.T) {
	p, _ := drawn[float64](t, 40, 4)
	p.Lambda1 = .01
	o := Options{Options: papers.Options{Steps: 7, Every: 2}, Tol: 1e-12}
	if r, err := Solve(context.Background(), p, o); err != nil || r.Status != solvers.EpochLimit || len(r.Steps) != 5 ||
		r.Last().Steps != 7 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := Solve(statetest.Soon(4), p, o); !errors.Is(err, context.Canceled) || r == nil ||
		r.Status != solvers.Canceled {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestErrors: what cannot be is an error that names it.
func TestErrors(t *testing.T) {
	good, _ := drawn[float64](t, 6, 3)
	good.Lambda1 = 1
	var none context.Context
	for want, change := range map[string]func(ctx *context.Context, p *Problem[float64], o *Options){
		"no context":                     func(ctx *context.Context, _ *Problem[float64], _ *Options) { *ctx = none },
		"no examples":                    func(_ *context.Context, p *Problem[float64], _ *Options) { p.X = nil },
		"Classes = 1":                    func(_ *context.Context, p *Problem[float64], _ *Options) { p.Classes = 1 },
		"5 labels for 6":                 func(_ *context.Context, p *Problem[float64], _ *Options) { p.Y = p.Y[1:] },
		"label 2 of row 2, want one in ": func(_ *context.Context, p *Problem[float64], _ *Options) { p.Classes = 2 },
		"Lambda1 = 0, Lambda2 = 0":       func(_ *context.Context, p *Problem[float64], _ *Options) { p.Lambda1 = 0 },
		"Lambda1 = NaN": func(_ *context.Context, p *Problem[float64], _ *Options) {
			p.Lambda1 = math.NaN()
		},
		"Steps = -1": func(_ *context.Context, _ *Problem[float64], o *Options) { o.Steps = -1 },
		"Tol = NaN": func(_ *context.Context, _ *Problem[float64], o *Options) {
			o.Tol = math.NaN()
		},
		"-2 workers": func(_ *context.Context, _ *Problem[float64], o *Options) { o.Workers = -2 },
		"the squared norm of row 1": func(_ *context.Context, p *Problem[float64], _ *Options) {
			x := vec.NewMatrix[float64](6, 3)
			x.Row(1)[0] = 1e200
			p.X = &dataset.Dense[float64]{Matrix: x}
		},
	} {
		ctx, p, o := context.Background(), good, Options{}
		change(&ctx, &p, &o)
		r, err := Solve(ctx, p, o)
		if r != nil || err == nil || !strings.HasPrefix(err.Error(), "rankone: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestWeigh: where the weights have been found again, by less than 50 evaluations, no slope of theirs is above a tenth
// of a new atom's, nor above epsilon.
func TestWeigh(t *testing.T) {
	p, _ := drawn[float64](t, 60, 5)
	p.Lambda1 = .01
	d, _, err := begin(t.Context(), p, Options{Tol: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	weighed := 0
	for range 60 {
		_, _, sigma, _ := spectral.Decompose(d.h)
		slope, added, visited := sigma[0]-d.Lambda1, d.added, d.Visited
		d.step()
		if added == 0 || d.added > 0 || d.Visited-visited >= 50*d.N { // not found anew, or not to the end
			continue
		}
		weighed++
		if got, want := d.slope(), min(d.epsilon, slope/10); slope > 0 && got > want {
			t.Errorf("a slope of %v, want %v at most: epsilon %v, a new atom's %v", got, want, d.epsilon, slope)
		}
	}
	if weighed < 3 {
		t.Errorf("%d times", weighed)
	}
}
