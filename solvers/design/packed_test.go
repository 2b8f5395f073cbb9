package design_test

import (
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// backwards embeds a storage, whose rows it has in another order.
type backwards[T vec.Float] struct{ *dataset.CSR[T] }

func (b backwards[T]) Row(i int) ([]int32, []T) { return b.CSR.Row(b.Rows - 1 - i) }

// TestPacked: rows that follow each other in memory are what Row returns, of rows without numbers too; storages that
// have no such rows, or whose Row is another, have none.
func TestPacked(t *testing.T) { prove.Both(t, testPacked[float32], testPacked[float64]) }

func testPacked[T vec.Float](t *testing.T) {
	const n, d = 30, 400
	rng := rand.New(rand.NewPCG(7, 8))
	dense := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](n, d)}
	for i := range n {
		for range i % 5 {
			dense.Row(i)[4*rng.IntN(d/4)] = T(rng.NormFloat64())
		}
	}
	csr, err := dense.CSR()
	if err != nil {
		t.Fatal(err)
	}
	narrow, features := design.Occupied[T](csr)
	if features == nil {
		t.Fatal("all features occur")
	}
	subset := design.Subset[T](csr, []int{3, 2, 9})
	nested, features := design.Occupied(subset)
	if features == nil {
		t.Fatal("all features occur")
	}
	for name, c := range map[string]struct {
		x    design.Matrix[T]
		want bool
	}{
		"CSR": {csr, true}, "window": {csr.Window(4, 20), true}, "compressed": {design.Sparse[T](dense), true},
		"occupied": {narrow, true}, "subset": {subset, false}, "occupied subset": {nested, false},
		"backwards": {backwards[T]{csr}, false}, "none": {csr.Window(5, 5), true},
	} {
		x := c.x.(design.SparseRows[T])
		ptr, columns, values := design.Packed(x)
		if (ptr != nil) != c.want {
			t.Errorf("%s: packed %v, want %v", name, ptr != nil, c.want)
		}
		rows, _ := x.Dims()
		for i := range rows {
			if ptr == nil {
				break
			}
			wantColumns, wantValues := x.Row(i)
			from, to := ptr[i], ptr[i+1]
			if to-from != len(wantColumns) {
				t.Fatalf("%s: %d numbers in row %d, want %d", name, to-from, i, len(wantColumns))
			}
			for k := range wantColumns {
				if columns[from+k] != wantColumns[k] || values[from+k] != wantValues[k] {
					t.Fatalf("%s: row %d: %v and %v, want %v and %v", name, i, columns[from:to], values[from:to],
						wantColumns, wantValues)
				}
			}
		}
	}
}
