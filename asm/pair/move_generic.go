package pair

import "unsafe"

func moveF32Generic(f, rk, rl *float32, n int, d float32)            { moveGeneric(f, rk, rl, n, d) }
func moveF64Generic(f, rk, rl *float64, n int, d float64)            { moveGeneric(f, rk, rl, n, d) }
func movemixedGeneric(f *float64, rk, rl *float32, n int, d float64) { moveGeneric(f, rk, rl, n, d) }

func moveGeneric[R, T float](f *T, rk, rl *R, n int, d T) {
	scores, other := unsafe.Slice(f, n), unsafe.Slice(rl, n)
	for l, v := range unsafe.Slice(rk, n) {
		scores[l] += T(d * (T(v) - T(other[l])))
	}
}
