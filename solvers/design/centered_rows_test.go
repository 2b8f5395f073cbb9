package design_test

import (
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// TestCenteredRows: the rows are what Centered gathers, and hold no number more than need be.
func TestCenteredRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(121, 122))
	x := &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](30, 8)}
	for k := range x.Data {
		if rng.IntN(3) == 0 {
			x.Data[k] = rng.NormFloat64()
		}
	}
	sparse, err := x.CSR()
	if err != nil {
		t.Fatal(err)
	}
	mean := []float64{2, 0, 0, -1, 0, 0, 0, 3}
	rows, want, got := design.CenteredRows(sparse, mean), vec.NewMatrix[float64](30, 8), vec.NewMatrix[float64](30, 8)
	design.Centered(sparse, mean).Gather(want, nil)
	rows.Gather(got, nil)
	for i := range 30 {
		for j, v := range want.Row(i) {
			if got.Row(i)[j] != v {
				t.Errorf("row %d, column %d: %v, want %v", i, j, got.Row(i)[j], v)
			}
		}
		columns, _ := rows.Row(i)
		count := 3
		for j, v := range x.Row(i) {
			if v != 0 && mean[j] == 0 {
				count++
			}
		}
		if len(columns) != count {
			t.Errorf("row %d holds %d numbers, want %d", i, len(columns), count)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a mean of 3 numbers")
		}
	}()
	design.CenteredRows(sparse, mean[:3])
}
