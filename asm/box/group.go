//go:build (amd64 || arm64) && !purego

package box

// GroupHingeF32 is the whole visit of a sparse example x, x[idx[k]] = val[k], with the hinge of each of the 16 labels
// of p, whose weights are w, as many numbers to each row. Bit l of y is set where label l is true. With t[l] = 1 for a
// true label and -1 for the others
//
//	s[l] = sum over k of val[k] w[idx[k], l]
//	q[l] = U[l] - t[l] s[l]
//	x[l] = t[l] a[l], 0 <= x[l] <= Hi[l]
//	gap  = sum of ((Hi[l] if q[l] > 0, else 0) - x[l]) q[l]
//
// it rests unless gap > least; it rests where gap is NaN. Otherwise, with inv = 1/h,
//
//	z[l]         = min(max(x[l] + q[l] inv, 0), Hi[l])
//	a[l]         = t[l] z[l]
//	after        = sum of U[l] z[l]
//	w[idx[k], l] += val[k] t[l] (z[l] - x[l])
//
// Where the sum before min and max is NaN z[l] is 0. A place in the group that is no label has U and Hi of 0, and its a
// and its column of w stay 0. gap and after are sums in the type of the elements. Nothing overlaps. A row of w that
// begins at a cache line's boundary is read and written quicker.
//
//go:noescape
func GroupHingeF32(w *float32, idx *int32, val *float32, nnz int, a *float32, y int, p *Group[float32], inv float32,
	least float64) (gap, after float64, outcome int)

// GroupHingeF64 is GroupHingeF32 for float64.
//
//go:noescape
func GroupHingeF64(w *float64, idx *int32, val *float64, nnz int, a *float64, y int, p *Group[float64], inv,
	least float64) (gap, after float64, outcome int)

// GroupSquaredF32 is GroupHingeF32 for the squared hinge R max(0, U - t s)² of each label. Hi of a label is +Inf, or as
// large as x may become, and with Bend = 1/(2R), inv = 1/(h + Bend) and v[l] = min(max(q[l], 0), Hi[l])
//
//	gap   = sum of R (v[l] - Bend x[l])² + x[l] (v[l] - q[l])
//	z[l]  = min(max(x[l] + (q[l] - Bend x[l]) inv, 0), Hi[l])
//	after = sum of (U[l] - Bend/2 z[l]) z[l]
//
//go:noescape
func GroupSquaredF32(w *float32, idx *int32, val *float32, nnz int, a *float32, y int, p *Group[float32], inv float32,
	least float64) (gap, after float64, outcome int)

// GroupSquaredF64 is GroupSquaredF32 for float64.
//
//go:noescape
func GroupSquaredF64(w *float64, idx *int32, val *float64, nnz int, a *float64, y int, p *Group[float64], inv,
	least float64) (gap, after float64, outcome int)
