package svm

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// TestPathStartOffset: a path with an offset starts from what another training has found, with an offset or without, on
// features far from 0 and near it and on a kernel: each point's certificate is honest, and the first one of the same
// problem takes no more than a look.
func TestPathStartOffset(t *testing.T) {
	x, y, targets := drawn[float64](rand.New(rand.NewPCG(71, 72)), 80, 5)
	far := &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](x.Rows, x.Cols)}
	for i, v := range x.Data {
		far.Data[i] = v + 20
	}
	many, _, _ := drawn[float64](rand.New(rand.NewPCG(73, 74)), 500, 20) // one class ends early on few
	c := Config{C: .5, Offset: true, Tol: 1e-6, Epochs: 1 << 20, Workers: 1}
	for name, p := range map[string]Problem[float64]{
		"hinge": {X: x, Y: y}, "hinge, far from 0": {X: far, Y: y}, "targets": {X: far, Targets: targets},
		"kernel": gaussian(t, Problem[float64]{X: x, Y: y}), "one class": {X: aside(many), OneClass: true},
		"one class on a kernel": gaussian(t, Problem[float64]{X: x, OneClass: true}),
	} {
		for _, c.Algorithm = range []Algorithm{Ascent, Newton} {
			own, other, path := c, c, PathConfig{Cs: []float64{.5, 2}}
			other.Offset, other.C = false, 1
			if p.OneClass {
				own, path = Config{Nu: .4, Tol: c.Tol, Epochs: c.Epochs, Workers: 1}, PathConfig{Nus: []float64{.4, .2}}
				other = own
				other.Nu = .7
			}
			if c.Algorithm == Newton && (p.OneClass || p.Kernel != nil) {
				continue
			}
			path.CrossValidation = solvers.CrossValidation{Folds: 3}
			cold := solve(t, p, own)
			for _, start := range []Config{own, other} {
				p.Start = solve(t, p, start)
				points, err := p.Path(context.Background(), own, path)
				if err != nil {
					t.Fatalf("%s by %v: %v", name, c.Algorithm, err)
				}
				for _, at := range points {
					r, of := at.Result, own
					of.C, of.Nu = at.C, at.Nu
					if r.Status != solvers.Converged {
						t.Errorf("%s by %v from offset %t: %v", name, c.Algorithm, start.Offset, r.Outcome)
					}
					honest(t, p, of, r)
				}
				first := points[0].Result
				if start.C == own.C && start.Nu == own.Nu && first.Epochs > 1 || cold.Epochs < 2 {
					t.Errorf("%s by %v: %d epochs from the optimum, %d from 0", name, c.Algorithm, first.Epochs,
						cold.Epochs)
				}
				p.Start = nil
			}
		}
	}
}
