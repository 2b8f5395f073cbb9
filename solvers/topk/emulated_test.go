package topk

import (
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestEmulated is a short training with each loss, on dense and on sparse examples and with a kernel, by single rows
// and by blocks: what runs of this package where an emulator makes everything slow.
func TestEmulated(t *testing.T) { prove.Both(t, testEmulated[float32], testEmulated[float64]) }

func testEmulated[T vec.Float](t *testing.T) {
	const n, d, m = 30, 7, 5
	rng := rand.New(rand.NewPCG(97, 98))
	x, y := blobs[T](rng, n, d, m)
	thin(rng, x, 2)
	f, sets := design.Matrix[T](x), labelSets(rng, y, m)
	for loss := range Loss(len(losses)) {
		c := Config{Loss: loss + 1, Lambda: .05, Tol: 1e-3, Seed: 1}
		for _, p := range []Problem[T]{{X: f, Y: y}, {X: sparse(x), Y: y},
			{Kernel: matrix(t, f, kernel.Gaussian{Gamma: .1}, 1<<20), Y: y}} {
			if c.Loss.traits().Sets {
				p.Y, p.Sets = nil, sets
			} else {
				c.K = 2
			}
			for _, c.BlockSize = range []int{0, 8, 32} {
				solve(t, p, c)
			}
		}
	}
}
