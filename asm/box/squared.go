//go:build (amd64 || arm64) && !purego

package box

// SquaredF32 is HingeF32 for the squared hinge r max(0, margin[l] - t[l] s[l])² of each label: [lo, hi] is [0, +Inf]
// where t = +1 and [-Inf, 0] where t = -1; the largest finite number in place of Inf keeps a[l] finite, whatever the
// scores are. With bend = 1/(2r)
//
//	q[l]     = c[l] - s[l]
//	w[l]     = min(max(q[l], lo[l]), hi[l])
//	gap      = sum of the losses - <c,a> + bend/2 <a,a> + <a,s>
//	         = sum of r (w[l] - bend a[l])² + a[l] (w[l] - q[l]), no term of which is negative
//	x[l]     = min(max(a[l] + (q[l] - bend a[l]) inv, lo[l]), hi[l]),  inv = 1/(h + bend)
//	after    = sum of (c[l] - bend/2 x[l]) x[l]
//
//go:noescape
func SquaredF32(a, s, delta *float32, m int, p *Problem[float32], inv float32, least float64) (gap, after float64,
	outcome int)

// SquaredF64 is SquaredF32 for float64.
//
//go:noescape
func SquaredF64(a, s, delta *float64, m int, p *Problem[float64], inv, least float64) (gap, after float64, outcome int)
