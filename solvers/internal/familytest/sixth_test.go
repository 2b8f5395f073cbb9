package familytest_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// The sketch of a sixth family in CONTRIBUTING.md is this text.

// Problem is what a model is learned from: n examples by their features, with a class each.
type Problem[T vec.Float] struct {
	X     design.Matrix[T]
	Y     []int
	Names []string // of the classes; default: none
}

// Config says what to train and how. The zero value of every field is its default.
type Config struct {
	C float64 // weight of the losses, > 0; default: 1

	Tol             float64 // these as every family has them
	Epochs, Workers int
	Seed            uint64
	Progress        func(solvers.Progress)
	Checkpoint      solvers.Checkpoint
}

// options are the fields that all families have.
func (c Config) options() solvers.Options {
	return solvers.Options{Tol: c.Tol, Epochs: c.Epochs, Seed: c.Seed, Workers: c.Workers, Progress: c.Progress,
		Checkpoint: c.Checkpoint}
}

// Result is what Fit returns: a model, how its training ended, and the dual variables that prove it.
type Result[T vec.Float] struct {
	*model.Model[T]
	solvers.Outcome
	Duals vec.Matrix[T]
}

// Fit trains a model: the softmax loss, 1/2 |W|² + C sum_i log sum_c exp(s_ic - s_iy).
func (p Problem[T]) Fit(ctx context.Context, c Config) (*Result[T], error) {
	return family.Fit(ctx, "sixth", p.prepare, c, c.options())
}

// Resume goes on with the training whose state Config.Checkpoint saved.
func (p Problem[T]) Resume(ctx context.Context, state io.Reader, c Config) (*Result[T], error) {
	return family.Resume(ctx, "sixth", state, p.prepare, c, c.options())
}

// prepared is a problem that has been checked, with how to train on it. A family with a method of its own implements
// family.Training itself, and train.Method.
type prepared[T vec.Float] struct{ ascent.Training[T] }

// Result: see family.Training.
func (t *prepared[T]) Result(m *model.Model[T], end train.Ended[T]) *Result[T] {
	return &Result[T]{Model: m, Outcome: end.Outcome, Duals: t.Duals(end)}
}

// prepare returns the training of p that c and o ask for, or what is wrong with them.
func (p Problem[T]) prepare(c Config, o solvers.Options) (*prepared[T], error) {
	o, n, d, err := family.Begin(o, p.X, nil, 0)
	if err != nil {
		return nil, err
	}
	labels := family.Labels{One: p.Y}
	m, err := labels.Named(n, 0, p.Names)
	if err == nil {
		err = family.CheckSizes(n, d, m, 0)
	}
	if err != nil {
		return nil, err
	}
	c.C = cmp.Or(c.C, 1)
	r, err := family.Radii[T](c.C, fmt.Sprintf("C = %v", c.C), &labels, nil, nil, m)
	return &prepared[T]{ascent.Training[T]{
		Problem: ascent.Problem[T]{X: p.X, Labels: labels, Outputs: m, Radius: r, Lambda: 1,
			Loss: loss.TopKEntropy[T]{K: 1}, Exact: loss.TopKEntropy[float64]{K: 1}},
		Options: ascent.Options{Options: o}, Family: "sixth", Names: p.Names,
		Settings: fmt.Sprintf("C %v, tolerance %v, seed %d, workers %d", c.C, o.Tol, o.Seed, o.Workers),
	}}, err
}

// TestSixth: the family of the sketch keeps every promise.
func TestSixth(t *testing.T) {
	f := familytest.Family[Problem[float64], Config, *Result[float64]]{Name: "sixth", Honest: honest, Random: 3,
		Looks: 2, Epochs: 30}
	f.Add("dense", func(testing.TB) Problem[float64] {
		rng := prove.Rand(71)
		x, y := vec.NewMatrix[float64](60, 4), make([]int, 60)
		for i := range y {
			y[i] = i % 3
			for j := range 4 {
				x.Row(i)[j] = rng.NormFloat64()
			}
			x.Row(i)[y[i]] += .5
		}
		return Problem[float64]{X: &dataset.Dense[float64]{Matrix: x}, Y: y}
	}, Config{C: 30, Tol: 1e-5})
	f.Run(t)
}

// honest recomputes both values: the dual one is 1/2 |W|² less than sum_i of C times the entropy of -a_i/C, with what
// is left to 1 at y.
func honest(t *testing.T, p Problem[float64], c Config, r *Result[float64]) {
	t.Helper()
	n, d := p.X.Dims()
	x, w := vec.NewMatrix[float64](n, d), vec.NewMatrix[float64](d, 3)
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	p.X.Gather(x, all)
	vec.Gemm(vec.Transposed, vec.NoTrans, 1, x, r.Duals, 0, w)
	square := vec.SquaredNorm(w.Data)
	scores := vec.NewMatrix[float64](n, 3)
	if err := r.Scores(scores, p.X, nil); err != nil {
		t.Fatal(err)
	}
	primal, dual := square/2, -square/2
	for i, y := range p.Y {
		primal += c.C * (vec.LogSumExp(scores.Row(i)) - scores.Row(i)[y])
		for k, a := range r.Duals.Row(i) {
			q := -a / c.C
			if k == y {
				q++
			}
			if q > 0 {
				dual -= c.C * q * math.Log(q)
			}
		}
	}
	if v := r.Certificate; math.Abs(v.Dual-dual) > 1e-9*math.Abs(dual) || r.Status == solvers.Converged &&
		math.Abs(v.Primal-primal) > 1e-9*primal {
		t.Errorf("%v, from scratch %v and %v", v, primal, dual)
	}
}
