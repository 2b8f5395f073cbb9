package risk

import (
	"fmt"
	"math"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// TestOfScores: with small integers, whose scores are exact, the risk at scores has the bits of the rows that the
// risk at W has, whatever the storage, weights, constant feature and workers. The loss, a sum of n terms, none of them
// negative, and the gradient, a sum of n products, may be in other orders: each order is within n + 3 roundings.
func TestOfScores(t *testing.T) { prove.Both(t, testOfScores[float32], testOfScores[float64]) }

func testOfScores[T vec.Float](t *testing.T) {
	const n, d, k = 1501, 12, 5
	rng := prove.Rand(31)
	x, y := draw[T](rng, n, d, k)
	for i := range x.Data {
		x.Data[i] = T(rng.IntN(5) - 2)
	}
	for name, data := range storages(t, x) {
		if name == "codes" || name == "decoded codes" {
			continue // other numbers than x
		}
		for kind, data := range variants(data, y, k) {
			if data.Mean != nil {
				continue // means are no integers
			}
			for workers := 1; workers <= 3; workers++ {
				what := fmt.Sprintf("%s, %s, %d workers", name, kind, workers)
				compareScores(t, what, x.Matrix, New(data, workers), New(data, workers))
			}
		}
	}
}

func compareScores[T vec.Float](t *testing.T, what string, x vec.Matrix[T], whole, known *Risk[T]) {
	t.Helper()
	rng := prove.Rand(32)
	d, k := whole.Dims()
	n := x.Rows
	w, g, h := Padded[T](d, k), Padded[T](d, k), Padded[T](d, k)
	for j := range d {
		for l := range k {
			w.Row(j)[l] = T(rng.IntN(3) - 1)
		}
	}
	loss := whole.Evaluate(g, w)
	features := func(i int) []T { return append(append([]T(nil), x.Row(i)...), whole.Bias)[:d] }
	got := known.OfScores(func(i int, row []T) {
		clear(row)
		for j, v := range features(i) {
			for l := range row {
				row[l] += v * w.Row(j)[l]
			}
		}
	})
	if !(math.Abs(got-loss) <= 2*(float64(n)+3)*0x1p-53*loss) {
		t.Errorf("%s: loss %v, want %v", what, got, loss)
	}
	sizes := vec.NewMatrix[float64](d, k)
	for i := range n {
		for l, want := range whole.Duals().Row(i) {
			if v := known.Duals().Row(i)[l]; v != want {
				t.Fatalf("%s: row %d has %v, want %v", what, i, v, want)
			}
			for j, v := range features(i) {
				sizes.Row(j)[l] += math.Abs(float64(v*want)) / float64(n)
			}
		}
	}
	known.Gradient(h)
	for j := range d {
		for l, want := range g.Row(j) {
			if v, bound := h.Row(j)[l], 2*(float64(n)+3)*prove.Unit[T]()*sizes.Row(j)[l]; !(math.Abs(float64(v-
				want)) <= bound) {
				t.Errorf("%s: gradient[%d, %d] = %v, want %v within %v", what, j, l, v, want, bound)
			}
		}
	}
}

// TestGradientMean: Gradient takes the mean away, as Evaluate does, whose rows it multiplies.
func TestGradientMean(t *testing.T) {
	x, y := draw[float64](prove.Rand(33), 300, 7, 3)
	data := Data[float64]{X: design.Matrix[float64](x), Y: y, Classes: 3, Bias: .5}
	data.Center(1)
	r := New(data, 2)
	w, g, h := Padded[float64](8, 3), Padded[float64](8, 3), Padded[float64](8, 3)
	w.Row(2)[1], w.Row(7)[0] = 1, -2
	r.Evaluate(g, w)
	r.Gradient(h)
	for j := range 8 {
		for l, want := range g.Row(j) {
			if v := h.Row(j)[l]; !(math.Abs(v-want) <= 1e-13) { // 300 products of numbers below 4, over 300
				t.Errorf("gradient[%d, %d] = %v, want %v", j, l, v, want)
			}
		}
	}
}
