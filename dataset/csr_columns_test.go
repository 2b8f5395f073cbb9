package dataset_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

var (
	_ design.SparseRows[float32] = (*dataset.CSRColumns[float32])(nil)
	_ design.ByFeatures[float64] = (*dataset.CSRColumns[float64])(nil)
)

func ExampleCSR_WithColumns() {
	x, err := dataset.NewCSR(3, []int{0, 2, 3}, []int32{0, 2, 2}, []float64{1, 2, 3})
	if err != nil {
		panic(err)
	}
	both, err := x.WithColumns()
	if err != nil {
		panic(err)
	}
	w, a := vec.NewMatrix[float64](3, 1), vec.MatrixOf(2, 1, []float64{10, 100})
	design.AccumulateAll(w, a, design.Matrix[float64](both), 0)
	fmt.Println(w.Data)
	// Output: [10 0 320]
}

func TestCSRColumns(t *testing.T) { prove.Both(t, testCSRColumns[float32], testCSRColumns[float64]) }

// It has the numbers of the CSR in every method, also with a bias, and as a window.
func testCSRColumns[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, size := range [][2]int{{0, 0}, {0, 3}, {1, 1}, {5, 1}, {12, 40}, {40, 9}} {
		n, d := size[0], size[1]
		x, _, sparse := twins[T](rng, n, d)
		f, err := sparse.WithColumns()
		if err != nil {
			t.Fatal(err)
		}
		lists := [][]int{nil, {}}
		if n > 0 {
			lists = append(lists, []int{n - 1, 0, n / 2, 0})
		}
		for _, rows := range lists {
			for _, m := range []int{0, 1, 3, 17} {
				t.Run(fmt.Sprintf("%v/%v/%d", size, rows, m),
					func(t *testing.T) { checkFeatures(t, rng, x, f, rows, m) })
			}
		}
	}
}

// The features of a pass may be shared among goroutines in any way: a row of W has the same bits, and others stay.
func TestAccumulateFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	const n, d = 50, 30
	_, _, sparse := twins[float32](rng, n, d)
	f, err := sparse.WithColumns()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []int{1, 4} {
		w, a := random[float32](rng, d, m), random[float32](rng, n, m)
		all := vec.NewMatrix[float32](d, m)
		for j := range d {
			copy(all.Row(j), w.Row(j))
		}
		f.AccumulateFeatures(all, a, 0, d)
		for _, part := range [][2]int{{0, d}, {0, 0}, {3, 4}, {7, d}, {d, d}} {
			some := vec.NewMatrix[float32](d, m)
			for j := range d {
				copy(some.Row(j), w.Row(j))
			}
			f.AccumulateFeatures(some, a, part[0], part[1])
			for j := range d {
				want := w.Row(j)
				if part[0] <= j && j < part[1] {
					want = all.Row(j)
				}
				if !slices.Equal(some.Row(j), want) {
					t.Errorf("m = %d, features %v: row %d is %v, want %v", m, part, j, some.Row(j), want)
				}
			}
		}
	}
}

func TestCSRColumnsErrors(t *testing.T) {
	for want, a := range map[string]*dataset.CSR[float64]{
		"dataset: the sparse matrix is nil": nil,
		"row 0 has column 2":                {Rows: 1, Cols: 2, Ptr: []int{0, 1}, Idx: []int32{2}, Val: []float64{1}},
		"row 0, column 1": {Rows: 1, Cols: 2, Ptr: []int{0, 1}, Idx: []int32{1},
			Val: []float64{math.NaN()}},
	} {
		if _, err := a.WithColumns(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	_, _, sparse := twins[float64](rand.New(rand.NewPCG(15, 16)), 4, 6)
	f, err := sparse.WithColumns()
	if err != nil {
		t.Fatal(err)
	}
	for want, call := range map[string]func(){
		"dataset: CSRColumns.AccumulateFeatures: features [2, 7) of 6": func() {
			f.AccumulateFeatures(vec.NewMatrix[float64](6, 1), vec.NewMatrix[float64](4, 1), 2, 7)
		},
		"dataset: CSRColumns.AccumulateFeatures: A is 3-by-1, want 4-by-1": func() {
			f.AccumulateFeatures(vec.NewMatrix[float64](6, 1), vec.NewMatrix[float64](3, 1), 0, 6)
		},
		"dataset: CSRColumns.Gram: dst is 4-by-3, want 4-by-4": func() {
			f.Gram(vec.NewMatrix[float64](4, 3), nil, nil)
		},
	} {
		func() {
			defer func() {
				if got, ok := recover().(vec.ShapeError); !ok || got.Error() != want {
					t.Errorf("panic %v, want a ShapeError %q", got, want)
				}
			}()
			call()
		}()
	}
	w, a, gram := vec.NewMatrix[float64](6, 20), vec.NewMatrix[float64](4, 20), vec.NewMatrix[float64](4, 4)
	if allocs := prove.Allocs(5, func() {
		f.Accumulate(w, a, nil)
		f.Gram(gram, nil, nil)
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// BenchmarkAccumulate is Xᵀ A of 20242 examples of 47236 features, 75 of which an example has.
func BenchmarkAccumulate(b *testing.B) {
	const n, d, nnz = 20242, 47236, 75
	rng := rand.New(rand.NewPCG(17, 18))
	x := &dataset.CSR[float32]{Rows: n, Cols: d, Ptr: []int{0}}
	for range n {
		row := make([]int32, 0, nnz)
		for len(row) < nnz {
			if j := int32(17 * (math.Pow(1+d/17., rng.Float64()) - 1)); j < d && !slices.Contains(row, j) {
				row = append(row, j)
			}
		}
		slices.Sort(row)
		for _, j := range row {
			x.Idx, x.Val = append(x.Idx, j), append(x.Val, 1)
		}
		x.Ptr = append(x.Ptr, len(x.Val))
	}
	both, err := x.WithColumns()
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range []int{1, 10, 101} {
		w, a := vec.NewMatrix[float32](d, m), random[float32](rng, n, m)
		b.Run(fmt.Sprintf("storage=csr/m=%d", m), func(b *testing.B) {
			for b.Loop() {
				x.Accumulate(w, a, nil)
			}
		})
		b.Run(fmt.Sprintf("storage=columns/m=%d", m), func(b *testing.B) {
			for b.Loop() {
				both.Accumulate(w, a, nil)
			}
		})
	}
}
