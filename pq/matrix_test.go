package pq

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// randomMatrix has random centroids, codes and, if asked for, a rotation.
func randomMatrix(t testing.TB, r *rand.Rand, n, d, m, nbits int, rotate bool, o MatrixOptions) *Matrix {
	t.Helper()
	centroids := make([]float32, d<<nbits)
	for i := range centroids {
		centroids[i] = float32(r.NormFloat64() + 0.3)
	}
	var rotation []float32
	if rotate {
		rotation = reflection(r, d)
	}
	q, err := New(d, m, nbits, centroids, rotation)
	if err != nil {
		t.Fatal(err)
	}
	codes := make([]byte, n*q.CodeSize())
	parts := make([]byte, m+m%2)
	for i := range n {
		for j := range m {
			parts[j] = byte(r.IntN(1 << nbits))
		}
		q.pack(codes[i*q.CodeSize():(i+1)*q.CodeSize()], parts)
	}
	x, err := NewMatrix(q, n, codes, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// reflection is the orthogonal matrix I - 2vvᵀ/|v|².
func reflection(r *rand.Rand, d int) []float32 {
	v, norm := make([]float64, d), 0.0
	for i := range v {
		v[i] = r.NormFloat64()
		norm += v[i] * v[i]
	}
	h := make([]float32, d*d)
	for i := range d {
		for j := range d {
			h[i*d+j] = float32(-2 * v[i] * v[j] / norm)
		}
		h[i*d+i]++
	}
	return h
}

func randomRows(r *rand.Rand, rows, cols int) vec.Matrix[float32] {
	a := vec.Matrix[float32]{Rows: rows, Cols: cols, Stride: cols + 3, Data: make([]float32, max(rows*(cols+3), 1))}
	for i := range a.Data {
		a.Data[i] = float32(r.NormFloat64())
	}
	return a
}

// within fails unless every column of got, less want, is below bound times the column of want, in the Euclidean norm.
func within(t *testing.T, what string, got vec.Matrix[float32], want vec.Matrix[float64], bound float64) {
	t.Helper()
	off, all := make([]float64, got.Cols), make([]float64, got.Cols)
	for i := range got.Rows {
		for j, v := range got.Row(i) {
			w := want.Row(i)[j]
			off[j] += (float64(v) - w) * (float64(v) - w)
			all[j] += w * w
		}
	}
	for j := range off {
		if !(math.Sqrt(off[j]) <= bound*math.Sqrt(all[j])) {
			t.Fatalf("%s: column %d is off by %.2g of its length, want at most %.2g", what, j, math.Sqrt(off[j]/all[j]),
				bound)
		}
	}
}

func inFloat64(a vec.Matrix[float32]) vec.Matrix[float64] {
	b := vec.NewMatrix[float64](a.Rows, a.Cols)
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			b.Row(i)[j] = float64(v)
		}
	}
	return b
}

// decoded returns rows of x in float64, from the centroids that the codes name.
func decoded(x *Matrix, rows []int) vec.Matrix[float64] {
	y := vec.NewMatrix[float64](len(rows), x.q.d)
	for k, i := range rows {
		for j := range x.q.m {
			for t, v := range x.q.Centroids(j).Row(int(x.blocks[x.at(i, j)])) {
				y.Row(k)[x.q.offset[j]+t] = float64(v)
			}
		}
	}
	if x.q.rotation == nil {
		return y
	}
	z := vec.NewMatrix[float64](len(rows), x.q.d)
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, y, inFloat64(x.q.Rotation()), 0, z)
	return z
}

var bounds = map[Tables]float64{Float32: 2e-6, Int16: 1e-3, Int8: 2e-2}

type matrixShape struct {
	n, d, m, nbits int
	rotate         bool
}

func matrixShapes() []matrixShape {
	if testing.Short() {
		return []matrixShape{{700, 13, 5, 8, false}, {300, 10, 4, 4, true}}
	}
	return []matrixShape{{9000, 24, 6, 8, false}, {1000, 13, 5, 8, true}, {257, 64, 40, 8, false},
		{600, 21, 7, 4, true}, {5000, 300, 300, 4, false}, {513, 6, 1, 8, false}}
}

// TestProducts compares Scores and Accumulate with float64 products of the decoded rows, for all rows, many and few
// of them.
func TestProducts(t *testing.T) {
	outputs := []int{1, 2, 8, 9, 16, 17, 33, 75, 130}
	if testing.Short() || cpu.Level == cpu.Generic { // slow there, and equal to the others: see TestMatrixTiers
		outputs = []int{1, 7, 40, 70}
	}
	for _, s := range matrixShapes() {
		for tables, bound := range bounds {
			r := prove.Rand(uint64(s.n))
			x := randomMatrix(t, r, s.n, s.d, s.m, s.nbits, s.rotate, MatrixOptions{Tables: tables})
			some := make([]int, 600)
			for i := range some {
				some[i] = r.IntN(s.n)
			}
			for _, m := range outputs {
				w := randomRows(r, s.d, m)
				for _, rows := range [][]int{nil, some, some[:70], {}} {
					all := rows
					if rows == nil {
						all = (&scratch{}).rowsOf(0, s.n)
					}
					dense := decoded(x, all)
					a := randomRows(r, len(all), m)
					product, transposed := vec.NewMatrix[float64](len(all), m), inFloat64(w)
					vec.Gemm(vec.NoTrans, vec.NoTrans, 1, dense, transposed, 0, product)
					vec.Gemm(vec.Transposed, vec.NoTrans, 1, dense, inFloat64(a), 1, transposed)
					what := fmt.Sprintf("%+v, tables %d, m=%d, %d rows", s, tables, m, len(all))
					dst := randomRows(r, len(all), m)
					x.Scores(dst, w, rows)
					within(t, "Scores: "+what, dst, product, bound)
					got := vec.Matrix[float32]{Rows: s.d, Cols: m, Stride: w.Stride, Data: slices.Clone(w.Data)}
					x.Accumulate(got, a, rows)
					within(t, "Accumulate: "+what, got, transposed, min(bound, 1e-3))
				}
			}
		}
	}
}

// TestMatrixTiers: every tier agrees with the exact product.
func TestMatrixTiers(t *testing.T) {
	r := prove.Rand(7)
	for tables, bound := range bounds {
		x := randomMatrix(t, r, 700, 30, 7, 8, false, MatrixOptions{Tables: tables})
		rows := (&scratch{}).rowsOf(0, 700)
		dense := decoded(x, rows)
		w := randomRows(r, 30, 105)
		want := vec.NewMatrix[float64](700, 105)
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, dense, inFloat64(w), 0, want)
		prove.Tiers(func(tier cpu.Tier) {
			dst := randomRows(r, 700, 105)
			x.Scores(dst, w, nil)
			within(t, fmt.Sprint(tier, tables), dst, want, bound)
		})
	}
}

// TestMatrixGather: decoded rows, their norms and inner products.
func TestMatrixGather(t *testing.T) {
	for _, s := range matrixShapes() {
		r := prove.Rand(2)
		x := randomMatrix(t, r, s.n, s.d, s.m, s.nbits, s.rotate, MatrixOptions{})
		rows := []int{s.n - 1, 0, 0, s.n / 2, s.n / 3}
		for range 100 {
			rows = append(rows, r.IntN(s.n))
		}
		want := decoded(x, rows)
		got := randomRows(r, len(rows), s.d)
		x.Gather(got, rows)
		within(t, "Gather", got, want, 1e-6)
		norms := make([]float32, s.n)
		x.SquaredNorms(norms)
		gram := randomRows(r, len(rows), 3)
		x.Gram(gram, rows, rows[:3])
		for k, i := range rows {
			norm := vec.Dot64(want.Row(k), want.Row(k))
			if e := math.Abs(float64(norms[i]) - norm); e > 1e-5*norm {
				t.Fatalf("%+v: |x_%d|² is %v, want %v", s, i, norms[i], norm)
			}
		}
		products := vec.NewMatrix[float64](len(rows), 3)
		vec.Gemm(vec.NoTrans, vec.Transposed, 1, want, want.Slice(0, 3, 0, s.d), 0, products)
		within(t, "Gram", gram, products, 1e-5)
	}
}

// TestMatrixManyRows: more rows than are packed together; to name all of them gives the same bits as to name none.
func TestMatrixManyRows(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	const n = batchSupers*superRows + 300
	r := prove.Rand(8)
	x := randomMatrix(t, r, n, 6, 3, 8, false, MatrixOptions{Workers: 2})
	all := (&scratch{}).rowsOf(0, n)
	dense := decoded(x, all)
	for _, m := range []int{1, 6, 8, 9, 16} {
		a := randomRows(r, n, m)
		if m != 6 && m != 9 { // as wide as the kernels' lines
			a = vec.MatrixOf(n, m, a.Data[:n*m])
		}
		got, again, want := vec.NewMatrix[float32](6, m), vec.NewMatrix[float32](6, m), vec.NewMatrix[float64](6, m)
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, dense, inFloat64(a), 0, want)
		x.Accumulate(got, a, nil)
		x.Accumulate(again, a, all)
		within(t, fmt.Sprintf("Accumulate of %d rows, m=%d", n, m), got, want, 2e-6)
		if !slices.Equal(got.Data, again.Data) {
			t.Errorf("m=%d: the sums of all rows by their numbers differ from the sums of all rows", m)
		}
	}
}

// TestMatrixWorkers: the same bits with any number of workers.
func TestMatrixWorkers(t *testing.T) {
	n, d, m := 2*superRows+809, 40, 37
	if testing.Short() {
		n, d, m = superRows+404, 24, 17
	}
	for tables := range bounds {
		var scores, sums []float32
		for _, workers := range []int{1, 2, 5} {
			r := prove.Rand(3)
			x := randomMatrix(t, r, n, d, d/2, 8, true, MatrixOptions{Tables: tables, Workers: workers})
			w, a, dst := randomRows(r, d, m), randomRows(r, n, m), vec.NewMatrix[float32](n, m)
			x.Scores(dst, w, nil)
			x.Accumulate(w, a, nil)
			if workers == 1 {
				scores, sums = dst.Data, w.Data
			}
			if !slices.Equal(scores, dst.Data) || !slices.Equal(sums, w.Data) {
				t.Errorf("tables %d: %d workers change the result", tables, workers)
			}
		}
	}
}

// TestMatrixConcurrent: calls from several goroutines do not disturb each other (the race detector watches).
func TestMatrixConcurrent(t *testing.T) {
	r := prove.Rand(4)
	x := randomMatrix(t, r, 1500, 12, 4, 8, true, MatrixOptions{})
	w, a := randomRows(r, 12, 5), randomRows(r, 1500, 5)
	want := vec.NewMatrix[float32](1500, 5)
	x.Scores(want, w, nil)
	sums := vec.NewMatrix[float32](12, 5)
	randomMatrix(t, prove.Rand(4), 1500, 12, 4, 8, true, MatrixOptions{}).Accumulate(sums, a, nil)
	parallel.Do(4, 8, func(_, i int) {
		if i%2 == 0 {
			dst := vec.NewMatrix[float32](1500, 5)
			x.Scores(dst, w, nil)
			if !slices.Equal(dst.Data, want.Data) {
				t.Error("scores differ")
			}
			return
		}
		dst := vec.NewMatrix[float32](12, 5)
		x.Accumulate(dst, a, nil)
		if !slices.Equal(dst.Data, sums.Data) {
			t.Error("sums differ")
		}
	})
}

func TestMatrixAllocations(t *testing.T) {
	r, runs := prove.Rand(5), 5
	if testing.Short() {
		runs = 2
	}
	for tables := range bounds {
		x := randomMatrix(t, r, 2000, 24, 6, 8, true, MatrixOptions{Tables: tables, Workers: 1})
		w, a, dst := randomRows(r, 24, 70), randomRows(r, 2000, 70), vec.NewMatrix[float32](2000, 70)
		rows := (&scratch{}).rowsOf(0, 1000)
		dense, gram := vec.NewMatrix[float32](1000, 24), vec.NewMatrix[float32](1000, 10)
		for name, call := range map[string]func(){
			"Scores":          func() { x.Scores(dst, w, nil) },
			"Scores, rows":    func() { x.Scores(dst.Slice(0, 1000, 0, 70), w, rows) },
			"Scores, few":     func() { x.Scores(dst.Slice(0, 9, 0, 70), w, rows[:9]) },
			"Accumulate":      func() { x.Accumulate(w, a, nil) },
			"Accumulate, few": func() { x.Accumulate(w, a.Slice(0, 9, 0, 70), rows[:9]) },
			"Gather":          func() { x.Gather(dense, rows) },
			"Gram":            func() { x.Gram(gram, rows, rows[:10]) },
		} {
			call()
			if n := prove.Allocs(runs, call); n > 0.5 {
				t.Errorf("%s, tables %d: %v allocations", name, tables, n)
			}
		}
	}
}

func TestMatrixErrors(t *testing.T) {
	r := prove.Rand(6)
	x := randomMatrix(t, r, 10, 6, 3, 8, false, MatrixOptions{})
	for _, c := range []struct {
		n, bytes int
		o        MatrixOptions
		want     string
	}{
		{10, 29, MatrixOptions{}, "29 bytes for the codes of 10 rows, want 3"},
		{11, 30, MatrixOptions{}, "30 bytes for the codes of 11"},
		{-1, 0, MatrixOptions{}, "-1 rows"},
		{10, 30, MatrixOptions{Tables: 3}, "Tables is 3"},
		{10, 30, MatrixOptions{Workers: -2}, "Workers is -2"},
	} {
		if _, err := NewMatrix(x.q, c.n, make([]byte, c.bytes), c.o); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%d rows, %d bytes, %+v: error %v, want one with %q", c.n, c.bytes, c.o, err, c.want)
		}
	}
	for name, call := range map[string]func(){
		"pq: Matrix.Gather: row 10 of a matrix with 10": func() { x.Gather(vec.NewMatrix[float32](1, 6), []int{10}) },
		"pq: Matrix.Scores: W is 5x2, want 6x2": func() {
			x.Scores(vec.NewMatrix[float32](10, 2), vec.NewMatrix[float32](5, 2), nil)
		},
		"pq: Matrix.Accumulate: A is 9x2, want 10x2": func() {
			x.Accumulate(vec.NewMatrix[float32](6, 2), vec.NewMatrix[float32](9, 2), nil)
		},
		"pq: Matrix.SquaredNorms: 9 squared norms for 10": func() { x.SquaredNorms(make([]float32, 9)) },
	} {
		func() {
			defer func() {
				if got, ok := recover().(vec.ShapeError); !ok || !strings.HasPrefix(got.Error(), name) {
					t.Errorf("panic %v, want a ShapeError that begins with %q", got, name)
				}
			}()
			call()
		}()
	}
}

// TestMatrixFull: sums of integers that are as large as can be, each of which has been rounded up, and lines of dst
// that are as long as the kernel's but not wholly dst's.
func TestMatrixFull(t *testing.T) {
	const d, n = 8, 600
	for tables := range bounds {
		for _, stride := range []int{8, 16, 32, 64} {
			cols := stride - 3
			centroids := make([]float32, d*256)
			for c := range centroids {
				centroids[c] = float32(c%256) / 255
			}
			q, err := New(d, d, 8, centroids, nil)
			if err != nil {
				t.Fatal(err)
			}
			codes := make([]byte, n*d)
			for i := range codes {
				codes[i] = 255
			}
			x, err := NewMatrix(q, n, codes, MatrixOptions{Tables: tables})
			if err != nil {
				t.Fatal(err)
			}
			w := vec.NewMatrix[float32](d, cols)
			for i := range w.Data {
				w.Data[i] = 1
			}
			dst := vec.Matrix[float32]{Rows: n, Cols: cols, Stride: stride, Data: make([]float32, n*stride)}
			for i := range dst.Data {
				dst.Data[i] = 7
			}
			x.Scores(dst, w, nil)
			for i, v := range dst.Data {
				if want := float64(d); i%stride < cols && math.Abs(float64(v)-want) > bounds[tables]*want ||
					i%stride >= cols && v != 7 {
					t.Fatalf("tables %d, %d outputs: number %d of row %d is %v", tables, cols, i%stride, i/stride, v)
				}
			}
		}
	}
}

// TestMatrixFewWorkers: a product wakes as many goroutines as there is work for, and no more than Workers.
func TestMatrixFewWorkers(t *testing.T) {
	x := randomMatrix(t, prove.Rand(3), 300, 24, 6, 8, true, MatrixOptions{Workers: 5})
	lines := shape.Pieces(linesPerWorker, x.q.m) // rows that one goroutine is worth, of up to 16 columns
	for _, c := range []struct{ n, cols, want int }{
		{1, 1, 1}, {lines, 16, 1}, {2*lines - 2, 16, 1}, {2 * lines, 1, 2}, {lines, 17, 2}, {100 * lines, 16, 5},
	} {
		if got := x.workers(c.n, c.cols); got != c.want {
			t.Errorf("%d rows, %d columns: %d goroutines, want %d", c.n, c.cols, got, c.want)
		}
	}
}
