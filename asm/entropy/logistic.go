//go:build (amd64 || arm64) && !purego

package entropy

// LogisticF32 is the visit of an example with the logistic loss of each of m >= 1 labels, once its scores s are known:
// weight log(1 + e^z), z = -t s, where t is 1 for a true label and -1 for any other. a are the dual variables t x, 0 <=
// x <= weight. The rows of u are t, weight, 1/weight, the largest number of the element type that is not above weight,
// and three for the kernels alone, m rounded up to a multiple of 8 apart. What is behind the m-th number is 0 in the
// first four rows, and may be written in the last three.
//
//	gap = sum weight[l] log(1 + e^z[l]) + a[l] s[l] - term
//
// It rests unless gap > least; it rests where gap is NaN. Otherwise each x goes to where it maximises its entropy
//
//	-x log(x/weight) - (weight-x) log(1 - x/weight) - t s (x - x') - h/2 (x - x')²,   x' of the last visit,
//
// which is where with p = x/weight, c = h weight
//
//	log p - log(1-p) = z - c (p - p').
//
// Let q be the smaller one of p and 1-p, which the sign of z + c (p' - 1/2) tells beforehand, and w = log(1-q) - log q
// >= 0 its distance: then q = 1/(1 + e^w), and with z turned to q's side
//
//	F(w) = w - z - c (q(w) - q') = 0,   F' = 1 + c q (1-q),   F'' = -c q (1-q) (1-2q).
//
// F grows and is concave for w >= 0. Small x and small weight - x keep all their digits, which is what the method of
// Yu, Huang and Lin (Machine Learning 85, 2011), Algorithm 4, has two variables for. A step is Halley's, which ends
// with the third power of the error, but at most twice Newton's, which ends at the left of the root from anywhere,
// and all others go on to it from there. The first w is z, of which the loss has taken the exponential: it is the root
// of settled dual variables. After the first step of at most 1/16, for float64 1/128, Taylor's series end it.
//
//	a[l] = t x, rounded;  delta[l] = the difference, rounded;  after = sum of the entropies at these a
//
// All is computed in float64. A label's a and delta do not depend on the others. a, s, delta and u do not overlap.
//
//go:noescape
func LogisticF32(a, s, delta *float32, u *float64, m int, h, term, least float64) (gap, after float64, outcome int)

// LogisticF64 is LogisticF32 for float64.
//
//go:noescape
func LogisticF64(a, s, delta, u *float64, m int, h, term, least float64) (gap, after float64, outcome int)
