//go:build (amd64 || arm64) && !purego

package box

import _ "github.com/dualgap/dualgap/asm/cpu" // the entries read its Level

// HingeF32 visits an example with m >= 1 labels, scores s and dual variables a, lo[l] <= a[l] <= hi[l], whose loss is
// the hinge u[l] max(0, margin[l] - t[l] s[l]) of each label l: [lo, hi] is [0, u] where t = +1, [-u, 0] where t = -1,
// and c is t margin. With
//
//	q[l] = c[l] - s[l]
//	gap  = sum of the losses - <c,a> + <a,s>
//	     = sum of ((hi[l] if q[l] > 0, else lo[l]) - a[l]) q[l], no term of which is negative
//
// it rests unless gap > least; it rests where gap is NaN. Otherwise, with inv = 1/h,
//
//	x[l]     = min(max(a[l] + q[l] inv, lo[l]), hi[l])
//	delta[l] = x[l] - a[l]
//	a[l]     = x[l]
//	after    = sum of c[l] x[l]
//
// Where the sum before min and max is NaN, as it is for q[l] = 0 and inv = +Inf, x[l] is lo[l]. lo and hi are finite.
// gap and after are sums in the type of the elements. a, s, delta and the arrays of p do not overlap.
//
//go:noescape
func HingeF32(a, s, delta *float32, m int, p *Problem[float32], inv float32, least float64) (gap, after float64,
	outcome int)

// HingeF64 is HingeF32 for float64.
//
//go:noescape
func HingeF64(a, s, delta *float64, m int, p *Problem[float64], inv, least float64) (gap, after float64, outcome int)
