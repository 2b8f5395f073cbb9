package topk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// TestLittleLosses: where classes are far apart and C is large both objectives are far below C, and so must their
// rounding be. They are sums of n losses or dual terms, each of m terms, and of d m squares. No term is negative: each
// sum is off by at most one unit in the last place for each term.
func TestLittleLosses(t *testing.T) {
	const n, d, m = 200, 6, 4
	rng := rand.New(rand.NewPCG(3, 5))
	x, y, sets := vec.NewMatrix[float64](n, d), make([]int, n), make([][]int, n)
	for i := range y {
		y[i] = rng.IntN(m)
		sets[i] = []int{y[i]}
		for j := range x.Row(i) {
			x.Row(i)[j] = rng.NormFloat64()
		}
		x.Row(i)[y[i]] += 8
	}
	one := Problem[float64]{X: &dataset.Dense[float64]{Matrix: x}, Y: y}
	many := Problem[float64]{X: one.X, Sets: sets}
	for _, of := range []struct {
		p    Problem[float64]
		loss Loss
		k    int
	}{{one, TopKEntropy, 1}, {one, TopKEntropy, 2}, {many, MultilabelSoftmax, 0}} {
		for _, c := range []float64{1, 1e4, 1e6} {
			config := Config{Loss: of.loss, K: of.k, Lambda: 1 / (c * n), Tol: 1e-12, Epochs: 2000, Workers: 1}
			t.Run(fmt.Sprintf("%v/%d/%g", of.loss, of.k, c), func(t *testing.T) {
				r, err := of.p.Fit(context.Background(), config)
				if err != nil {
					t.Fatal(err)
				}
				gap, rounding := r.Certificate.RelativeGap(), 2*(n+d*m+16)*0x1p-53
				if gap < -rounding || !(r.Certificate.Primal < .02) {
					t.Errorf("%v: a gap of %g, rounding is %g", r.Outcome, gap, rounding)
				}
			})
		}
	}
}
