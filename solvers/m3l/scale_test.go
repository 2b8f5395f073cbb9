package m3l

import (
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestScaledPrior: s² R with C/s², or s P, is the problem of R with C, or P, whose dual variables and objective are
// divided by s².
func TestScaledPrior(t *testing.T) { prove.Both(t, testScaledPrior[float32], testScaledPrior[float64]) }

func testScaledPrior[T vec.Float](t *testing.T) {
	const n, m = 80, 6
	rng := rand.New(rand.NewPCG(81, 82))
	x, sets := documents[T](rng, n, 7, m)
	scaled := func(s float64, a vec.Matrix[float64]) vec.Matrix[float64] {
		b := vec.NewMatrix[float64](a.Rows, a.Cols)
		vec.Axpy64(s, a.Data, b.Data)
		return b
	}
	for name, p := range map[string]Problem[T]{"dense": {X: x},
		"kernel": {Kernel: kernelOf[T](t, x, kernel.Gaussian{Gamma: .1})}} {
		for _, q := range []prior{{r: lowRank(rng, m, 12)}, {p: factor(rng, m, 4), ridge: .5}} {
			for _, loss := range []Loss{Hamming, SquaredHinge, Logistic} {
				p.Sets, p.R, p.P, p.Ridge = sets, q.r, q.p, q.ridge
				c := Config{C: .25, Loss: loss, Workers: 1, Epochs: 1 << 20}
				want := solve(t, p, c).Certificate
				for _, s := range []float64{0x1p-20, 0x1p-10, 0x1p10, 0x1p20} {
					p.R, p.P, p.Ridge, c.C = scaled(s*s, q.r), scaled(s, q.p), s*s*q.ridge, .25/(s*s)
					got := solve(t, p, c)
					agree(t, name, want, solvers.Certificate{Primal: s * s * got.Certificate.Primal,
						Dual: s * s * got.Certificate.Dual})
				}
			}
		}
	}
}
