package papers_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/solvers/papers/dcd"
	"github.com/dualgap/dualgap/solvers/papers/obscure"
	"github.com/dualgap/dualgap/solvers/papers/ranking"
	"github.com/dualgap/dualgap/solvers/papers/rankone"
	"github.com/dualgap/dualgap/solvers/papers/smo"
	"github.com/dualgap/dualgap/vec"
)

// TestHostile: whatever the data and the parameters are, a method ends with an error or with numbers, its last step
// where it was told to end at the latest, and within its history.
func TestHostile(t *testing.T) { prove.Both(t, testHostile[float32], testHostile[float64]) }

func testHostile[T vec.Float](t *testing.T) {
	hostile.Run(t, 200, func(t *testing.T, rng *rand.Rand, h hostile.Problem) (*solvers.Outcome, error) {
		x, broken := hostile.Features[T](rng, &h)
		o := papers.Options{Steps: 1 + rng.IntN(60), Every: 1 + rng.IntN(20)}
		end, err := run(rng, h, x, o)
		if err != nil {
			return nil, err
		}
		last := end.Last()
		if math.IsInf(last.Primal, 1) { // it knows none
			last.Primal = last.Dual
		}
		if broken != "" || last.Steps > o.Steps || end.Status == solvers.Running {
			t.Errorf("%v after %d steps of %d, with %q", end.Status, last.Steps, o.Steps, broken)
		}
		return &solvers.Outcome{Status: solvers.EpochLimit, Tol: math.Inf(-1), Certificate: last.Certificate}, nil
	})
}

// run draws a method and its parameters.
func run[T vec.Float](rng *rand.Rand, h hostile.Problem, x design.Matrix[T], o papers.Options) (papers.End, error) {
	ctx, method, n := context.Background(), rng.IntN(6), len(h.Y)
	losses := ranking.Losses{Positive: make([]bool, n), PatMat: rng.IntN(2) == 0, Hinge: rng.IntN(2) == 0,
		All: rng.IntN(2) == 0, K: hostile.Count(rng, 2), Tau: hostile.Part(rng), C: hostile.Number(rng),
		Theta1: hostile.Number(rng), Theta2: hostile.Number(rng)}
	for i, y := range h.Y {
		losses.Positive[i] = y == 1
	}
	switch method {
	case 0:
		r, err := ranking.Subgradient(ctx, x, losses, ranking.Options{Options: o, Workers: hostile.Workers(rng)})
		return endOf(r, err)
	case 1:
		p := rankone.Problem[T]{X: x, Y: h.Y, Classes: h.Classes, Lambda1: hostile.Number(rng),
			Lambda2: hostile.Number(rng)}
		r, err := rankone.Solve(ctx, p, rankone.Options{Options: o, Epsilon: hostile.Number(rng),
			Tol: hostile.Part(rng)})
		if err != nil {
			return papers.End{}, err
		}
		return r.End, nil
	case 2:
		b, err := bundle.New(1<<20, bundle.Group[T]{X: x, Kernels: []kernel.Kernel{hostile.Kernel(rng),
			hostile.Kernel(rng)}})
		if err != nil {
			return papers.End{}, err
		}
		p := obscure.Problem[T]{Bundle: b, Y: h.Y, Classes: h.Classes, P: 1 + hostile.Part(rng), C: hostile.Number(rng)}
		r, err := obscure.Solve(ctx, p, obscure.Options{Options: o, Batch: rng.IntN(4), Eta: hostile.Number(rng)})
		if err != nil {
			return papers.End{}, err
		}
		return r.End, nil
	case 3:
		return runLinear(rng, h, x, o)
	}
	k, err := hostile.Matrix(rng, x, hostile.Kernel(rng))
	if err != nil {
		return papers.End{}, err
	}
	if method == 4 {
		r, err := ranking.Pairs(ctx, k, losses, ranking.Options{Options: o, Violation: rng.IntN(2) == 0})
		return endOf(r, err)
	}
	p := smo.Problem[T]{Kernel: k, Sets: make([][]int, n), Labels: h.Classes, C: hostile.Number(rng)}
	for i, y := range h.Y {
		p.Sets[i] = []int{y}
	}
	r, err := smo.Solve(ctx, p, smo.Options{Options: o, Tau: hostile.Part(rng), ByLabel: rng.IntN(2) == 0})
	if err != nil {
		return papers.End{}, err
	}
	return r.End, nil
}

// runLinear draws parameters of the linear multi-label method, with an R of rank one or none.
func runLinear[T vec.Float](rng *rand.Rand, h hostile.Problem, x design.Matrix[T], o papers.Options) (papers.End,
	error) {
	p := dcd.Problem[T]{X: x, Sets: make([][]int, len(h.Y)), Labels: h.Classes, C: hostile.Number(rng)}
	for i, y := range h.Y {
		p.Sets[i] = []int{y}
	}
	if m := h.Classes; rng.IntN(2) == 0 && m > 0 && m < 100 {
		p.R = vec.NewMatrix[float64](m, m)
		u := make([]float64, m)
		for l := range u {
			u[l] = hostile.Part(rng)
		}
		vec.Ger(1, u, u, p.R)
	}
	r, err := dcd.Solve(context.Background(), p, dcd.Options{Options: o, Tau: hostile.Part(rng),
		Switch: hostile.Number(rng)})
	if err != nil {
		return papers.End{}, err
	}
	return r.End, nil
}

func endOf(r *ranking.Result, err error) (papers.End, error) {
	if err != nil {
		return papers.End{}, err
	}
	return r.End, nil
}
