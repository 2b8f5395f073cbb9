package design_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
)

// TestOccupied: what is left are the features that occur, in ascending order, with their numbers; examples of which
// half of the features occur, or that are not sparse, stay what they are.
func TestOccupied(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 40
	for _, d := range []int{1, 7, 100, 1000} {
		x := &dataset.Dense[float32]{Matrix: matrix[float32](rng, n, d)}
		var want []int32
		for j := range d {
			occurs := rng.IntN(4) == 0
			for i := range n {
				if !occurs || rng.IntN(3) > 0 {
					x.Row(i)[j] = 0
				}
			}
			if occur(x, j) {
				want = append(want, int32(j))
			}
		}
		s, err := x.CSR()
		if err != nil {
			t.Fatal(err)
		}
		narrow, got := design.Occupied[float32](s)
		if len(want) == 0 || 2*len(want) > d {
			if narrow != design.Matrix[float32](s) || got != nil {
				t.Errorf("%d features, of which %d occur: %d are left", d, len(want), len(got))
			}
			continue
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d features: %v are left, want %v", d, got, want)
		}
		if rows, columns := narrow.Dims(); rows != n || columns != len(want) {
			t.Fatalf("%d-by-%d, want %d-by-%d", rows, columns, n, len(want))
		}
		all := decoded(narrow)
		for i := range n {
			for q, j := range want {
				if all.Row(i)[q] != float64(x.Row(i)[j]) {
					t.Fatalf("example %d, feature %d: %v, want %v", i, j, all.Row(i)[q], x.Row(i)[j])
				}
			}
		}
	}
	x := &dataset.Dense[float32]{Matrix: matrix[float32](rng, n, 3)}
	if same, features := design.Occupied[float32](x); same != design.Matrix[float32](x) || features != nil {
		t.Error("dense examples are not what they were")
	}
}

// occur reports whether feature j does.
func occur(x *dataset.Dense[float32], j int) bool {
	for i := range x.Rows {
		if x.Row(i)[j] != 0 {
			return true
		}
	}
	return false
}
