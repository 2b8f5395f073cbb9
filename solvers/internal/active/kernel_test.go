package active

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestActivate: the matrix is the one of the examples, in their order, whether some of them were active before or none,
// and of a given matrix as well.
func TestActivate(t *testing.T) {
	const n = 40
	rng := rand.New(rand.NewPCG(5, 6))
	x := vec.NewMatrix[float64](n, 3)
	for i := range x.Data {
		x.Data[i] = float64(rng.IntN(9) - 4)
	}
	k, err := kernel.New(&dataset.Dense[float64]{Matrix: x}, kernel.Linear{}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	given, all := vec.NewMatrix[float64](n, n), rng.Perm(n)
	inOrder := slices.Sorted(slices.Values(all))
	k.Rows(given, inOrder, 1)
	pre, err := kernel.Precomputed(given)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []*kernel.Matrix[float64]{k, pre} {
		s := New(n, slices.Clone(all), n)
		var now *kernel.Matrix[float64]
		for _, rows := range [][]int{all[:20], append(slices.Clone(all[5:15]), all[20:30]...), all[30:35], all} {
			if now, err = Activate(s, k, now, rows, 1); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(s.At(), rows) {
				t.Fatalf("%v active, want %v", s.At(), rows)
			}
			got := vec.NewMatrix[float64](len(rows), len(rows))
			now.Rows(got, inOrder[:len(rows)], 1)
			for p, i := range rows {
				for q, j := range rows {
					if got.At(p, q) != given.At(i, j) {
						t.Fatalf("K of examples %d and %d is %v, want %v", i, j, got.At(p, q), given.At(i, j))
					}
				}
			}
		}
	}
}
