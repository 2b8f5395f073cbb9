package toprank

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// known is a Problem and what loops know of it.
type known[T vec.Float] struct {
	Problem[T]
	truth ranktruth.Problem
}

type (
	trainings[T vec.Float]  = familytest.Family[known[T], Config, *Result[T]]
	stateTests[T vec.Float] = familytest.States[known[T], Config, *Result[T]]
)

func honestly[T vec.Float](t *testing.T, p known[T], c Config, r *Result[T]) {
	t.Helper()
	p.truth.C = c.C
	honest(t, p.truth, p.Problem, r)
}

// familyOf has trainings with each method and loss, on features and on a kernel, and within queries.
func familyOf[T vec.Float](t testing.TB, n int) trainings[T] {
	f := trainings[T]{Name: "toprank", Honest: honestly[T], Random: 4, Looks: 30, Epochs: 8}
	for _, p := range append(some(n), grouped(n)...) {
		for _, p := range []ranktruth.Problem{p, linearOf(p)} {
			form := "kernel"
			if p.Kernel == (kernel.Linear{}) {
				form = "dense"
			}
			if p.Groups != nil && len(f.Trainings)%4 > 1 { // of one loss or the other
				form += ", visits"
			}
			c := configOf(p)
			c.Tol, c.Seed = 1e-6, 5
			f.Add(p.Name, func(t testing.TB) known[T] { return known[T]{problemsOf[T](t, p)[form], p} }, c)
		}
	}
	return f
}

// states have small problems, whose states are in testdata.
func states[T vec.Float]() stateTests[T] {
	f := trainings[T]{Name: "toprank", Honest: honestly[T]}
	for name, change := range map[string]func(p *ranktruth.Problem){
		"dense":  func(p *ranktruth.Problem) { p.PatMat, p.Hinge, p.Tau = true, true, .25 },
		"kernel": func(p *ranktruth.Problem) { p.K, p.C = 3, 2 },
	} {
		p := ranktruth.Problem{Name: name, Kernel: kernel.Linear{}, C: .5, Theta1: 1, Theta2: 2}
		for i := range 12 {
			x := make([]float64, 3)
			for j := range x {
				x[j] = float64((5*i+3*j+i*j)%7-3) / 2
			}
			p.X, p.Positive = append(p.X, x), append(p.Positive, i%3 == 1)
		}
		change(&p)
		c := configOf(p)
		c.Tol, c.Seed, c.Workers = 1e-6, 11, 1
		f.Add(name, func(t testing.TB) known[T] { return known[T]{problemsOf[T](t, p)[name], p} }, c)
	}
	push := func(_ known[T], c Config) bool { return c.Method == TopPush }
	pat := func(_ known[T], c Config) bool { return c.Method == PatMat }
	return stateTests[T]{
		Family: f,
		Fields: map[string]familytest.Field[known[T], Config]{
			"Workers": {}, // 0 is all cores, and the same bits for any number of them is no promise
			"Method": {Set: func(c *Config) {
				if c.Method, c.K, c.Tau = PatMat-c.Method, 0, 0; c.Method == TopPush {
					c.K = 2
				}
			}},
			"Loss": {Set: func(c *Config) { c.Loss = Hinge - c.Loss }},
			"K":    {Set: func(c *Config) { c.K = 2 }, Unless: pat},
			"Tau":  {Set: func(c *Config) { c.Tau *= .9 }, Unless: push},
			"All":  {Set: func(c *Config) { c.All = true }, Unless: push},
		},
		Other: func(t testing.TB, state []byte) error {
			r := states[float32]().Trainings[0]
			_, err := r.Make(t).Resume(context.Background(), bytes.NewReader(state), r.Config)
			return err
		},
	}
}

// TestFamily: what every family promises.
func TestFamily(t *testing.T) {
	prove.Both(t, func(t *testing.T) { familyOf[float32](t, 40).Run(t) },
		func(t *testing.T) { familyOf[float64](t, 40).Run(t) })
}

func TestStates(t *testing.T) { states[float64]().Run(t) }

func FuzzResume(f *testing.F) { states[float64]().Fuzz(f) }

// TestFamilyPath: what every family promises of its paths.
func TestFamilyPath(t *testing.T) {
	costs := []float64{.1, .3, 1}
	f := familytest.Paths[known[float64], Config, *Result[float64]]{
		Family: trainings[float64]{Name: "toprank", Honest: honestly[float64]},
		Path: func(ctx context.Context, p known[float64], c Config, cv solvers.CrossValidation) (any, error) {
			return p.Path(ctx, c, PathConfig{Cs: costs, CrossValidation: cv})
		},
		PathFold: func(ctx context.Context, p known[float64], c Config, cv solvers.CrossValidation, which int) (any,
			error) {
			return p.PathFold(ctx, c, PathConfig{Cs: costs, CrossValidation: cv}, which)
		},
		At: func(c *Config, point int) { c.C = costs[point] },
	}
	truth := ranktruth.Draw(rand.New(rand.NewPCG(67, 68)), 90, 3)
	for _, p := range append(truth.Variants(), ranktruth.Grouped(truth.Variants()[:1])...) {
		for _, p := range []ranktruth.Problem{p, linearOf(p)} {
			if p.K > 20 || p.K > 0 && p.Groups == nil && p.Kernel == (kernel.Linear{}) {
				continue // more than a part has negative ones; weights that are all 0
			}
			q := known[float64]{Problem[float64]{Positive: p.Positive, Groups: p.Groups}, p}
			if q.X = (&dataset.Dense[float64]{Matrix: ranktruth.Features[float64](p)}); p.Kernel != (kernel.Linear{}) {
				q.Kernel = familytest.Kernel(t, q.X, p.Kernel)
				q.X = nil
			}
			c := configOf(p)
			c.Tol = 1e-8
			f.Add(p.Name, func(testing.TB) known[float64] { return q }, c)
		}
	}
	f.Run(t)
}
