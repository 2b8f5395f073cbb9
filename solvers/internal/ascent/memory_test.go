package ascent

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/loss"
)

// TestMemoryByHand: the sizes of what trainings of 1000 examples of 20 features take, counted by hand. Rows of float32
// are filled up to 16 numbers, rows of float64 to 8; three workers move a copy of the weights each, beside the weights;
// momentum keeps the last dual variables and weights, and a state holds one copy more of all these, and of the best
// model.
func TestMemoryByHand(t *testing.T) {
	const n, d = 1000, 20
	x, y := blobs[float32](rand.New(rand.NewPCG(1, 2)), n, d, 5)
	dense := hinge(t, design.Matrix[float32](x), y, 5, 2, 1e-3)
	grouped := problem(t, design.Matrix[float32](x), y, 40, loss.Loss[float32](loss.SquaredHinge[float32]{}),
		loss.Loss[float64](loss.SquaredHinge[float64]{}), 1e-3)
	one := Options{Options: solvers.Options{Workers: 1, Epochs: 10}}
	few := Options{Options: solvers.Options{Workers: 1, Epochs: 5}}
	three := Options{Options: solvers.Options{Workers: 3, Epochs: 10}, Round: 40, BlockSize: 32}
	for name, c := range map[string]struct {
		got  solvers.Memory
		want []string
	}{
		"dense": {dense.Memory(one, false), []string{
			"1000 examples x 5 classes x 4 bytes x 2",
			"20 features x 16 classes x 4 bytes x 2",
			"20 features x 5 classes x 4 bytes x 2",
			"20 features x 8 classes x 8 bytes",
			"256 examples x 8 classes x 8 bytes",
			"1000 examples x 80 bytes",
			"256 examples x 20 features x 8 bytes x 2",
			"1 examples x 33 numbers x 4 bytes",
		}},
		"dense, three workers, a state": {dense.Memory(three, true), []string{
			"1000 examples x 5 classes x 4 bytes x 4",
			"20 features x 5 classes x 4 bytes x 7", // by classes, which are not filled up
			"20 features x 5 classes x 4 bytes x 3",
			"20 features x 8 classes x 8 bytes x 3",
			"256 examples x 8 classes x 8 bytes x 3",
			"1000 examples x 80 bytes",
			"1000 examples x 31 bytes",              // of the state
			"64 examples x 5 classes x 4 bytes x 3", // three of 1000/12, two of 767/8 at most: whole blocks
			"256 examples x 20 features x 8 bytes x 4",
			"32 examples x 94 numbers x 4 bytes x 4",
		}},
		// two groups of 20 classes, weights of each filled up to 32
		"groups": {grouped.Memory(one, false), []string{
			"1000 examples x 40 classes x 4 bytes x 2",
			"1000 examples x 40 classes x 4 bytes",
			"20 features x 64 classes x 4 bytes x 2",
			"20 features x 40 classes x 4 bytes x 2",
			"20 features x 24 classes of a group x 8 bytes",
			"256 examples x 24 classes of a group x 8 bytes x 2",
			"1000 examples x 64 bytes x 2",
			"256 examples x 20 features x 8 bytes x 2",
			"1 examples x 65 numbers x 4 bytes x 2",
		}},
		// before the first extrapolation there is nothing of the last one
		"few epochs": {dense.Memory(few, false)[:2], []string{
			"1000 examples x 5 classes x 4 bytes",
			"20 features x 16 classes x 4 bytes",
		}},
	} {
		var got []string
		for _, part := range c.got {
			got = append(got, part.Formula)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
