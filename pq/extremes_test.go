package pq

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestCertifyUnderflow: answers are right for queries so small that their coordinates lose most bits when turned.
func TestCertifyUnderflow(t *testing.T) {
	const d = 16
	r := prove.Rand(101)
	x, query := vec.NewMatrix[float32](280, d), make([]float32, d)
	for i := range x.Data {
		x.Data[i] = float32(1e17 * (3 + .01*r.NormFloat64()))
	}
	for i := 40; i < x.Rows; i++ { // few vectors, whose codes are nearly exact
		copy(x.Row(i), x.Row(i%40))
	}
	q := train(t, x, Config{M: 1, Rotations: 1, Iterations: 8})
	for _, metric := range []Metric{L2, InnerProduct} {
		ix := boundsOf(t, q, metric, x, nil)
		for _, size := range []float64{1e-45, 1e-44, 1e-43, 1e-42} {
			for range 20 {
				for i := range query {
					query[i] = float32(4 * size * r.NormFloat64())
				}
				for _, k := range []int{1, 10} {
					certifies(t, fmt.Sprintf("%v, queries of %v", metric, size), ix, x, query, Search{K: k})
				}
			}
		}
	}
}

// TestListOverflow: a product with a centre that overflows float32 tells nothing of the list.
func TestListOverflow(t *testing.T) {
	x, lists := vec.MatrixOf(2, 2, []float32{4e25, 0, 0, 1e27}), vec.MatrixOf(2, 2, []float32{-1e25, 0, 0, 1e27})
	s, err := TrainScalar(context.Background(), x, ScalarConfig{Bits: 4, Turn: Hadamard})
	if err != nil {
		t.Fatal(err)
	}
	ix, err := NewIndexOf(s, IndexConfig{Metric: InnerProduct, Bounds: true, Lists: lists})
	if err == nil {
		err = ix.Add(x, 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	certifies(t, "a far centre", ix, x, []float32{1e15, 0}, Search{K: 1})
}

// TestRotationOverflow: a search for a rotation ends with an error where its sums overflow.
func TestRotationOverflow(t *testing.T) {
	x := clustered(400, 3, 102)
	for i := range x.Data { // only sums about the mean do not overflow
		x.Data[i] = 1e15*x.Data[i] + 1e18
	}
	_, err := Train(context.Background(), x, Config{M: 1, Rotations: 1, Iterations: 1})
	if !says(err, "overflow float32") {
		t.Errorf("error %v", err)
	}
}

// TestTrainListsFinite: numbers that are not finite are errors.
func TestTrainListsFinite(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		x := clustered(50, 3, 103)
		x.Data[7] = float32(v)
		if _, err := TrainLists(context.Background(), x, 4, 1, 1); !says(err, fmt.Sprintf("row 2, column 1 is %v", v)) {
			t.Errorf("%v: error %v", v, err)
		}
	}
}
