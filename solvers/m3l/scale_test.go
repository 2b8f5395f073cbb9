package m3l

import (
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestScaledPrior: s R with C/s is the problem of R with C, whose dual variables and objective are divided by s.
func TestScaledPrior(t *testing.T) { prove.Both(t, testScaledPrior[float32], testScaledPrior[float64]) }

func testScaledPrior[T vec.Float](t *testing.T) {
	const n, m = 80, 6
	rng := rand.New(rand.NewPCG(81, 82))
	x, sets := documents[T](rng, n, 7, m)
	r := lowRank(rng, m, 12)
	for name, p := range map[string]Problem[T]{"dense": {X: x},
		"kernel": {Kernel: kernelOf[T](t, x, kernel.Gaussian{Gamma: .1})}} {
		for _, loss := range []Loss{Hamming, SquaredHinge} {
			p.Sets, p.R = sets, r
			c := Config{C: .25, Loss: loss, Workers: 1}
			want := solve(t, p, c).Certificate
			for _, s := range []float64{0x1p-40, 0x1p-20, 0x1p20, 0x1p40} {
				p.R = vec.NewMatrix[float64](m, m)
				for k, v := range r.Data {
					p.R.Data[k] = s * v
				}
				c.C = .25 / s
				got := solve(t, p, c)
				agree(t, name, want, solvers.Certificate{Primal: s * got.Certificate.Primal,
					Dual: s * got.Certificate.Dual})
			}
		}
	}
}
