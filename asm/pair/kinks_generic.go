package pair

import "unsafe"

func scankinksF32Generic(row, q, f, x *float32, n int, p *Kinks[float32]) (best int, gain, d float32) {
	return scankinksGeneric(row, q, f, x, n, p)
}

func scankinksF64Generic(row, q, f, x *float64, n int, p *Kinks[float64]) (best int, gain, d float64) {
	return scankinksGeneric(row, q, f, x, n, p)
}

// scankinksGeneric is the loop of the doc comment.
func scankinksGeneric[T float](row, q, f, x *T, n int, p *Kinks[T]) (best int, gain, d T) {
	rows, diagonal, scores, xs := unsafe.Slice(row, n), unsafe.Slice(q, n), unsafe.Slice(f, n), unsafe.Slice(x, n)
	best = -1
	for l, v := range xs {
		r := rows[l]
		a := max(p.A+diagonal[l]-(r+r), p.Least)
		b := p.B + scores[l]
		t, m := p.L-v, p.First
		if t >= m {
			m = p.Second
		}
		left, right := p.K-m, m-t
		if left > right {
			left = (left + right) / 2
			right = left
		}
		inv := 1 / a
		step := min(T((b+p.C)*inv), max(left, min(T(b*inv), max(right, T((b-p.C)*inv)))))
		step = min(max(step, max(p.L0, v+p.L1)), min(p.U0, v+p.U1))
		if g := T(step*(b-T(a/2*step))) - T(p.C*max(m, p.K-step, t+step)); g > gain {
			best, gain, d = l, g, step
		}
	}
	return best, gain, d
}
