package box

import "unsafe"

func coupledhingeF32Generic(a, s, delta *float32, m int, y *uint64, p *Coupled[float32], h float32, least float64) (
	gap, term, quadratic float64, outcome int) {
	return coupledGeneric(a, s, delta, m, y, p, h, least, false)
}

func coupledhingeF64Generic(a, s, delta *float64, m int, y *uint64, p *Coupled[float64], h, least float64) (
	gap, term, quadratic float64, outcome int) {
	return coupledGeneric(a, s, delta, m, y, p, h, least, false)
}

func coupledsquaredF32Generic(a, s, delta *float32, m int, y *uint64, p *Coupled[float32], h float32, least float64) (
	gap, term, quadratic float64, outcome int) {
	return coupledGeneric(a, s, delta, m, y, p, h, least, true)
}

func coupledsquaredF64Generic(a, s, delta *float64, m int, y *uint64, p *Coupled[float64], h, least float64) (
	gap, term, quadratic float64, outcome int) {
	return coupledGeneric(a, s, delta, m, y, p, h, least, true)
}

// coupledGeneric is the loop of the doc comment, with sums in float64.
func coupledGeneric[T float](ap, sp, deltap *T, m int, y *uint64, p *Coupled[T], h T, least float64, squared bool) (
	gap, term, quadratic float64, outcome int) {
	a, s, u, hi := unsafe.Slice(ap, m), unsafe.Slice(sp, m), unsafe.Slice(p.U, m), unsafe.Slice(p.Hi, m)
	own, words := unsafe.Slice(p.Own, m), unsafe.Slice(y, (m+63)/64)
	t := func(l int) T { return T(int(words[l/64]>>(l%64)&1)*2 - 1) }
	away := func(l int, x, q T) T {
		switch {
		case squared:
			return clip(q, 0, hi[l]) - p.Bend*x
		case q > 0:
			return hi[l] - x
		}
		return -x
	}
	bend := T(0)
	if squared {
		bend = p.Bend
	}
	for l, v := range a {
		x, q := t(l)*v, u[l]-t(l)*s[l]
		d := away(l, x, q)
		if squared {
			gap += float64(p.R)*float64(d)*float64(d) + float64(x)*float64(clip(q, 0, hi[l])-q)
		} else {
			gap += float64(d) * float64(q)
		}
	}
	if !(gap > least) {
		return gap, 0, 0, Rests
	}
	line := 64 / int(unsafe.Sizeof(h))
	wide := (m + line - 1) / line * line
	delta, rows := unsafe.Slice(deltap, wide), unsafe.Slice(p.Coupling, (m-1)*p.Stride+wide)
	clear(delta)
	for l, v := range a {
		x, q := t(l)*v, u[l]-t(l)*s[l]
		if away(l, x, q) == 0 {
			continue
		}
		inv := 1 / max(h*own[l]+bend, p.Floor)
		z := clip(x+(q-bend*x)*inv-t(l)*(h*inv)*delta[l], 0, hi[l])
		d := z - x
		if d == 0 {
			continue
		}
		step := t(l) * d
		a[l], outcome = t(l)*z, Moved
		term += (float64(z) - float64(x)) * (float64(u[l]) - float64(bend)/2*(float64(z)+float64(x)))
		along := float64(delta[l]) + float64(own[l])*float64(step)/2
		quadratic += float64(step) * (float64(s[l]) + float64(h)*along)
		for k, r := range rows[l*p.Stride:][:wide] {
			delta[k] += step * r
		}
	}
	return gap, term, quadratic, outcome
}
