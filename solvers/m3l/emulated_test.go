package m3l

import (
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestEmulated is a short training with each loss, with R, with P and without, on dense and on sparse examples and with
// a kernel, by single rows and by blocks: what runs of this package where an emulator makes everything slow.
func TestEmulated(t *testing.T) { prove.Both(t, testEmulated[float32], testEmulated[float64]) }

func testEmulated[T vec.Float](t *testing.T) {
	const n, d, m = 30, 7, 18
	rng := rand.New(rand.NewPCG(97, 98))
	x, sets := documents[T](rng, n, d, m)
	thinned, sparse := thin(t, rng, x, 2)
	r, f := lowRank(rng, m, 5), factor(rng, m, 3)
	for _, loss := range []Loss{Hamming, SquaredHinge, Logistic} {
		for _, p := range []Problem[T]{
			{X: thinned}, {X: sparse}, {Kernel: kernelOf[T](t, x, kernel.Gaussian{Gamma: .1})},
			{X: thinned, R: r}, {Kernel: kernelOf[T](t, sparse, kernel.Gaussian{Gamma: .1}), R: r},
			{X: thinned, P: f}, {X: sparse, P: f, Ridge: .5}, {Kernel: kernelOf[T](t, x, kernel.Gaussian{Gamma: .1}),
				P: f},
		} {
			p.Sets = sets
			for _, size := range []int{0, 8, 32} {
				solve(t, p, Config{C: .05, Loss: loss, Seed: 1, BlockSize: size})
			}
		}
	}
}
