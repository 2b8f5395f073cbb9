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
	return drawnOf[T](t, n, d, 3)
}

func drawnOf[T vec.Float](t *testing.T, n, d, classes int) (dense, sparse Problem[T]) {
	t.Helper()
	rng := rand.New(rand.NewPCG(81, 82))
	x, y := vec.NewMatrix[T](n, d), make([]int, n)
	for i := range n {
		y[i] = i % classes
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
	p := Problem[T]{X: rows, Y: y, Classes: classes}
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
			r, err := Solve(context.Background(), p, Options{Epsilon: 1e-4, Tol: 1e-2, Workers: 2})
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
			if dual := dualOf(p, r); math.Abs(dual-last.Dual) > 1e-4*last.Primal {
				t.Errorf("%s, %v: %v, but the dual variables have %v", name, lambda, last.Certificate, dual)
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

// dualOf computes the dual value of the dual variables by its formula, with lambda1 for the largest singular value that
// counts in float32: 1/n sum_i H(p_i) - sum_j max(0, sigma_j - lambda1)²/(4 lambda2).
func dualOf[T vec.Float](p Problem[T], r *Result[T]) (value float64) {
	_, d := p.X.Dims()
	n := len(p.Y)
	x, g := vec.NewMatrix[T](n, d), vec.NewMatrix[float64](d, p.Classes)
	p.X.Gather(x, nil)
	for i, y := range p.Y {
		for l, a := range r.Duals.Row(i) {
			q := float64(a)
			if l == y {
				q++
			}
			if q > 0 {
				value -= q * math.Log(q) / float64(n)
			}
			for j, v := range x.Row(i) {
				g.Row(j)[l] += float64(v) * float64(a) / float64(n)
			}
		}
	}
	for _, s := range spectral.Values(g) {
		if over := max(0, s-p.Lambda1); p.Lambda2 > 0 {
			value -= over * over / (4 * p.Lambda2)
		}
	}
	return value
}

// TestStops: at the last step, and where the context ends with the result so far.
func TestStops(t *testing.T) {
	p, _ := drawn[float64](t, 40, 4)
	p.Lambda1 = .01
	o := Options{Options: papers.Options{Steps: 7, Every: 2}, Epsilon: 1e-12}
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
		"Steps = -1":                    func(_ *context.Context, _ *Problem[float64], o *Options) { o.Steps = -1 },
		"Epsilon = -1, want a positive": func(_ *context.Context, _ *Problem[float64], o *Options) { o.Epsilon = -1 },
		"Epsilon = +Inf": func(_ *context.Context, _ *Problem[float64], o *Options) {
			o.Epsilon = math.Inf(1)
		},
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

// TestConditions: where the method says that it has converged, by default with the paper's epsilon, (C1) and (C2) hold,
// the gradient computed by loops from the atoms alone; nothing is converged before.
func TestConditions(t *testing.T) {
	for _, lambda := range [][2]float64{{.01, .001}, {.05, 0}, {0, .1}, {3, 0}} {
		for _, epsilon := range []float64{0, .01, 1e-3} {
			p, _ := drawnOf[float64](t, 200, 20, 9)
			p.Lambda1, p.Lambda2 = lambda[0], lambda[1]
			d, o, err := begin(t.Context(), p, []float64{lambda[0]}, Options{Epsilon: epsilon})
			if err != nil {
				t.Fatal(err)
			}
			if epsilon == 0 {
				epsilon = .035
			}
			for steps := 0; ; steps++ {
				s := slow{y: p.Y, m: 9, lambda1: lambda[0], lambda2: lambda[1]}
				for i := range p.Y {
					s.x = append(s.x, p.X.(*dataset.Dense[float64]).Row(i))
				}
				s.from(d)
				_, g := s.of(s.weights(s.theta))
				_, _, top := s.top(g)
				holds, nearly := s.conditions(g, o.Epsilon) && top <= lambda[0]+epsilon, top <= lambda[0]+epsilon/4
				if d.Stopped() == solvers.Converged {
					if !holds {
						t.Errorf("%v, epsilon %v: the end after %d steps, |grad R| = %v", lambda, epsilon, steps, top)
					}
					break
				}
				if steps == 500 {
					t.Fatalf("%v, epsilon %v: %v after %d steps", lambda, epsilon, d.Stopped(), steps)
				}
				d.Take(t.Context(), 1)
				if holds && nearly && d.Stopped() != solvers.Converged {
					t.Errorf("%v, epsilon %v: no end after %d steps, |grad R| = %v", lambda, epsilon, steps, top)
				}
			}
		}
	}
}

// TestPath: each result of a path meets (C1) and (C2) as one from W = 0 does, so that its certificate is of the same
// optimum, and warm starts take fewer steps; results are apart from each other.
func TestPath(t *testing.T) {
	p, _ := drawnOf[float64](t, 200, 20, 9)
	p.Lambda2 = .002
	path, o := []float64{.04, .02, .01, .005}, Options{Epsilon: 2e-3, Options: papers.Options{Steps: 1000}}
	warm, err := Path(t.Context(), p, path, o)
	if err != nil || len(warm) != len(path) {
		t.Fatal(warm, err)
	}
	more, fewer := 0, 0
	for k, l := range path {
		p.Lambda1 = l
		cold, err := Solve(t.Context(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		got, want := warm[k], cold.Last()
		if got.Status != solvers.Converged || got.Last().Dual > want.Primal || want.Dual > got.Last().Primal ||
			math.Abs(objective(t, p, got)-got.Last().Primal) > 1e-9 || got.Steps[0].Steps != 0 {
			t.Errorf("lambda1 = %v: %v, %v, from W = 0 %v", l, got.Status, got.Last(), want)
		}
		more, fewer = more+want.Steps, fewer+got.Last().Steps
		if k == 0 && got.Last().Primal != want.Primal {
			t.Errorf("the first is %v, want %v", got.Last().Primal, want.Primal)
		}
	}
	if fewer >= more {
		t.Errorf("%d steps along the path, %d from W = 0", fewer, more)
	}
	if vec.AbsSum(warm[0].Duals.Data) == vec.AbsSum(warm[3].Duals.Data) {
		t.Error("all results have the dual variables of the last")
	}
	if r, err := Path(statetest.Soon(12), p, path, o); !errors.Is(err, context.Canceled) || len(r) == 0 ||
		len(r) == len(path) || r[len(r)-1].Status != solvers.Canceled {
		t.Errorf("%v, %v", r, err)
	}
	for want, path := range map[string][]float64{"0 numbers Lambda1": nil, "Lambda1 = -1": {.1, -1}} {
		if r, err := Path(t.Context(), p, path, o); r != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want %q", r, err, want)
		}
	}
}

// TestMissed: power steps from a row that is orthogonal to the top pair, and longer than the others, find another; the
// method does not end there.
func TestMissed(t *testing.T) {
	p, _ := drawnOf[float64](t, 40, 4, 4)
	p.Lambda1 = .1
	d, _, err := begin(t.Context(), p, []float64{p.Lambda1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Rows (1.1, 0, 0, 0) and twice (0, 1, 0, 0): singular values 1.1 and the root of 2.
	for j, row := range [][]float64{{1.1, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}} {
		copy(d.h.Row(j), row)
	}
	if _, _, sigma := d.pair(); math.Abs(sigma-1.1) > 1e-12 {
		t.Errorf("power steps find %v", sigma)
	}
	u, v, sigma := d.exactPair()
	if math.Abs(sigma-math.Sqrt2) > 1e-12 || math.Abs(math.Abs(v[1])-1) > 1e-12 ||
		math.Abs(u[1]+v[1]*math.Sqrt(.5)) > 1e-12 {
		t.Errorf("%v, %v, %v", u, v, sigma)
	}
}

// TestStalled: with an epsilon below what rounding allows the method ends before its last step.
func TestStalled(t *testing.T) {
	p, _ := drawn[float32](t, 40, 4)
	p.Lambda1 = .1
	o := Options{Options: papers.Options{Steps: 100000, Every: 1000}, Epsilon: 1e-30}
	if r, err := Solve(t.Context(), p, o); err != nil || r.Status != solvers.Stalled {
		t.Errorf("%v, %v after %d steps", err, r.Status, r.Last().Steps)
	}
}
