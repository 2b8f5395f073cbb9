//go:build (amd64 || arm64) && !purego

package entropy

import _ "github.com/dualgap/dualgap/asm/cpu" // the entries read its Level

// BeginF32 sets l and p to the softmax of the scores s, times e^-shift. a are the dual variables. There are m >= 1 of
// each. The rows of u are z, l and p, m rounded up to a multiple of 8 apart; what is behind the m-th number of a row
// may be read and written, and does not matter.
//
//	l[j] = s[j] - shift;  p[j] = exp(l[j]);  sums = sum p[j], sum a[j] s[j]
//
// All is computed in float64. A score of NaN makes both sums NaN.
//
//go:noescape
func BeginF32(a, s *float32, u, sums *float64, m int, shift float64)

// BeginF64 is BeginF32 for float64.
//
//go:noescape
func BeginF64(a, s, u, sums *float64, m int, shift float64)

// StepF32 finds the t at which the sum of p is right, and moves the dual variables to -x, where x is r p, rounded. q
// points to a Problem, and u is what BeginF32 has left. y is the true class, or negative.
//
//	z[j] = l[j] - H a[j], for y more by Plus
//
// The sum of p(e - d) is A - B d + C d²/2 - D d³/6 + ..., in which, of the next order in e and d,
//
//	A = sum p + p g e (1 + g² e/2 (1 + f e/3)),  B = sum p g (1 + g² e (1 + f e/2))
//	C = sum p g³ (1 + f e),  D = sum p g³ f
//
// With rho = (A - Total)/B, kappa = C/B and delta = D/B its root is
//
//	d = rho + kappa/2 rho² + (kappa²/2 - delta/6) rho³ + ...
//
// |kappa| and |delta| are at most 1, and the next term is at most 1.1 rho⁴. Where |rho| is not below 1, rho itself is
// taken, Newton's step. From t = 0 the first d is bounded by the largest
// |e|: where the sum is right, as BeginF32 leaves it, all p would grow beyond, or all become less. A step is
//
//	t += d;  l += max(min(e, 0), e q³/max(q⁴/4, q⁴ + w e q²/2 + w (2-w) min(e², 1)/12)), q = 1 + w, and no further
//	than to Top;  p = exp(l).
//
// The quotient is g e/(1 + w g² e/2 + w (2-w) g⁴ e²/12), which agrees with l(e) - l to third order, as e is small; with
// the first two terms below it would be Halley's step for l. Where it is negative l(e) is no less than l + e. Where all
// |e| and |d| are at most 1/4, some tiers take the series to third order, g e (1 - w g² e/2 (1 + f e/3)), which needs
// no division. Once no |e| nor |d| exceeds Near
//
//	v = g e (1 + g² e/2 (1 + f e/3));  x = Scale p (1 + v), Scale being Shrunk if p[y] < Small
//	a[j] = -x, rounded;  delta[j] = the difference
//	Sum = sum -a[j];  Logs = sum -a[j] (l + log(1 + v)) - a[j] - x
//
// but for y all are 0. With X the rounded x, X log(X/x) is X - x but for (X - x)²/2x, which is at most 2^-49 x. So Logs
// + Sum log Scale is the sum of X log X. log(1 + v) is a polynomial, exact for |v| <= 2^-8, and 2^-13 for float64.
//
// Where 12 steps do not do, and where a number is NaN or too large, the step is refused. a, delta and u do not overlap.
//
//go:noescape
func StepF32(a, delta *float32, u *float64, m, y int, q *float64) (outcome int)

// StepF64 is StepF32 for float64.
//
//go:noescape
func StepF64(a, delta, u *float64, m, y int, q *float64) (outcome int)
