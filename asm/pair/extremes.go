//go:build (amd64 || arm64) && !purego

package pair

// ExtremesF64 returns the least g[l] = f[l] + p x[l] of those in [0, n) with x[l] < hi, where it is first, and the
// largest of those with x[l] > lo: +Inf, -1 and -Inf where there is none, as where all are NaN or infinite on the wrong
// side.
//
//go:noescape
func ExtremesF64(f, x *float64, n int, p, lo, hi float64) (least float64, at int, most float64)
