package gonumblas

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// reflectors is the number of them in a panel, which change the rest of a matrix at once.
const reflectors = 32

// reduction is A = Q T Qᵀ of a symmetric n-by-n matrix under construction: T has the diagonal d and e beside it, Q is
// the product of H_0, ..., H_(n-2), H_i = I - tau_i v_i v_iᵀ, v_i being 0 up to element i and 1 at the next. Row i of A
// becomes v_i as far as it is not 0.
//
// Within a panel of reflectors A stays, and is A - Vᵀ W - Wᵀ V with a row of V and of W for each reflector: each takes
// one product of A with a vector, and the panel at its end two products of matrices (Dongarra, Hammarling and Sorensen,
// "Block reduction of matrices to condensed forms for eigenvalue computations", 1989). A is held with both of its
// triangles, so that all rows lie in memory in order. O(n³).
type reduction struct {
	a         vec.Matrix[float64] // both triangles
	d, e, tau []float64           // n, n - 1 and n - 1 numbers
	w         vec.Matrix[float64] // a row for each reflector of the panel
	v         vec.Matrix[float64] // the same, when Q is computed
	products  []float64           // of a row with V's rows, and with W's
}

// reductionRoom is how many numbers a reduction needs beside A, d, e and tau.
func reductionRoom(n int) int { return 2*reflectors*n + 2*reflectors }

// newReduction divides up room.
func newReduction(a vec.Matrix[float64], d, e, tau, room []float64) reduction {
	n := a.Rows
	size := reflectors * n
	return reduction{a: a, d: d, e: e, tau: tau, w: vec.MatrixOf(reflectors, n, room[:size]),
		v: vec.MatrixOf(reflectors, n, room[size:2*size]), products: room[2*size : 2*size+2*reflectors]}
}

// run reduces A.
func (r *reduction) run() {
	n := r.a.Rows
	for from := 0; from < n; from += reflectors {
		to := min(from+reflectors, n)
		for i := from; i < to; i++ {
			r.row(from, i)
		}
		if to < n {
			v, w := r.a.Slice(from, to, to, n), r.w.Slice(0, reflectors, to, n)
			rest := r.a.Slice(to, n, to, n)
			vec.Gemm(vec.Transposed, vec.NoTrans, -1, v, w, 1, rest)
			vec.Gemm(vec.Transposed, vec.NoTrans, -1, w, v, 1, rest)
		}
	}
}

// row brings row i up to date, which is in the panel that begins at from, and makes its reflector of what is behind the
// diagonal, and the row of W:
//
//	w = tau (B v - Vᵀ W v - Wᵀ V v), then w - tau/2 (w v) v, where B is A behind row and column i
func (r *reduction) row(from, i int) {
	n, j := r.a.Rows, i-from
	row := r.a.Row(i)
	if j > 0 {
		v, w := r.a.Slice(from, i, i, n), r.w.Slice(0, j, i, n)
		ofV, ofW := r.products[:j], r.products[reflectors:reflectors+j]
		for p := range j {
			ofV[p], ofW[p] = v.Row(p)[0], w.Row(p)[0]
		}
		vec.GemvT(-1, w, ofV, 1, row[i:])
		vec.GemvT(-1, v, ofW, 1, row[i:])
	}
	r.d[i] = row[i]
	if i == n-1 {
		return
	}
	v, w := row[i+1:], r.w.Row(j)[i+1:]
	r.e[i], r.tau[i] = reflector(v)
	tau := r.tau[i]
	vec.Gemv(tau, r.a.Slice(i+1, n, i+1, n), v, 0, w)
	if j > 0 {
		lastV, lastW := r.a.Slice(from, i, i+1, n), r.w.Slice(0, j, i+1, n)
		ofV, ofW := r.products[:j], r.products[reflectors:reflectors+j]
		vec.Gemv(-tau, lastV, v, 0, ofV)
		vec.Gemv(-tau, lastW, v, 0, ofW)
		vec.GemvT(1, lastV, ofW, 1, w)
		vec.GemvT(1, lastW, ofV, 1, w)
	}
	vec.Axpy64(-tau/2*vec.Dot64(w, v), v, w)
}

// reflector turns x into v with v_0 = 1 for which (I - tau v vᵀ) x is (first, 0, ..., 0). What is below 1e-200 counts
// as 0: numbers of the whole matrix are about 1e-100 or larger (moderate).
func reflector(x []float64) (first, tau float64) {
	first = x[0]
	size := vec.Norm(x)
	if len(x) == 1 || size < 1e-200 {
		clear(x)
		x[0] = 1
		return first, 0
	}
	beta := -math.Copysign(size, first)
	vec.Scale(1/(first-beta), x)
	x[0] = 1
	return beta, (beta - first) / beta
}

// transposed sets q to Qᵀ = H_(n-2) ... H_0, a panel at a time from the last on: with a row of V for each of its
// reflectors their product in order is I - Vᵀ S V, where S is an upper triangle, and q becomes q - (q Vᵀ) Sᵀ V.
func (r *reduction) transposed(q vec.Matrix[float64]) {
	n := q.Rows
	for i := range n {
		row := q.Row(i)
		clear(row)
		row[i] = 1
	}
	var s [reflectors * reflectors]float64
	for from := (n - 2) / reflectors * reflectors; from >= 0; from -= reflectors {
		to := min(from+reflectors, n-1)
		size, rest := to-from, n-from-1
		v := r.v.Slice(0, size, 0, rest)
		for j := range size {
			row := v.Row(j)
			clear(row[:j])
			copy(row[j:], r.a.Row(from + j)[from+j+1:])
		}
		t := vec.MatrixOf(size, size, s[:size*size])
		r.triangle(v, r.tau[from:to], t)
		block := q.Slice(from+1, n, from+1, n)
		// W has room for both products, which are rest-by-size.
		left := vec.MatrixOf(rest, size, r.w.Data[:rest*size])
		vec.Gemm(vec.NoTrans, vec.Transposed, 1, block, v, 0, left)
		for i := range rest {
			row := left.Row(i)
			for j := range size { // left Sᵀ: column j takes columns j and behind
				row[j] = vec.Dot64(row[j:], t.Row(j)[j:])
			}
		}
		vec.Gemm(vec.NoTrans, vec.NoTrans, -1, left, v, 1, block)
	}
}

// triangle sets S of the reflectors: s_jj = tau_j, and above it column j is -tau_j S V v_j, with S and V of the
// reflectors before.
func (r *reduction) triangle(v vec.Matrix[float64], tau []float64, s vec.Matrix[float64]) {
	for j, t := range tau {
		clear(s.Row(j))
		s.Row(j)[j] = t
		if j == 0 {
			continue
		}
		ofV := r.products[:j]
		vec.Gemv(-t, v.Slice(0, j, 0, v.Cols), v.Row(j), 0, ofV)
		for i := range j {
			s.Row(i)[j] = vec.Dot64(s.Row(i)[i:j], ofV[i:])
		}
	}
}

// mirror writes to b both triangles of a symmetric matrix of which a has the lower or the upper one.
func mirror(lower bool, a, b vec.Matrix[float64]) {
	for i := range a.Rows {
		lo, hi := i, a.Rows
		if lower {
			lo, hi = 0, i+1
		}
		copy(b.Row(i)[lo:hi], a.Row(i)[lo:hi])
	}
	const side = 16
	for i0 := 0; i0 < b.Rows; i0 += side {
		for j := range b.Rows {
			for i := i0; i < min(i0+side, b.Rows); i++ {
				if lower && i > j || !lower && i < j {
					b.Data[j*b.Stride+i] = b.Data[i*b.Stride+j]
				}
			}
		}
	}
}
