package design_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// storages are n examples of 20 features in every storage and wrapper, by name.
func storages(rng *rand.Rand, n int) map[string]design.Matrix[float32] {
	csr, codes := sparse(rng, n, 20), newQuantized(rng, n, 4, 5)
	plain := vec.NewMatrix[float32](n, 27).Slice(0, n, 3, 23)
	csr.Gather(plain, nil)
	dense := &dataset.Dense[float32]{Matrix: plain}
	all := map[string]design.Matrix[float32]{"dense": dense, "csr": csr, "codes": codes}
	var some []int // some that are neighbours, some that are not
	for i := range n {
		some = append(some, (i+2)%n)
	}
	for name, x := range map[string]design.Matrix[float32]{"dense": dense, "csr": csr, "codes": codes} {
		all[name+" bias"] = design.WithBias(x, -2)
		all[name+" subset"] = design.Subset(x, some)
		all[name+" subset bias"] = design.Subset(design.WithBias(x, -2), some)
		all[name+" bias subset"] = design.WithBias(design.Subset(x, some), -2)
		all[name+" window"] = design.Window(x, n/5, n)
		all[name+" window of a window"] = design.Window(design.Window(design.WithBias(x, 1), n/5, n), 1, n-n/5)
	}
	all["compressed"] = design.Sparse[float32](dense)
	return all
}

func TestWindow(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for name, x := range storages(rng, 11) {
		all := decoded(x)
		n, d := x.Dims()
		for _, r := range [][2]int{{0, n}, {0, 5}, {2, 6}, {3, n}, {n - 1, n}} {
			want := all.Slice(r[0], r[1], 0, d)
			t.Run(name, func(t *testing.T) {
				w := design.Window(x, r[0], r[1])
				if strings.Contains(name, "codes") {
					checkProducts(t, w, want, 1e-5)
				} else {
					check(t, w, want, 1e-5)
				}
				checkProducts(t, design.Float64(w), want, 1e-12)
				checkProducts(t, design.Window(design.Float64(x), r[0], r[1]), want, 1e-12)
				if design.IsSparse(w) != design.IsSparse(x) {
					t.Errorf("window sparse: %v", design.IsSparse(w))
				}
				rowsOf(t, w, want)
			})
		}
		if n, d2 := design.Window(x, 3, 3).Dims(); n != 0 || d2 != d {
			t.Errorf("%s: an empty window is %d-by-%d", name, n, d2)
		}
	}
}

// rowsOf checks Row where w has one.
func rowsOf(t *testing.T, w design.Matrix[float32], want vec.Matrix[float64]) {
	t.Helper()
	switch w := w.(type) {
	case design.DenseRows[float32]:
		for i := range want.Rows {
			for j, v := range w.Row(i) {
				if float64(v) != want.At(i, j) {
					t.Errorf("row %d, column %d: %v, want %v", i, j, v, want.At(i, j))
				}
			}
		}
	case design.SparseRows[float32]:
		for i := range want.Rows {
			columns, values := w.Row(i)
			for k, j := range columns {
				if float64(values[k]) != want.At(i, int(j)) {
					t.Errorf("row %d, column %d: %v, want %v", i, j, values[k], want.At(i, int(j)))
				}
			}
		}
	}
}

// Products with a window of a matrix touch that matrix: no row is copied, and no list of rows is made.
func TestWindowCopiesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	x := &dataset.Dense[float32]{Matrix: matrix[float32](rng, 4096, 16)}
	all := make([]int, 4096)
	for i := range all {
		all[i] = i
	}
	w, a, s := matrix[float32](rng, 16, 3), matrix[float32](rng, 4096, 3), matrix[float32](rng, 4096, 3)
	for name, x := range map[string]design.Matrix[float32]{"dense": x, "subset": design.Subset(x, all)} {
		if allocs := prove.Allocs(5, func() {
			part := design.Window(x, 1000, 4000)
			part.Scores(s.Slice(1000, 4000, 0, 3), w, nil)
			part.Accumulate(w, a.Slice(1000, 4000, 0, 3), nil)
		}); allocs > 4 { // the window itself
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}

func TestWindowPanics(t *testing.T) {
	x := sparse(rand.New(rand.NewPCG(9, 10)), 4, 6)
	for _, r := range [][2]int{{-1, 2}, {3, 2}, {0, 5}} {
		func() {
			defer func() {
				got, ok := recover().(vec.ShapeError)
				if want := fmt.Sprintf("design: Window: [%d, %d) of 4 examples", r[0], r[1]); !ok ||
					got.Error() != want {
					t.Errorf("panic %v, want a ShapeError %q", got, want)
				}
			}()
			design.Window(x, r[0], r[1])
		}()
	}
	for name, x := range storages(rand.New(rand.NewPCG(9, 10)), 9) {
		w := design.Window(x, 2, 5)
		_, d := w.Dims()
		func() {
			defer func() {
				if got, ok := recover().(vec.ShapeError); !ok {
					t.Errorf("%s: panic %v for row 3 of a window of 3, want a ShapeError", name, got)
				}
			}()
			w.Gather(vec.NewMatrix[float32](1, d), []int{3})
		}()
	}
}
