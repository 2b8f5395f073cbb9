package svm

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

func TestQuick(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](200, 10)}
	y, z := make([]int, 200), make([]float64, 200)
	for i := range y {
		for j := range 10 {
			x.Row(i)[j] = rng.NormFloat64()
		}
		z[i] = x.Row(i)[0] - x.Row(i)[1]/2 + .3*rng.NormFloat64()
		if z[i] > 0 {
			y[i] = 1
		}
	}
	k, err := kernel.New[float64](x, kernel.Gaussian{Gamma: .1}, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []Loss{Hinge, SquaredHinge, Insensitive, SquaredInsensitive} {
		for _, p := range []Problem[float64]{{X: x}, {Kernel: k}} {
			if l.ofTargets() {
				p.Targets = z
			} else {
				p.Y = y
			}
			r, err := p.Fit(context.Background(), Config{Loss: l, Tol: 1e-6})
			if err != nil {
				t.Fatal(err)
			}
			t.Log(l, r.Outcome, r.Notes())
		}
	}
}
