package hinge

import "unsafe"

func lowerF32Generic(x *float32, n int, most float32) (sum float64) { return lowerGeneric(x, n, most) }
func lowerF64Generic(x *float64, n int, most float64) (sum float64) { return lowerGeneric(x, n, most) }

func lowerGeneric[T float32 | float64](x *T, n int, most T) (sum float64) {
	xs := unsafe.Slice(x, n)
	var s [4]float64 // chains of additions
	for j, v := range xs {
		if v > most {
			v = most
		}
		xs[j] = v
		s[j%4] += float64(v)
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

func moveF32Generic(a, x, delta *float32, n int) (sum float64, moved int) {
	return moveGeneric(a, x, delta, n)
}

func moveF64Generic(a, x, delta *float64, n int) (sum float64, moved int) {
	return moveGeneric(a, x, delta, n)
}

func moveGeneric[T float32 | float64](a, x, delta *T, n int) (sum float64, moved int) {
	as, steps := unsafe.Slice(a, n), unsafe.Slice(delta, n)
	for j, v := range unsafe.Slice(x, n) {
		sum += float64(v)
		step := -v - as[j]
		if step != 0 {
			moved = 1
		}
		steps[j], as[j] = step, -v
	}
	return sum, moved
}

func sumF32Generic(x *float32, n int) (sum float64) { return sumGeneric(x, n) }
func sumF64Generic(x *float64, n int) (sum float64) { return sumGeneric(x, n) }

func sumGeneric[T float32 | float64](x *T, n int) (sum float64) {
	var s [4]float64 // chains of additions
	for j, v := range unsafe.Slice(x, n) {
		s[j%4] += float64(v)
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

func targetF32Generic(b, a, s *float32, n int, margin, inv, rho, sum float32) {
	targetGeneric(b, a, s, n, margin, inv, rho, sum)
}

func targetF64Generic(b, a, s *float64, n int, margin, inv, rho, sum float64) {
	targetGeneric(b, a, s, n, margin, inv, rho, sum)
}

func targetGeneric[T float32 | float64](b, a, s *T, n int, margin, inv, rho, sum T) {
	duals, scores := unsafe.Slice(a, n), unsafe.Slice(s, n)
	to := unsafe.Slice(b, n)
	for j := range to {
		to[j] = T((scores[j]+margin)*inv) - T(rho*duals[j]) + sum
	}
}
