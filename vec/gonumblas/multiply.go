package gonumblas

import "github.com/dualgap/dualgap/vec"

// multiply replaces b by op(A) B.
func (t triangle[T]) multiply(b vec.Matrix[T]) {
	n := t.a.Rows
	if n > base {
		k := half(n)
		first, last, rest := t.split(k)
		b1, b2 := b.Slice(0, k, 0, b.Cols), b.Slice(k, n, 0, b.Cols)
		if t.forward() {
			last.multiply(b2)
			product(t.trans, false, 1, rest, b1, 1, b2)
			first.multiply(b1)
		} else {
			first.multiply(b1)
			product(t.trans, false, 1, rest, b2, 1, b1)
			last.multiply(b2)
		}
		return
	}
	for i := range order(n, t.forward()) {
		row, lo := beside(t.a, t.lower, i)
		others := b.Slice(lo, lo+len(row), 0, b.Cols)
		if t.trans {
			vec.Ger(1, row, b.Row(i), others)
		}
		diagonal := T(1)
		if !t.unit {
			diagonal = t.a.Data[i*t.a.Stride+i]
		}
		if !t.trans {
			vec.GemvT(1, others, row, diagonal, b.Row(i))
		} else {
			vec.Scale(diagonal, b.Row(i))
		}
	}
}

// multiplyRows replaces every row x of b by op(A) x.
func (t triangle[T]) multiplyRows(b vec.Matrix[T]) {
	n := t.a.Rows
	if n > base {
		k := half(n)
		first, last, rest := t.split(k)
		b1, b2 := b.Slice(0, b.Rows, 0, k), b.Slice(0, b.Rows, k, n)
		if t.forward() {
			last.multiplyRows(b2)
			product(false, !t.trans, 1, b1, rest, 1, b2)
			first.multiplyRows(b1)
		} else {
			first.multiplyRows(b1)
			product(false, !t.trans, 1, b2, rest, 1, b1)
			last.multiplyRows(b2)
		}
		return
	}
	for r := range b.Rows {
		t.multiplyVector(b.Row(r))
	}
}

func (t triangle[T]) multiplyVector(x []T) {
	n := len(x)
	if n > vectorBase {
		k := half(n)
		first, last, rest := t.split(k)
		x1, x2 := x[:k], x[k:]
		if t.forward() {
			last.multiplyVector(x2)
			t.addTo(x2, 1, rest, x1)
			first.multiplyVector(x1)
		} else {
			first.multiplyVector(x1)
			t.addTo(x1, 1, rest, x2)
			last.multiplyVector(x2)
		}
		return
	}
	for i := range order(n, t.forward()) {
		row, lo := beside(t.a, t.lower, i)
		others := x[lo : lo+len(row)]
		if t.trans {
			vec.Axpy(x[i], row, others)
		}
		if !t.unit {
			x[i] *= t.a.Data[i*t.a.Stride+i]
		}
		if !t.trans {
			x[i] += vec.Dot(row, others)
		}
	}
}
