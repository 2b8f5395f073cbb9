package loss

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestNewCoupling: R as the kernel reads it is R, with zeros behind each row, and visits are the same to the bit as
// with an R that is copied: one whose rows have other numbers behind them.
func TestNewCoupling(t *testing.T) { prove.Both(t, testNewCoupling[float32], testNewCoupling[float64]) }

func testNewCoupling[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(201, 202))
	for _, m := range []int{1, 5, 16, 22, 70} {
		r := vec.NewMatrix[float64](m, m)
		within := vec.NewMatrix[T](m, padded[T](m)+16)
		for i := range within.Data {
			within.Data[i] = 7
		}
		for l := range m {
			for k := range l + 1 {
				v := float64(T(rng.Float64() / float64(m)))
				if k == l {
					v = 1
				}
				r.Row(l)[k], r.Row(k)[l] = v, v
			}
		}
		made, other := NewCoupling[T](r), within.Slice(0, m, 0, m)
		if copied := padded[T](m) > m; !isPadded(&made) || isPadded(&other) == copied {
			t.Fatalf("m = %d: rows with zeros behind them %t, with others %t, want true and %t", m, isPadded(&made),
				isPadded(&other), !copied)
		}
		for l := range m {
			vec.Convert(other.Row(l), r.Row(l))
			if !slices.Equal(made.Row(l), other.Row(l)) {
				t.Fatalf("m = %d: row %d is %v, want %v", m, l, made.Row(l), other.Row(l))
			}
		}
		var y []int
		s := make([]T, m)
		for l := range m {
			if s[l] = T(rng.NormFloat64()); rng.IntN(3) == 0 {
				y = append(y, l)
			}
		}
		var blocks, deltas [2][]T
		for k, coupling := range []vec.Matrix[T]{made, other} {
			var w Workspace[T]
			blocks[k], deltas[k] = make([]T, m), make([]T, m)
			LabelHinge[T]{&Label[T]{Coupling: coupling}}.Visit(blocks[k], s, y, 2, 1, 0, -1, deltas[k], &w)
		}
		if !slices.Equal(blocks[0], blocks[1]) || !slices.Equal(deltas[0], deltas[1]) {
			t.Errorf("m = %d: %v and %v, want the same", m, blocks, deltas)
		}
	}
}
