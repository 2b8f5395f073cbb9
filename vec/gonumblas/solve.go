package gonumblas

import "github.com/dualgap/dualgap/vec"

// base is the size of triangles that are worked off row by row; larger ones are halved, so that most of the work is
// products of rectangles.
const base = 16

// vectorBase is base for single vectors: the rest is no faster than the rows.
const vectorBase = 64

// solve replaces the columns of b by the solutions of op(A) X = B.
func (t triangle[T]) solve(b vec.Matrix[T]) {
	n := t.a.Rows
	if n > base {
		k := half(n)
		first, last, rest := t.split(k)
		b1, b2 := b.Slice(0, k, 0, b.Cols), b.Slice(k, n, 0, b.Cols)
		if t.forward() {
			first.solve(b1)
			product(t.trans, false, -1, rest, b1, 1, b2)
			last.solve(b2)
		} else {
			last.solve(b2)
			product(t.trans, false, -1, rest, b2, 1, b1)
			first.solve(b1)
		}
		return
	}
	for i := range order(n, !t.forward()) {
		row, lo := beside(t.a, t.lower, i)
		others := b.Slice(lo, lo+len(row), 0, b.Cols)
		if !t.trans {
			vec.GemvT(-1, others, row, 1, b.Row(i))
		}
		if !t.unit {
			vec.Scale(1/t.a.Data[i*t.a.Stride+i], b.Row(i))
		}
		if t.trans {
			vec.Ger(-1, row, b.Row(i), others)
		}
	}
}

// solveRows replaces every row x of b by the solution of op(A) x = b.
func (t triangle[T]) solveRows(b vec.Matrix[T]) {
	n := t.a.Rows
	if n > base {
		k := half(n)
		first, last, rest := t.split(k)
		b1, b2 := b.Slice(0, b.Rows, 0, k), b.Slice(0, b.Rows, k, n)
		if t.forward() {
			first.solveRows(b1)
			product(false, !t.trans, -1, b1, rest, 1, b2)
			last.solveRows(b2)
		} else {
			last.solveRows(b2)
			product(false, !t.trans, -1, b2, rest, 1, b1)
			first.solveRows(b1)
		}
		return
	}
	for r := range b.Rows {
		t.solveVector(b.Row(r))
	}
}

func (t triangle[T]) solveVector(x []T) {
	n := len(x)
	if n > vectorBase {
		k := half(n)
		first, last, rest := t.split(k)
		x1, x2 := x[:k], x[k:]
		if t.forward() {
			first.solveVector(x1)
			t.addTo(x2, -1, rest, x1)
			last.solveVector(x2)
		} else {
			last.solveVector(x2)
			t.addTo(x1, -1, rest, x2)
			first.solveVector(x1)
		}
		return
	}
	for i := range order(n, !t.forward()) {
		row, lo := beside(t.a, t.lower, i)
		others := x[lo : lo+len(row)]
		if !t.trans {
			x[i] -= vec.Dot(row, others)
		}
		if !t.unit {
			x[i] /= t.a.Data[i*t.a.Stride+i]
		}
		if t.trans {
			vec.Axpy(-x[i], row, others)
		}
	}
}

// half splits n so that the first part is a multiple of base, which keeps rows of the parts at vectors' boundaries.
func half(n int) int { return max(n/2/base, 1) * base }
