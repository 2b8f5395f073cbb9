package pair

import "unsafe"

type float interface{ float32 | float64 }

func scanF32Generic(row, q, f, x *float32, n int, p *Scan[float32]) (best int, gain, d float32) {
	return scanGeneric(row, q, f, x, n, p)
}

func scanF64Generic(row, q, f, x *float64, n int, p *Scan[float64]) (best int, gain, d float64) {
	return scanGeneric(row, q, f, x, n, p)
}

func scanmixedGeneric(row, q *float32, f, x *float64, n int, p *Scan[float64]) (best int, gain, d float64) {
	return scanGeneric(row, q, f, x, n, p)
}

// scanGeneric is the loop of the doc comment. The conversions of products keep compilers from fusing them with a sum.
func scanGeneric[R, T float](row, q *R, f, x *T, n int, p *Scan[T]) (best int, gain, d T) {
	rows, diagonal, scores, xs := unsafe.Slice(row, n), unsafe.Slice(q, n), unsafe.Slice(f, n), unsafe.Slice(x, n)
	best = -1
	for l, v := range xs {
		r := T(rows[l])
		a := max(p.A+T(diagonal[l])-(r+r), p.Least)
		b := p.B + scores[l] + T(p.P*v)
		step := min(max(b/a, max(p.L0, T(p.L1*v)+p.L2)), min(p.U0, T(p.U1*v)+p.U2))
		if g := step * (b - T(a/2*step)); g > gain {
			best, gain, d = l, g, step
		}
	}
	return best, gain, d
}
