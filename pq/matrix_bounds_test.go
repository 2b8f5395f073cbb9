package pq

import (
	"fmt"
	"math"
	"testing"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// bounded fails unless the products with x are within what type Tables says of them, and returns the errors of Scores
// and of Accumulate, the largest over columns of |error| / |column| in Euclidean lengths.
//
// With u = 2⁻²⁴ the rounding of float32 is, for Scores, d terms of R W, dsub <= d of a table's entry, the sum of M of
// these and of as many least ones, and a few of scales: (2d + 2M + 16) u Σ_q max_c Σ_t |c_t| |R W|_t. For Accumulate
// it is n terms of D_q, 2^NBits of C_qᵀ D_q, d of Rᵀ and a few: (n + 2^NBits + d + 16) u (|W| + Σ_i |x̂_ij| |A_i|).
func bounded(t *testing.T, what string, x *Matrix, w, a vec.Matrix[float32]) (scores, sums float64) {
	t.Helper()
	const u = 1.0 / (1 << 24)
	q, m := x.q, w.Cols
	rows := (&scratch{}).rowsOf(0, x.n)
	y, turned, turnedAbs := rotatedRows(x), rotated(q, inFloat64(w), false), rotated(q, absolute(inFloat64(w)), true)

	largest, magnitude := make([]float64, m), make([]float64, m) // t, and Σ_q max_c Σ_t |c_t| |R W|_t
	for j := range q.m {
		from, _ := q.Subspace(j)
		part := make([]float64, m)
		for c := range q.ksub {
			for o := range m {
				var dot, abs float64
				for k, v := range q.Centroids(j).Row(c) {
					dot += float64(v) * turned.Row(from + k)[o]
					abs += math.Abs(float64(v)) * turnedAbs.Row(from + k)[o]
				}
				largest[o], part[o] = max(largest[o], math.Abs(dot)), max(part[o], abs)
			}
		}
		for o := range m {
			magnitude[o] += part[o]
		}
	}
	step := map[Tables]float64{Float32: 0, Int16: 1.0 / 8000, Int8: 1.0 / 250}[x.o.Tables]
	dst, want := randomRows(prove.Rand(1), x.n, m), vec.NewMatrix[float64](x.n, m)
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, y, turned, 0, want)
	x.Scores(dst, w, nil)
	scores = compare(t, "Scores: "+what, dst, want, func(_, o int) float64 {
		return step*float64(q.m)*largest[o] + float64(2*q.d+2*q.m+16)*u*magnitude[o] + float64(q.m)*1e-32
	})

	if x.o.Tables != Float32 {
		step = 1.0 / 16000
	}
	most := make([]float64, m)
	for i := range rows {
		for o, v := range a.Row(i) {
			most[o] = max(most[o], math.Abs(float64(v)))
		}
	}
	yAbs, aAbs := absolute(y), absolute(inFloat64(a))
	ones := vec.NewMatrix[float64](x.n, m) // the largest |A_i| in every row
	for i := range rows {
		copy(ones.Row(i), most)
	}
	columns, terms := vec.NewMatrix[float64](q.d, m), vec.NewMatrix[float64](q.d, m)
	vec.Gemm(vec.Transposed, vec.NoTrans, 1, yAbs, ones, 0, columns)
	vec.Gemm(vec.Transposed, vec.NoTrans, 1, yAbs, aAbs, 0, terms)
	columns, terms = rotatedBack(q, columns, true), rotatedBack(q, terms, true)
	sum := vec.NewMatrix[float64](q.d, m)
	vec.Gemm(vec.Transposed, vec.NoTrans, 1, y, inFloat64(a), 0, sum)
	sum = rotatedBack(q, sum, false)
	got := vec.NewMatrix[float32](q.d, m)
	for j := range q.d {
		for o := range m {
			got.Row(j)[o] = w.Row(j)[o]
			sum.Row(j)[o] += float64(w.Row(j)[o])
		}
	}
	x.Accumulate(got, a, nil)
	sums = compare(t, "Accumulate: "+what, got, sum, func(j, o int) float64 {
		rounding := float64(x.n+q.ksub+q.d+16) * u * (math.Abs(float64(w.Row(j)[o])) + terms.Row(j)[o])
		return step*columns.Row(j)[o] + rounding + 1e-32*float64(x.n)
	})
	return scores, sums
}

// compare fails where got is farther from want than the bound, and returns the largest relative error of a column.
func compare(t *testing.T, what string, got vec.Matrix[float32], want vec.Matrix[float64],
	bound func(i, j int) float64) (worst float64) {
	t.Helper()
	off, all := make([]float64, got.Cols), make([]float64, got.Cols)
	for i := range got.Rows {
		for j, v := range got.Row(i) {
			e := float64(v) - want.Row(i)[j]
			if !(math.Abs(e) <= bound(i, j)) {
				t.Fatalf("%s: (%d, %d) is %v, want %v within %.3g", what, i, j, v, want.Row(i)[j], bound(i, j))
			}
			off[j] += float64(e * e)
			all[j] += float64(want.Row(i)[j] * want.Row(i)[j])
		}
	}
	for j := range off {
		if all[j] > 0 {
			worst = max(worst, math.Sqrt(off[j]/all[j]))
		}
	}
	return worst
}

func absolute(a vec.Matrix[float64]) vec.Matrix[float64] {
	b := vec.NewMatrix[float64](a.Rows, a.Cols)
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			b.Row(i)[j] = math.Abs(v)
		}
	}
	return b
}

// rotated returns R w in float64, or |R| w.
func rotated(q *Quantizer, w vec.Matrix[float64], abs bool) vec.Matrix[float64] {
	return turn(q, vec.NoTrans, w, abs)
}

// rotatedBack returns Rᵀ w, or |R|ᵀ w.
func rotatedBack(q *Quantizer, w vec.Matrix[float64], abs bool) vec.Matrix[float64] {
	return turn(q, vec.Transposed, w, abs)
}

func turn(q *Quantizer, as vec.Trans, w vec.Matrix[float64], abs bool) vec.Matrix[float64] {
	if q.rotation == nil {
		return w
	}
	r := inFloat64(q.Rotation())
	if abs {
		r = absolute(r)
	}
	v := vec.NewMatrix[float64](w.Rows, w.Cols)
	vec.Gemm(as, vec.NoTrans, 1, r, w, 0, v)
	return v
}

// rotatedRows returns R x̂ for all rows: the centroids that the codes name.
func rotatedRows(x *Matrix) vec.Matrix[float64] {
	y := vec.NewMatrix[float64](x.n, x.q.d)
	for i := range x.n {
		for j := range x.q.m {
			from, _ := x.q.Subspace(j)
			for t, v := range x.q.Centroids(j).Row(int(x.blocks[x.at(i, j)])) {
				y.Row(i)[from+t] = float64(v)
			}
		}
	}
	return y
}

// TestTablesBounds: the errors that type Tables states hold on numbers that are alike, and on those that are as
// unequal as can be.
func TestTablesBounds(t *testing.T) {
	n, d, m, outputs := 5000, 24, 8, []int{1, 8, 17, 40, 66}
	if testing.Short() {
		n, d, m, outputs = 520, 6, 2, []int{1, 33}
	}
	r := prove.Rand(40)
	for _, rotate := range []bool{false, true} {
		plain := randomMatrix(t, r, n, d, m, 8, rotate, MatrixOptions{Workers: 2})
		for name, change := range map[string]func(centroids []float32, w, a vec.Matrix[float32]){
			"alike":              func([]float32, vec.Matrix[float32], vec.Matrix[float32]) {},
			"a centroid by 100":  func(c []float32, _, _ vec.Matrix[float32]) { scale(c[:d/m], 100) },
			"a subspace by 1e6":  func(c []float32, _, _ vec.Matrix[float32]) { scale(c[:d/m*256], 1e6) },
			"far from 0":         func(c []float32, _, _ vec.Matrix[float32]) { add(c, 1e4) },
			"one row of W":       func(_ []float32, w, _ vec.Matrix[float32]) { scale(w.Row(3), 1e6) },
			"W is 0":             func(_ []float32, w, _ vec.Matrix[float32]) { scale(w.Data, 0) },
			"W is tiny":          func(_ []float32, w, _ vec.Matrix[float32]) { scale(w.Data, 1e-37) },
			"a row of A by 1000": func(_ []float32, _, a vec.Matrix[float32]) { scale(a.Row(7), 1000) },
			"A is tiny":          func(_ []float32, _, a vec.Matrix[float32]) { scale(a.Data, 1e-37) },
		} {
			centroids := append([]float32{}, plain.q.centroids...)
			for _, cols := range outputs {
				w, a := randomRows(r, d, cols), randomRows(r, n, cols)
				copy(centroids, plain.q.centroids)
				change(centroids, w, a)
				q, err := New(d, m, 8, centroids, plain.q.rotation)
				if err != nil {
					t.Fatal(err)
				}
				for _, tables := range []Tables{Float32, Int16, Int8} {
					x := &Matrix{q: q, n: n, blocks: plain.blocks, o: MatrixOptions{Tables: tables, Workers: 2}}
					what := fmt.Sprintf("%s, rotation %v, tables %d, %d outputs", name, rotate, tables, cols)
					if scores, sums := bounded(t, what, x, w, a); testing.Verbose() {
						t.Logf("%s: relative errors %.2g, %.2g", what, scores, sums)
					}
				}
			}
		}
	}
}

func scale(x []float32, by float32) {
	for i := range x {
		x[i] *= by
	}
}

func add(x []float32, what float32) {
	for i := range x {
		x[i] += what
	}
}

// TestTablesSpambase: features of 0 to 16000 beside those below 1, as they are.
func TestTablesSpambase(t *testing.T) {
	data := samples.Spambase[float32]().X.Matrix
	if testing.Short() {
		data = data.Slice(0, 600, 0, data.Cols)
	}
	q := train(t, data, Config{M: 19, Iterations: 4})
	codes := encode(t, q, data)
	r := prove.Rand(41)
	for _, cols := range []int{1, 20, 64} {
		w, a := randomRows(r, data.Cols, cols), randomRows(r, data.Rows, cols)
		for _, tables := range []Tables{Float32, Int16, Int8} {
			x, err := NewMatrix(q, data.Rows, codes, MatrixOptions{Tables: tables})
			if err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("tables %d, %d outputs", tables, cols)
			if scores, sums := bounded(t, what, x, w, a); testing.Verbose() {
				t.Logf("%s: relative errors %.2g, %.2g", what, scores, sums)
			}
		}
	}
}
