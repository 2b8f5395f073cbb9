package dataset_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

var (
	_ design.Matrix[float32] = (*dataset.Dense[float32])(nil)
	_ design.Matrix[float64] = (*dataset.Dense[float64])(nil)
	_ design.Matrix[float32] = (*dataset.CSR[float32])(nil)
	_ design.Matrix[float64] = (*dataset.CSR[float64])(nil)
)

// twins draws the same n-by-d matrix in both storages, some rows empty, as windows of wider memory where that is
// possible.
func twins[T vec.Float](rng *rand.Rand, n, d int) (vec.Matrix[T], *dataset.Dense[T], *dataset.CSR[T]) {
	x := vec.NewMatrix[T](n, d+3).Slice(0, n, 0, d)
	ptr, idx, val := []int{0}, []int32{}, []T{}
	for i := range n {
		if i%4 != 1 {
			for j := range d {
				if rng.IntN(3) == 0 {
					v := T(rng.NormFloat64())
					x.Row(i)[j] = v
					idx, val = append(idx, int32(j)), append(val, v)
				}
			}
		}
		ptr = append(ptr, len(val))
	}
	dense, err := dataset.NewDense(x)
	if err != nil {
		panic(err)
	}
	sparse, err := dataset.NewCSR(d, ptr, idx, val)
	if err != nil {
		panic(err)
	}
	return x, dense, sparse
}

func random[T vec.Float](rng *rand.Rand, rows, cols int) vec.Matrix[T] {
	if cols == 0 {
		return vec.NewMatrix[T](rows, 0)
	}
	a := vec.NewMatrix[T](rows, cols+2)
	for i := range a.Data {
		a.Data[i] = T(rng.NormFloat64())
	}
	return a.Slice(0, rows, 1, 1+cols)
}

func TestFeatures(t *testing.T) {
	t.Run("float32", testFeatures[float32])
	t.Run("float64", testFeatures[float64])
}

func testFeatures[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][3]int{{1, 1, 1}, {5, 17, 3}, {7, 40, 1}, {9, 700, 10}, {6, 33, 0}, {4, 130, 131},
		{3, 2000, 26}} {
		n, d, m := size[0], size[1], size[2]
		x, dense, sparse := twins[T](rng, n, d)
		for name, f := range map[string]design.Matrix[T]{"dense": dense, "csr": sparse} {
			for _, rows := range [][]int{nil, {}, {n - 1}, {0, n - 1, 0, n / 2, n - 1, n / 3, n / 2}} {
				t.Run(fmt.Sprintf("%s/%dx%dx%d/%v", name, n, d, m, rows),
					func(t *testing.T) { checkFeatures(t, rng, x, f, rows, m) })
			}
		}
	}
	// More rows than are copied together, in a W beyond the first cache: alone, in a row, and first the one and then
	// the other.
	const n, d, m = 70, 100, 82
	x, dense, sparse := twins[T](rng, n, d)
	apart, run, gaps := rng.Perm(n), all(n)[3:n-3], []int{}
	for i := 0; i < n; i += 2 {
		gaps = append(gaps, i)
	}
	for name, rows := range map[string][]int{"apart": apart, "run": run, "both": append(apart[:64:64], run[:64]...),
		"gaps": gaps} {
		t.Run("dense/"+name, func(t *testing.T) { checkFeatures(t, rng, x, dense, rows, m) })
	}
	t.Run("csr/apart", func(t *testing.T) { checkFeatures(t, rng, x, sparse, apart, m) })
}

// checkFeatures compares every method with loops over x in float64.
func checkFeatures[T vec.Float](t *testing.T, rng *rand.Rand, x vec.Matrix[T], f design.Matrix[T], rows []int,
	m int) {
	n, d := f.Dims()
	if n != x.Rows || d != x.Cols {
		t.Fatalf("%d-by-%d, want %d-by-%d", n, d, x.Rows, x.Cols)
	}
	list := rows
	if rows == nil {
		list = all(n)
	}
	norms := make([]T, n)
	f.SquaredNorms(norms)
	for i := range n {
		want, size := inner(x.Row(i), x.Row(i))
		near(t, "squared norm", i, 0, norms[i], want, size, d)
	}
	gathered := random[T](rng, len(list), d)
	f.Gather(gathered, rows)
	w, s := random[T](rng, d, m), random[T](rng, len(list), m)
	f.Scores(s, w, rows)
	for p, i := range list {
		for j := range d {
			if gathered.Row(p)[j] != x.Row(i)[j] {
				t.Fatalf("gathered[%d,%d] = %v, want %v", p, j, gathered.Row(p)[j], x.Row(i)[j])
			}
		}
		for c := range m {
			want, size := inner(x.Row(i), column(w, c))
			near(t, "score", p, c, s.Row(p)[c], want, size, d)
		}
	}
	a, w2 := random[T](rng, len(list), m), random[T](rng, d, m)
	old := vec.NewMatrix[T](d, m)
	for j := range d {
		copy(old.Row(j), w2.Row(j))
	}
	f.Accumulate(w2, a, rows)
	for j := range d {
		for c := range m {
			want, size := float64(old.Row(j)[c]), math.Abs(float64(old.Row(j)[c]))
			for p, i := range list {
				v := float64(x.Row(i)[j]) * float64(a.Row(p)[c])
				want, size = want+v, size+math.Abs(v)
			}
			near(t, "accumulated", j, c, w2.Row(j)[c], want, size, len(list)+1)
		}
	}
	for _, w := range []int{1, 2} { // numbers of W's column that lie next to each other, and those that do not
		for _, s := range []int{1, 2} {
			for _, a := range []int{1, 2} {
				checkColumn(t, x, f, rows, list, columnOf[T](rng, d, w), columnOf[T](rng, len(list), s),
					columnOf[T](rng, len(list), a))
			}
		}
	}
	cols := []int{n - 1, 0, n - 1}
	checkGram(t, rng, x, f, rows, list, cols)
	checkGram(t, rng, x, f, rows, list, list)
	checkGram(t, rng, x, f, nil, all(n), list) // products of matrices on both sides
	g := random[T](rng, len(list), len(cols))
	if allocs := prove.Allocs(3, func() {
		f.SquaredNorms(norms)
		f.Gather(gathered, rows)
		f.Scores(s, w, rows)
		f.Accumulate(w2, a, rows)
		f.Gram(g, rows, cols)
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func all(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// columnOf is a matrix of one column, of random numbers that lie that far from each other.
func columnOf[T vec.Float](rng *rand.Rand, rows, stride int) vec.Matrix[T] {
	a := vec.NewMatrix[T](rows, stride)
	for i := range a.Data {
		a.Data[i] = T(rng.NormFloat64())
	}
	return a.Slice(0, rows, 0, 1)
}

// checkColumn compares products with a W of one column, which go to s, and sums weighed by a. Where numbers lie next to
// each other these are dot products.
func checkColumn[T vec.Float](t *testing.T, x vec.Matrix[T], f design.Matrix[T], rows, list []int,
	w, s, a vec.Matrix[T]) {
	d, old := x.Cols, column(w, 0)
	f.Scores(s, w, rows)
	f.Accumulate(w, a, rows)
	for p, i := range list {
		want, size := inner(x.Row(i), old)
		near(t, "score of one column", p, 0, s.Row(p)[0], want, size, d)
	}
	for j := range d {
		want, size := float64(old[j]), math.Abs(float64(old[j]))
		for p, i := range list {
			v := float64(x.Row(i)[j]) * float64(a.Row(p)[0])
			want, size = want+v, size+math.Abs(v)
		}
		near(t, "accumulated in one column", j, 0, w.Row(j)[0], want, size, len(list)+1)
	}
}

// checkGram takes rows, which list spells out, with cols.
func checkGram[T vec.Float](t *testing.T, rng *rand.Rand, x vec.Matrix[T], f design.Matrix[T], rows, list,
	cols []int) {
	g := random[T](rng, len(list), len(cols))
	f.Gram(g, rows, cols)
	for p, i := range list {
		for q, j := range cols {
			want, size := inner(x.Row(i), x.Row(j))
			near(t, "gram", p, q, g.Row(p)[q], want, size, x.Cols)
		}
	}
}

// inner returns the inner product and the inner product of the absolute values.
func inner[T vec.Float](x, y []T) (s, size float64) {
	for j := range x {
		v := float64(x[j]) * float64(y[j])
		s, size = s+v, size+math.Abs(v)
	}
	return s, size
}

func column[T vec.Float](a vec.Matrix[T], c int) []T {
	v := make([]T, a.Rows)
	for i := range v {
		v[i] = a.Row(i)[c]
	}
	return v
}

// near allows the rounding of a sum of n products whose absolute values sum to size.
func near[T vec.Float](t *testing.T, what string, i, j int, got T, want, size float64, n int) {
	t.Helper()
	eps := 0x1p-52
	if _, single := any(got).(float32); single {
		eps = 0x1p-23
	}
	if !(math.Abs(float64(got)-want) <= eps*float64(n+2)*size) {
		t.Fatalf("%s[%d,%d] = %v, want %v", what, i, j, got, want)
	}
}

func TestFeaturesPanic(t *testing.T) {
	_, dense, sparse := twins[float64](rand.New(rand.NewPCG(3, 4)), 4, 6)
	matrix := vec.NewMatrix[float64]
	for name, f := range map[string]design.Matrix[float64]{"dense": dense, "csr": sparse} {
		for what, call := range map[string]func(){
			"Scores: W is 5-by-2, want 6-by-2": func() {
				f.Scores(matrix(4, 2), matrix(5, 2), nil)
			},
			"Scores: dst is 4-by-2, want 1-by-2": func() {
				f.Scores(matrix(4, 2), matrix(6, 2), []int{1})
			},
			"Accumulate: A is 4-by-3, want 4-by-2": func() {
				f.Accumulate(matrix(6, 2), matrix(4, 3), nil)
			},
			"Gather: dst is 2-by-6, want 4-by-6": func() { f.Gather(matrix(2, 6), nil) },
			"Gram: dst is 1-by-4, want 1-by-1": func() {
				f.Gram(matrix(1, 4), []int{0}, []int{0})
			},
			"SquaredNorms: 3 numbers for the squared norms of 4 examples": func() {
				f.SquaredNorms(make([]float64, 3))
			},
			"row -1 of a matrix with 4 rows": func() { f.Scores(matrix(1, 2), matrix(6, 2), []int{-1}) },
			"row 4 of a matrix with 4 rows":  func() { f.Gram(matrix(1, 1), []int{0}, []int{4}) },
			"vec: 5 numbers are too few for 4 rows of 2 columns at stride 2": func() {
				f.Scores(vec.Matrix[float64]{Rows: 4, Cols: 2, Stride: 2, Data: make([]float64, 5)}, matrix(6, 2), nil)
			},
		} {
			func() {
				defer func() {
					got, ok := recover().(vec.ShapeError)
					if !ok || !strings.HasSuffix(got.Error(), what) {
						t.Errorf("%s: panic %v, want a ShapeError that ends with %q", name, got, what)
					}
				}()
				call()
			}()
		}
	}
}
