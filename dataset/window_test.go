package dataset_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

func TestWindow(t *testing.T) {
	t.Run("float32", testWindow[float32])
	t.Run("float64", testWindow[float64])
}

// A window has the numbers of its rows in every method, and so has a window of a window.
func testWindow[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n, d, m = 12, 40, 3
	x, dense, sparse := twins[T](rng, n, d)
	for _, w := range [][2]int{{0, n}, {0, 5}, {4, 9}, {1, 2}, {n - 1, n}} {
		from, to := w[0], w[1]
		part := x.Slice(from, to, 0, d)
		list := []int{to - from - 1, 0, (to - from) / 2, 0}
		for name, f := range map[string]design.Matrix[T]{
			"dense":       dense.Window(from, to),
			"csr":         sparse.Window(from, to),
			"dense twice": dense.Window(from/2, n).Window(from-from/2, to-from/2),
			"csr twice":   sparse.Window(from/2, n).Window(from-from/2, to-from/2),
		} {
			for _, rows := range [][]int{nil, list} {
				t.Run(fmt.Sprintf("%s/%v/%v", name, w, rows),
					func(t *testing.T) { checkFeatures(t, rng, part, f, rows, m) })
			}
		}
	}
}

func TestWindowShares(t *testing.T) {
	_, dense, sparse := twins[float64](rand.New(rand.NewPCG(7, 8)), 9, 20)
	if w := dense.Window(3, 7); &w.Row(0)[0] != &dense.Row(3)[0] || &w.Row(3)[19] != &dense.Row(6)[19] {
		t.Error("a dense window is a copy")
	}
	w := sparse.Window(3, 7)
	if p := sparse.Ptr[3]; &w.Idx[0] != &sparse.Idx[p] || &w.Val[0] != &sparse.Val[p] {
		t.Error("a sparse window is a copy")
	}
	if cap(w.Idx) != len(w.Idx) || cap(w.Val) != len(w.Val) {
		t.Error("append to a sparse window would write into the next rows")
	}
	if err := w.Validate(); err != nil {
		t.Error(err)
	}
}

func TestWindowEmpty(t *testing.T) {
	_, dense, sparse := twins[float64](rand.New(rand.NewPCG(9, 10)), 4, 6)
	for _, at := range []int{0, 2, 4} {
		for name, f := range map[string]interface {
			design.Matrix[float64]
			Validate() error
		}{"dense": dense.Window(at, at), "csr": sparse.Window(at, at)} {
			if n, d := f.Dims(); n != 0 || d != 6 || f.Validate() != nil {
				t.Errorf("%s window of no rows: %d-by-%d, %v", name, n, d, f.Validate())
			}
			w := vec.NewMatrix[float64](6, 2)
			f.SquaredNorms(nil)
			f.Gather(vec.NewMatrix[float64](0, 6), nil)
			f.Scores(vec.NewMatrix[float64](0, 2), w, nil)
			f.Accumulate(w, vec.NewMatrix[float64](0, 2), nil)
			f.Gram(vec.NewMatrix[float64](0, 0), nil, nil)
		}
	}
	// one column of wider memory
	w, a := vec.NewMatrix[float64](6, 2), vec.NewMatrix[float64](4, 1)
	copy(a.Data, []float64{1, -2, 3, 4})
	dense.Accumulate(w.Slice(0, 6, 0, 1), a, nil)
	for j := range 6 {
		want := 0.0
		for i, v := range a.Data {
			want += v * dense.Row(i)[j]
		}
		if row := w.Row(j); math.Abs(row[0]-want) > 1e-14 || row[1] != 0 {
			t.Errorf("row %d of W is %v, want %v and 0", j, row, want)
		}
	}
	if n, d := (&dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](3, 0)}).Window(1, 3).Dims(); n != 2 || d != 0 {
		t.Errorf("window without columns: %d-by-%d", n, d)
	}
}

func TestWindowPanics(t *testing.T) {
	_, dense, sparse := twins[float64](rand.New(rand.NewPCG(11, 12)), 4, 6)
	for _, w := range [][2]int{{-1, 2}, {3, 2}, {0, 5}, {5, 5}} {
		for name, call := range map[string]func(){
			"Dense": func() { dense.Window(w[0], w[1]) },
			"CSR":   func() { sparse.Window(w[0], w[1]) },
		} {
			want := fmt.Sprintf("dataset: %s.Window: window of rows %d to %d of a matrix with 4 rows", name, w[0], w[1])
			func() {
				defer func() {
					if got, ok := recover().(vec.ShapeError); !ok || got.Error() != want {
						t.Errorf("panic %v, want a ShapeError %q", got, want)
					}
				}()
				call()
			}()
		}
	}
}

// Rows that follow one another are taken where they lie, and give the same bits as their copies.
func TestRunsOfRowsGiveTheSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	const n, d, m = 100, 700, 20
	_, dense, _ := twins[float64](rng, n, d)
	rows := all(n)[10:80]
	copied, err := dataset.NewDense(vec.NewMatrix[float64](len(rows), d))
	if err != nil {
		t.Fatal(err)
	}
	dense.Gather(copied.Matrix, rows)
	w := random[float64](rng, d, m)
	inPlace, scattered := vec.NewMatrix[float64](len(rows), m), vec.NewMatrix[float64](len(rows), m)
	dense.Scores(inPlace, w, rows)
	for p := 0; p < len(rows); p += 64 { // the same blocks, from memory of their own
		q := min(p+64, len(rows))
		copied.Window(p, q).Scores(scattered.Slice(p, q, 0, m), w, nil)
	}
	for i, v := range inPlace.Data {
		if v != scattered.Data[i] {
			t.Fatalf("score %d is %v where the rows lie, %v in their copy", i, v, scattered.Data[i])
		}
	}
	defer func() { // of a run that leaves the matrix
		if got, want := fmt.Sprint(recover()), "row 100 of a matrix with 100 rows"; !strings.HasSuffix(got, want) {
			t.Errorf("panic %q, want one that ends with %q", got, want)
		}
	}()
	dense.Scores(inPlace, w, all(n + 1)[n+1-len(rows):])
}
