package box

import "unsafe"

func grouphingeF32Generic(w *float32, idx *int32, val *float32, nnz int, a *float32, y int, p *Group[float32],
	inv float32, least float64) (gap, after float64, outcome int) {
	return groupGeneric(w, idx, val, nnz, a, y, p, inv, least, false)
}

func grouphingeF64Generic(w *float64, idx *int32, val *float64, nnz int, a *float64, y int, p *Group[float64], inv,
	least float64) (gap, after float64, outcome int) {
	return groupGeneric(w, idx, val, nnz, a, y, p, inv, least, false)
}

func groupsquaredF32Generic(w *float32, idx *int32, val *float32, nnz int, a *float32, y int, p *Group[float32],
	inv float32, least float64) (gap, after float64, outcome int) {
	return groupGeneric(w, idx, val, nnz, a, y, p, inv, least, true)
}

func groupsquaredF64Generic(w *float64, idx *int32, val *float64, nnz int, a *float64, y int, p *Group[float64], inv,
	least float64) (gap, after float64, outcome int) {
	return groupGeneric(w, idx, val, nnz, a, y, p, inv, least, true)
}

// groupGeneric turns the signs of labels that are not true, and is then the twin of a visit with given scores.
func groupGeneric[T float](wp *T, idxp *int32, valp *T, nnz int, ap *T, y int, p *Group[T], inv T, least float64,
	squared bool) (gap, after float64, outcome int) {
	const m = GroupSize
	var x, s, delta, none [m]T
	idx, val := unsafe.Slice(idxp, nnz), unsafe.Slice(valp, nnz)
	row := func(k int) []T {
		return unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(wp), uintptr(idx[k])*m*unsafe.Sizeof(*wp))), m)
	}
	for k, v := range val {
		for l, c := range row(k) {
			s[l] += v * c
		}
	}
	a := unsafe.Slice(ap, m)
	turned := func(l int, v T) T {
		if y>>l&1 == 0 {
			return -v
		}
		return v
	}
	for l := range m {
		x[l], s[l] = turned(l, a[l]), turned(l, s[l])
	}
	problem := Problem[T]{C: &p.U[0], Lo: &none[0], Hi: &p.Hi[0], Bend: p.Bend, R: p.R}
	if squared {
		gap, after, outcome = squaredGeneric(&x[0], &s[0], &delta[0], m, &problem, inv, least)
	} else {
		gap, after, outcome = hingeGeneric(&x[0], &s[0], &delta[0], m, &problem, inv, least)
	}
	if outcome == Rests {
		return gap, after, outcome
	}
	for l := range m {
		a[l], delta[l] = turned(l, x[l]), turned(l, delta[l])
	}
	for k, v := range val {
		for l := range row(k) {
			row(k)[l] += v * delta[l]
		}
	}
	return gap, after, outcome
}
