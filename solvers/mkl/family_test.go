package mkl

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

type (
	trainings[T vec.Float]  = familytest.Family[Problem[T], Config, *Result[T]]
	stateTests[T vec.Float] = familytest.States[Problem[T], Config, *Result[T]]
)

func familyOf[T vec.Float](t testing.TB) trainings[T] {
	f := trainings[T]{Name: "mkl", Honest: honest[T], Last: true, Random: 8, Looks: 80, Epochs: 12}
	tol := map[bool]float64{true: 1e-4, false: 1e-6}[prove.IsF32[T]()]
	f.Add("small", small[T], Config{P: 1.25, C: 1. / 4, Tol: tol, Seed: 11})
	p := views[T](t, 4, 40, 3)
	of := func(testing.TB) Problem[T] { return p }
	f.Add("hinge", of, Config{P: 1.1, C: 10, Tol: 1e-5})
	f.Add("Usunier", of, Config{P: 1.5, C: 3, K: 2, Loss: TopKUsunier, Tol: 1e-5})
	return f
}

// small is a problem of small integers, which are the same numbers on every architecture, as is its given kernel.
func small[T vec.Float](t testing.TB) Problem[T] {
	t.Helper()
	x, k, y := vec.NewMatrix[T](12, 3), vec.NewMatrix[T](12, 12), make([]int, 12)
	for i := range y {
		y[i] = i % 3
		for j := range 3 {
			x.Row(i)[j] = T((5*i+3*j+i*j)%7-3) / 2
		}
		x.Row(i)[y[i]]++
		for j := range 12 {
			if j%3 == i%3 || i == j {
				k.Row(i)[j] = .5
			}
		}
		k.Row(i)[i]++
	}
	given, err := kernel.Precomputed(k)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.New(1<<20,
		bundle.Group[T]{X: &dataset.Dense[T]{Matrix: x}, Kernels: []kernel.Kernel{kernel.Linear{},
			kernel.Polynomial{Degree: 2, Offset: 1}}},
		bundle.Group[T]{Matrix: given})
	if err != nil {
		t.Fatal(err)
	}
	return Problem[T]{Bundle: b, Y: y}
}

// states have a small problem, whose states are in testdata.
func states[T vec.Float]() stateTests[T] {
	f := trainings[T]{Name: "mkl", Honest: honest[T]}
	f.Add("small", small[T], Config{P: 1.25, C: 1. / 4, Tol: 1e-6, Seed: 11})
	groups := func(change func(t testing.TB, g []bundle.Group[T])) func(testing.TB, Problem[T]) (Problem[T], bool) {
		return func(t testing.TB, p Problem[T]) (Problem[T], bool) {
			groups := p.Bundle.Groups()
			change(t, groups)
			b, err := bundle.New(0, groups...)
			if err != nil {
				t.Fatal(err)
			}
			p.Bundle = b
			return p, true
		}
	}
	return stateTests[T]{
		Family: f,
		Data: map[string]func(testing.TB, Problem[T]) (Problem[T], bool){
			"a number of a group": groups(func(_ testing.TB, g []bundle.Group[T]) {
				g[0].X.(*dataset.Dense[T]).Row(3)[1] += 1e-9
			}),
			"a kernel": groups(func(_ testing.TB, g []bundle.Group[T]) {
				g[0].Kernels[1] = kernel.Polynomial{Degree: 3, Offset: 1}
			}),
			"order":           groups(func(_ testing.TB, g []bundle.Group[T]) { g[0], g[1] = g[1], g[0] }),
			"a given kernel":  groups(func(t testing.TB, g []bundle.Group[T]) { g[1].Matrix = identity[T](t, 12) }),
			"kernels swapped": groups(func(_ testing.TB, g []bundle.Group[T]) { slices.Reverse(g[0].Kernels) }),
		},
		Fields: map[string]familytest.Field[Problem[T], Config]{
			"Workers": {}, // the same bits for any number
			"K":       {Set: func(c *Config) { c.K = 2 }},
			"Classes": {Set: func(c *Config) { c.Classes = 4 }},
			"P":       {Set: func(c *Config) { c.P = 1.5 }},
		},
		Other: func(t testing.TB, state []byte) error {
			r := states[float32]().Trainings[0]
			_, err := r.Make(t).Resume(context.Background(), bytes.NewReader(state), r.Config)
			return err
		},
	}
}

func identity[T vec.Float](t testing.TB, n int) *kernel.Matrix[T] {
	k := vec.NewMatrix[T](n, n)
	for i := range n {
		k.Row(i)[i] = 1
	}
	m, err := kernel.Precomputed(k)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFamily: what every family promises.
func TestFamily(t *testing.T) {
	prove.Both(t, func(t *testing.T) { familyOf[float32](t).Run(t) },
		func(t *testing.T) { familyOf[float64](t).Run(t) })
}

func TestStates(t *testing.T) { states[float64]().Run(t) }

func FuzzResume(f *testing.F) { states[float64]().Fuzz(f) }

// TestFamilyPath: what every family promises of its paths.
func TestFamilyPath(t *testing.T) {
	costs := []float64{.1, .3, 1}
	f := familytest.Paths[Problem[float64], Config, *Result[float64]]{
		Family: trainings[float64]{Name: "mkl", Honest: honest[float64]},
		Path: func(ctx context.Context, p Problem[float64], c Config, cv solvers.CrossValidation) (any, error) {
			return p.Path(ctx, c, PathConfig{Ps: []float64{1.2}, Cs: costs, CrossValidation: cv})
		},
		PathFold: func(ctx context.Context, p Problem[float64], c Config, cv solvers.CrossValidation, which int) (any,
			error) {
			return p.PathFold(ctx, c, PathConfig{Ps: []float64{1.2}, Cs: costs, CrossValidation: cv}, which)
		},
		At:   func(c *Config, point int) { c.P, c.C = 1.2, costs[point] },
		Part: func(_ testing.TB, p *Problem[float64], rows []int) { p.Bundle = p.Bundle.Compact(rows) },
		Scores: func(r *Result[float64], p Problem[float64], trained, rows []int) vec.Matrix[float64] {
			scores := vec.NewMatrix[float64](len(rows), 3)
			r.Kernels.ScoresOf(scores, p.Bundle, rows, trained, 1)
			return scores
		},
	}
	p := views[float64](t, 7, 60, 3)
	for i := range p.Y {
		p.Weights = append(p.Weights, float64((1+7*i)%5)/2)
	}
	f.Add("bundle", func(testing.TB) Problem[float64] { return p }, Config{Tol: 1e-8, Classes: 3})
	f.Run(t)
}
