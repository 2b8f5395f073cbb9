//go:build (amd64 || arm64) && !purego

package box

// CoupledHingeF32 visits an example with m >= 1 labels, scores s and dual variables a, with the hinge of each label,
// where a symmetric matrix R couples the labels: a move of label l by d changes the scores of all labels k by h d
// R[l,k]. Bit l%64 of y[l/64] is set where label l is true. With t[l] = 1 for a true label and -1 for the others
//
//	q[l] = U[l] - t[l] s[l]
//	x[l] = t[l] a[l], 0 <= x[l] <= Hi[l]
//	gap  = sum of ((Hi[l] if q[l] > 0, else 0) - x[l]) q[l]
//
// it rests unless gap > least; it rests where gap is NaN. Otherwise delta = 0, and the labels whose first factor of
// this sum is not 0 move in ascending order, each with the moves before it:
//
//	inv        = 1/max(h R[l,l], Floor)
//	z          = min(max(x[l] + q[l] inv - t[l] h inv delta[l], 0), Hi[l])
//	d          = t[l] (z - x[l])
//	a[l]       = t[l] z
//	term      += U[l] (z - x[l])
//	quadratic += d (s[l] + h delta[l] + h R[l,l] d/2)
//	delta     += d R[l,:]
//
// A sum before min and max that is NaN becomes 0. h is not negative, and h/Floor is finite. delta has numbers up to a
// multiple of 64 bytes, which become 0 behind the m-th, and so have U, Hi, the rows of R and its diagonal, which are 0
// there. term and quadratic are sums in float64, gap and delta in the type of the elements. Nothing overlaps. O(m) for
// each label that moves.
//
//go:noescape
func CoupledHingeF32(a, s, delta *float32, m int, y *uint64, p *Coupled[float32], h float32, least float64) (gap,
	term, quadratic float64, outcome int)

// CoupledHingeF64 is CoupledHingeF32 for float64.
//
//go:noescape
func CoupledHingeF64(a, s, delta *float64, m int, y *uint64, p *Coupled[float64], h, least float64) (gap, term,
	quadratic float64, outcome int)

// CoupledSquaredF32 is CoupledHingeF32 for the squared hinge R max(0, U - t s)² of each label. Hi of a label is +Inf,
// or as large as x may become, and with Bend = 1/(2R) and v[l] = min(max(q[l], 0), Hi[l])
//
//	gap   = sum of R (v[l] - Bend x[l])² + x[l] (v[l] - q[l])
//	inv   = 1/max(h R[l,l] + Bend, Floor)
//	z     = min(max(x[l] + (q[l] - Bend x[l]) inv - t[l] h inv delta[l], 0), Hi[l])
//	term += (z - x[l]) (U[l] - Bend/2 (z + x[l]))
//
// Labels move where v[l] - Bend x[l] is not 0.
//
//go:noescape
func CoupledSquaredF32(a, s, delta *float32, m int, y *uint64, p *Coupled[float32], h float32, least float64) (gap,
	term, quadratic float64, outcome int)

// CoupledSquaredF64 is CoupledSquaredF32 for float64.
//
//go:noescape
func CoupledSquaredF64(a, s, delta *float64, m int, y *uint64, p *Coupled[float64], h, least float64) (gap, term,
	quadratic float64, outcome int)
