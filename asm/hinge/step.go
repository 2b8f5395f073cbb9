//go:build (amd64 || arm64) && !purego

package hinge

import _ "github.com/dualgap/dualgap/asm/cpu" // the entries read its Level

// StepF32 visits an example of the hinge loss of Crammer and Singer with m >= 2 classes, y the true one, scores s and
// dual variables a: x[c] = -a[c] >= 0 for the other classes c, and their sum, up to rounding, for y. With
//
//	most   = max s[c] over c != y
//	margin = 1 + most - s[y]
//	gap    = r max(0, margin) - term + <a,s>
//
// it rests unless gap > negligible; it rests where gap is NaN. Otherwise, over c != y,
//
//	b[c]   = (1 + s[c] - s[y]) inv - a[c] + a[y],  inv = 1/h
//	x[c]   = max(0, b[c] - t),  t such that the sum of x is min(t, radius),
//	radius = r (1 - 2^-23), for float64 r (1 - 2^-52)
//	after  = sum of the x[c] as rounded to the type of a
//
// a[c] becomes -x[c] and a[y] min(t, radius), the sum before x is rounded; delta is the difference. All is computed in
// float64, from b less the constant margin inv + a[y]: elements above t are then of the size of r, whatever the scores
// are. The radius is less than r by what rounding can add: after <= r (1 + m 2^-51), or else the visit is refused.
//
// Newton's method finds t. Over any set of classes the sum of b[c] - t is at most the sum of the x[c], so the t of a
// set is at most the right one, and the next set has the b[c] above it, until t grows no more. The first set are the
// classes with a[c] < 0 and the class of the largest score; once a training has settled it is the last one, too.
//
// delta and u have room for m elements rounded up to a multiple of 8, and all of that may be written: behind the m-th
// element delta stays or becomes 0. a, s, delta and u do not overlap.
//
//go:noescape
func StepF32(a, s, delta *float32, m, y int, u *float64, inv, r, term, negligible float64) (gap, after float64,
	outcome int)

// StepF64 is StepF32 for float64.
//
//go:noescape
func StepF64(a, s, delta *float64, m, y int, u *float64, inv, r, term, negligible float64) (gap, after float64,
	outcome int)
