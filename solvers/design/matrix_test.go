package design_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// quantized is a third storage: n examples of M codes, each the number of a part of length dsub in its codebook. It
// stands for product-quantized data, and decodes a row wherever it needs one.
type quantized struct {
	codes     [][]uint8     // n of M
	codebooks [][][]float32 // M of at most 256, each of dsub
	d         int
}

func newQuantized(rng *rand.Rand, n, parts, dsub int) *quantized {
	f := &quantized{d: parts * dsub}
	for range parts {
		book := make([][]float32, 16)
		for c := range book {
			book[c] = make([]float32, dsub)
			for j := range book[c] {
				book[c][j] = float32(rng.NormFloat64())
			}
		}
		f.codebooks = append(f.codebooks, book)
	}
	for range n {
		codes := make([]uint8, parts)
		for q := range codes {
			codes[q] = uint8(rng.IntN(16))
		}
		f.codes = append(f.codes, codes)
	}
	return f
}

func (f *quantized) decode(i int) []float32 {
	row := make([]float32, 0, f.d)
	for q, c := range f.codes[i] {
		row = append(row, f.codebooks[q][c]...)
	}
	return row
}

func (f *quantized) rows(rows []int) []int {
	if rows == nil {
		rows = make([]int, len(f.codes))
		for i := range rows {
			rows[i] = i
		}
	}
	return rows
}

func (f *quantized) Dims() (n, d int) { return len(f.codes), f.d }

func (f *quantized) SquaredNorms(dst []float32) {
	for i := range dst {
		dst[i] = vec.SquaredNorm(f.decode(i))
	}
}

func (f *quantized) Gather(dst vec.Matrix[float32], rows []int) {
	for p, i := range f.rows(rows) {
		copy(dst.Row(p), f.decode(i))
	}
}

func (f *quantized) Scores(dst, w vec.Matrix[float32], rows []int) {
	for p, i := range f.rows(rows) {
		vec.GemvT(1, w, f.decode(i), 0, dst.Row(p))
	}
}

func (f *quantized) Accumulate(w, a vec.Matrix[float32], rows []int) {
	for p, i := range f.rows(rows) {
		vec.Ger(1, f.decode(i), a.Row(p), w)
	}
}

func (f *quantized) Gram(dst vec.Matrix[float32], rows, cols []int) {
	for p, i := range f.rows(rows) {
		x := f.decode(i)
		for q, j := range f.rows(cols) {
			dst.Row(p)[q] = vec.Dot(x, f.decode(j))
		}
	}
}

var _ design.Matrix[float32] = (*quantized)(nil)

// sparse draws n examples of d features, a third of them not 0.
func sparse(rng *rand.Rand, n, d int) *dataset.CSR[float32] {
	a := &dataset.CSR[float32]{Rows: n, Cols: d, Ptr: []int{0}}
	for range n {
		for j := range d {
			if rng.IntN(3) == 0 {
				a.Idx, a.Val = append(a.Idx, int32(j)), append(a.Val, float32(rng.NormFloat64()))
			}
		}
		a.Ptr = append(a.Ptr, len(a.Val))
	}
	return a
}

// matrix draws a matrix.
func matrix[T vec.Float](rng *rand.Rand, rows, cols int) vec.Matrix[T] {
	a := vec.NewMatrix[T](rows, cols)
	for i := range a.Data {
		a.Data[i] = T(rng.NormFloat64())
	}
	return a
}

// decoded returns all of x.
func decoded[T vec.Float](x design.Matrix[T]) vec.Matrix[float64] {
	n, d := x.Dims()
	a, b := vec.NewMatrix[T](n, d), vec.NewMatrix[float64](n, d)
	x.Gather(a, nil)
	for i, v := range a.Data {
		b.Data[i] = float64(v)
	}
	return b
}

// check compares every method of x with naive loops over want, and counts allocations.
func check[T vec.Float](t *testing.T, x design.Matrix[T], want vec.Matrix[float64], eps float64) {
	t.Helper()
	checkProducts(t, x, want, eps)
	n, d := x.Dims()
	norms, some := make([]T, n), []int{n / 2, 0, n - 1}
	for _, rows := range [][]int{nil, some} {
		p := n
		if rows != nil {
			p = len(rows)
		}
		g, w, s, k := vec.NewMatrix[T](p, d), vec.NewMatrix[T](d, 3), vec.NewMatrix[T](p, 3), vec.NewMatrix[T](p, 3)
		if allocs := prove.Allocs(5, func() {
			x.SquaredNorms(norms)
			x.Gather(g, rows)
			x.Scores(s, w, rows)
			x.Accumulate(w, s, rows)
			x.Gram(k, rows, some)
		}); allocs != 0 {
			t.Errorf("rows %v: %v allocations", rows, allocs)
		}
	}
}

// checkProducts compares every method of x with naive loops over want.
func checkProducts[T vec.Float](t *testing.T, x design.Matrix[T], want vec.Matrix[float64], eps float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	n, d := x.Dims()
	if n != want.Rows || d != want.Cols {
		t.Fatalf("%d-by-%d, want %d-by-%d", n, d, want.Rows, want.Cols)
	}
	near := func(what string, i, j int, got T, want float64) {
		t.Helper()
		if !(math.Abs(float64(got)-want) <= eps*(1+math.Abs(want))) {
			t.Fatalf("%s[%d,%d] = %v, want %v", what, i, j, got, want)
		}
	}
	norms := make([]T, n)
	x.SquaredNorms(norms)
	for i, v := range norms {
		near("norm", i, i, v, vec.SquaredNorm(want.Row(i)))
	}
	for _, rows := range [][]int{nil, {}, {n - 1, 0, n - 1, n / 2}} {
		list := rows
		if rows == nil {
			for i := range n {
				list = append(list, i)
			}
		}
		m := 3
		w, s, g := matrix[T](rng, d, m), matrix[T](rng, len(list), m), matrix[T](rng, len(list), d)
		a, w2 := matrix[T](rng, len(list), m), matrix[T](rng, d, m)
		sum := vec.NewMatrix[float64](d, m)
		for i, v := range w2.Data {
			sum.Data[i] = float64(v)
		}
		cols := []int{n / 3, 0}
		k := matrix[T](rng, len(list), len(cols))
		x.Gather(g, rows)
		x.Scores(s, w, rows)
		x.Accumulate(w2, a, rows)
		x.Gram(k, rows, cols)
		for p, i := range list {
			for j := range d {
				near("gathered", p, j, g.Row(p)[j], want.Row(i)[j])
			}
			for c := range m {
				score := 0.0
				for j := range d {
					score += want.Row(i)[j] * float64(w.Row(j)[c])
					sum.Row(j)[c] += want.Row(i)[j] * float64(a.Row(p)[c])
				}
				near("score", p, c, s.Row(p)[c], score)
			}
			for q, j := range cols {
				near("gram", p, q, k.Row(p)[q], vec.Dot(want.Row(i), want.Row(j)))
			}
		}
		for i, v := range w2.Data {
			near("accumulated", i/m, i%m, v, sum.Data[i])
		}
	}
}

func TestThirdStorage(t *testing.T) {
	x := newQuantized(rand.New(rand.NewPCG(1, 2)), 9, 4, 5)
	checkProducts(t, x, decoded(x), 1e-5)
}

// A solver that knows only Matrix trains on it as on the same numbers decoded.
func TestThirdStorageTrains(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := newQuantized(rng, 120, 4, 5)
	n, d := x.Dims()
	y := make([]int, n)
	for i := range y {
		y[i] = int(x.codes[i][0]) % 4
	}
	plain := vec.NewMatrix[float32](n, d)
	x.Gather(plain, nil)
	c := topk.Config{K: 2, Lambda: .01, Tol: 1e-5, Epochs: 1 << 20}
	got, err := topk.Fit(context.Background(), design.Matrix[float32](x), y, c)
	if err != nil {
		t.Fatal(err)
	}
	want, err := topk.Fit(context.Background(), design.Matrix[float32](&dataset.Dense[float32]{Matrix: plain}), y, c)
	if err != nil {
		t.Fatal(err)
	}
	a, b := got.Certificate, want.Certificate
	if got.Status != solvers.Converged || a.Dual > b.Primal || b.Dual > a.Primal ||
		math.Abs(a.Primal-b.Primal) > 1e-5*b.Primal {
		t.Errorf("%v, %v; decoded %v", got.Status, a, b)
	}
}

func TestWithBias(t *testing.T) {
	x := sparse(rand.New(rand.NewPCG(3, 4)), 11, 30)
	raw := decoded(x)
	want := vec.NewMatrix[float64](11, 31)
	for i := range 11 {
		copy(want.Row(i), raw.Row(i))
		want.Row(i)[30] = 2.5
	}
	check(t, design.WithBias(x, 2.5), want, 1e-5)
}

func TestSubset(t *testing.T) {
	x := sparse(rand.New(rand.NewPCG(3, 4)), 11, 30)
	raw := decoded(x)
	rows := []int{7, 2, 2, 10, 0}
	want := vec.NewMatrix[float64](len(rows), 30)
	for p, i := range rows {
		copy(want.Row(p), raw.Row(i))
	}
	s := design.Subset(x, rows)
	rows[0] = 1 // s keeps its own
	check(t, s, want, 1e-5)
	check(t, design.Subset(s, []int{4, 3}), pick(want, 4, 3), 1e-5)
}

func pick(a vec.Matrix[float64], rows ...int) vec.Matrix[float64] {
	b := vec.NewMatrix[float64](len(rows), a.Cols)
	for p, i := range rows {
		copy(b.Row(p), a.Row(i))
	}
	return b
}

// TestFloat64Codes: products of few rows of codes, which are decoded, and of many, by tables.
func TestFloat64Codes(t *testing.T) {
	x := compressed(t, rand.New(rand.NewPCG(3, 4)), 1100)
	want := decoded[float32](x)
	for _, n := range []int{3, 511, 512, 1100} {
		checkProducts(t, design.Window(design.Float64[float32](x), 0, n), want.Slice(0, n, 0, 20), 1e-11)
	}
}

func TestFloat64(t *testing.T) {
	x := sparse(rand.New(rand.NewPCG(3, 4)), 300, 400) // more than one block
	want := decoded(x)
	plain := vec.NewMatrix[float32](300, 400)
	x.Gather(plain, nil)
	dense := &dataset.Dense[float32]{Matrix: plain}
	rows := []int{200, 7, 7, 299}
	for _, f := range []design.Matrix[float32]{x, dense} {
		for _, wide := range []func(design.Matrix[float32]) design.Matrix[float64]{
			design.Float64[float32], design.CopiedFloat64[float32], design.DenseFloat64[float32],
		} {
			check(t, wide(f), want, 1e-12)
			check(t, design.Window(wide(f), 10, 290), want.Slice(10, 290, 0, 400), 1e-12)
			check(t, wide(design.Subset(f, rows)), pick(want, rows...), 1e-12)
		}
		check(t, design.Float64(design.WithBias(design.Subset(f, rows), 1)),
			decoded(design.WithBias(design.Subset(f, rows), 1)), 1e-12)
	}
	y := design.Float64(x)
	if design.Float64(y) != y || design.CopiedFloat64(y) != y {
		t.Error("float64 features wrapped again")
	}
	held := design.CopiedFloat64[float32](dense)
	clear(plain.Data) // the copy does not look at it again
	for _, m := range []int{1, 3} {
		rng := rand.New(rand.NewPCG(5, 6))
		w, a := matrix[float64](rng, 400, m), matrix[float64](rng, 300, m)
		s, sums := vec.NewMatrix[float64](300, m), vec.NewMatrix[float64](400, m)
		held.Scores(s, w, nil)
		held.Accumulate(sums, a, nil)
		for c := range m {
			for i := range 300 {
				v := 0.0
				for j := range 400 {
					v += want.At(i, j) * w.At(j, c)
				}
				if math.Abs(s.At(i, c)-v) > 1e-12*(1+math.Abs(v)) {
					t.Fatalf("score of row %d: %v, want %v", i, s.At(i, c), v)
				}
			}
			for j := range 400 {
				v := 0.0
				for i := range 300 {
					v += want.At(i, j) * a.At(i, c)
				}
				if math.Abs(sums.At(j, c)-v) > 1e-12*(1+math.Abs(v)) {
					t.Fatalf("sum of feature %d: %v, want %v", j, sums.At(j, c), v)
				}
			}
		}
	}
}

func TestCrossGram(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	x, z := sparse(rng, 6, 20), newQuantized(rng, 70, 4, 5)
	a, b := decoded(x), decoded(z)
	for _, rows := range [][]int{nil, {}, {3, 3, 0}} {
		for _, cols := range [][]int{nil, {}, {69, 1, 69}} {
			r, c := z.rows(rows), z.rows(cols)
			if rows == nil {
				r = r[:6]
			}
			dst := matrix[float32](rng, len(r), len(c))
			design.CrossGram(dst, x, rows, z, cols)
			for p, i := range r {
				for q, j := range c {
					if want := vec.Dot(a.Row(i), b.Row(j)); math.Abs(float64(dst.Row(p)[q])-want) > 1e-5*(1+
						math.Abs(want)) {
						t.Fatalf("rows %v, cols %v: [%d,%d] = %v, want %v", rows, cols, p, q, dst.Row(p)[q], want)
					}
				}
			}
		}
	}
}

func TestPanics(t *testing.T) {
	x := sparse(rand.New(rand.NewPCG(9, 10)), 4, 6)
	for want, call := range map[string]func(){
		"design: Subset: row 4 at place 1 of the list, for 4 examples": func() {
			design.Subset(x, []int{0, 4})
		},
		"design: CrossGram: 4 examples of 6 features and 4 of 7, for a 4-by-4 matrix": func() {
			design.CrossGram(matrix32(4, 4), x, nil, design.WithBias(x, 1), nil)
		},
		"design: CrossGram: 2 examples of 6 features and 4 of 6, for a 4-by-4 matrix": func() {
			design.CrossGram(matrix32(4, 4), x, []int{1, 2}, x, nil)
		},
		"design: Scores: 6 rows of W for 6 features and the bias": func() {
			design.WithBias(x, 1).Scores(matrix32(4, 2), matrix32(6, 2), nil)
		},
		"design: Gather: 6 columns of dst for 6 features and the bias": func() {
			design.WithBias(x, 1).Gather(matrix32(4, 6), nil)
		},
		"design: Scores: dst is 1-by-1, expected 4-by-2": func() {
			design.Float64(x).Scores(vec.NewMatrix[float64](1, 1), vec.NewMatrix[float64](6, 2), nil)
		},
		"design: Gather: dst is 3-by-6, expected 4-by-6": func() {
			design.Float64(design.Matrix[float32](newQuantized(rand.New(rand.NewPCG(1, 1)), 4, 3, 2))).Gather(
				vec.NewMatrix[float64](3, 6), nil)
		},
		"design: SquaredNorms: 3 numbers for 2 examples": func() {
			design.Subset(x, []int{0, 1}).SquaredNorms(make([]float32, 3))
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
}

func matrix32(rows, cols int) vec.Matrix[float32] { return vec.NewMatrix[float32](rows, cols) }

// tables is a compressed storage that counts which way it is asked.
type tables struct {
	design.Matrix[float32]
	products, decoded int // rows
}

func (x *tables) Scores64(dst, _ vec.Matrix[float64], _ []int) { x.products += dst.Rows }

func (x *tables) Accumulate64(_, a vec.Matrix[float64], _ []int) { x.products += a.Rows }

func (x *tables) Gather(dst vec.Matrix[float32], rows []int) {
	x.decoded += dst.Rows
	x.Matrix.Gather(dst, rows)
}

// TestFloat64ByTables: products of less than 512 rows of codes are of decoded rows, and of more by tables, also where
// these are some of many.
func TestFloat64ByTables(t *testing.T) {
	const d = 3
	for _, c := range []struct {
		n, some int // 0: all
		tables  bool
	}{{511, 0, false}, {512, 0, true}, {2000, 511, false}, {2000, 512, true}, {2000, 0, true}} {
		x := &tables{Matrix: &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](c.n, d)}}
		var rows []int
		count := c.n
		if c.some > 0 {
			rows, count = make([]int, c.some), c.some
		}
		wide := design.Float64[float32](x)
		wide.Scores(vec.NewMatrix[float64](count, 1), vec.NewMatrix[float64](d, 1), rows)
		wide.Accumulate(vec.NewMatrix[float64](d, 1), vec.NewMatrix[float64](count, 1), rows)
		products, decoded := 0, 2*count
		if c.tables {
			products, decoded = decoded, products
		}
		if x.products != products || x.decoded != decoded {
			t.Errorf("%+v: %d rows by tables and %d decoded, want %d and %d", c, x.products, x.decoded, products,
				decoded)
		}
	}
}
