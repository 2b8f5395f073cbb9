package project

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// GroupBall sets dst to the projection of a onto the ball of the (2,q) group norm, where each row x^j is a group,
//
//	|x|_{2,q} = (sum_j |x^j|_2^q)^(1/q) <= r,  1 <= q <= Inf,
//
// and returns the multiplier lambda >= 0 of that constraint, which is the dual norm of a - x. x^j is a^j, scaled to the
// length that solves
//
//	|x^j| + lambda (|x^j|/r)^(q-1) = |a^j|.
//
// For q = 1 that is |x^j| = max(0, |a^j| - lambda), and for q = Inf it is min(|a^j|, r).
//
// dst may be a. Elements of a that are not finite, and norms that overflow float64, make dst and lambda NaN. GroupBall
// panics unless the sizes agree, r >= 0 and q >= 1.
//
// It takes O(d), and for each group about twenty powers: lambda is a root that Newton's method finds inside an
// interval.
func GroupBall[T vec.Float](dst, a vec.Matrix[T], q float64, r T, w *Workspace[T]) (lambda float64) {
	checkSizes("GroupBall", dst, a)
	checkRadius("GroupBall", r)
	if !(q >= 1) {
		panic(unfit("GroupBall", "q = %v, want q >= 1", q))
	}
	norms := w.scratch(2 * a.Rows)[:2*a.Rows]
	norms, lengths := norms[:a.Rows], norms[a.Rows:]
	for j := range norms {
		norms[j] = norm2(a.Row(j))
	}
	lambda = lqBall(lengths, norms, q, float64(r))
	for j, n := range norms {
		shrink := 1.0
		if lengths[j] != n {
			shrink = lengths[j] / n
		}
		row := dst.Row(j)
		for i, v := range a.Row(j) {
			row[i] = T(float64(v) * shrink)
		}
	}
	return lambda
}

// lqBall projects n >= 0 onto |z|_q <= r and returns the multiplier. z and n are different memory.
func lqBall(z, n []float64, q, r float64) (lambda float64) {
	most, sum := 0.0, 0.0
	for _, v := range n {
		most = max(most, v)
		sum += v
	}
	switch {
	case sum-sum != 0: // the norm of some row is not finite, or their sum is not
		return undefined(z).Lambda
	case r == 0:
		clear(z)
		return lqNorm(n, dual(q))
	case lqNorm(n, q) <= r:
		copy(z, n)
		return 0
	case math.IsInf(q, 1):
		for j, v := range n {
			z[j] = min(v, r)
			lambda += v - z[j]
		}
		return lambda
	case q == 1:
		return simplex(z, n, r, nil).Lambda
	}
	for j := range n {
		n[j] /= r
	}
	mu := unitBall(z, n, q)
	for j := range n {
		n[j] *= r
		z[j] *= r
	}
	return mu * r
}

// unitBall projects n >= 0 with |n|_q > 1 onto |z|_q <= 1, 1 < q < Inf, and returns the multiplier mu: z + mu z^(q-1) =
// n, and log |z|_q, which falls with mu, is to be 0. A point in the ball and its polar bound mu by the dual norm of n.
func unitBall(z, n []float64, q float64) (mu float64) {
	lo, hi := 0.0, lqNorm(n, dual(q))
	mu = hi / 2
	for range 200 {
		for j, v := range n {
			z[j] = groupLength(v, mu, q)
		}
		norm := lqNorm(z, q)
		if norm > 1 {
			lo = mu
		} else {
			hi = mu
		}
		slope := 0.0 // of log |z|_q: -sum z^(2q-2)/(1 + mu (q-1) z^(q-2)) / |z|_q^q
		for _, v := range z {
			if v > 0 {
				slope -= math.Exp((2*q-2)*math.Log(v)-q*math.Log(norm)) / (1 + mu*(q-1)*math.Pow(v, q-2))
			}
		}
		next := mu - math.Log(norm)/slope
		if !(lo < next && next < hi) {
			next = lo + (hi-lo)/2
		}
		if math.Abs(next-mu) <= 0x1p-52*mu || next == lo || next == hi {
			break
		}
		mu = next
	}
	return mu
}

// groupLength solves z + mu z^(q-1) = n. Convex in z for q >= 2, and in y = z^(q-1) otherwise, where it reads
// y^(1/(q-1)) + mu y = n: Newton's method falls to the root from above.
func groupLength(n, mu, q float64) float64 {
	if n == 0 || mu == 0 {
		return n
	}
	linear, power, e := 1.0, mu, q-1
	if q < 2 {
		linear, power, e = mu, 1, 1/(q-1)
	}
	y := min(n/linear, math.Pow(n/power, 1/e))
	for range 100 {
		if y == 0 {
			break
		}
		p := power * math.Pow(y, e)
		step := (linear*y + p - n) / (linear + e*p/y)
		if next := y - step; next < y {
			y = max(0, next)
		} else {
			break
		}
	}
	if q < 2 {
		return math.Pow(y, e)
	}
	return y
}

// dual is the exponent of the dual norm: 1/q + 1/dual = 1.
func dual(q float64) float64 {
	switch {
	case q == 1:
		return math.Inf(1)
	case math.IsInf(q, 1):
		return 1
	}
	return q / (q - 1)
}

// lqNorm is |n|_q for n >= 0, powers taken of ratios to the largest.
func lqNorm(n []float64, q float64) float64 {
	most := 0.0
	for _, v := range n {
		most = max(most, v)
	}
	if most == 0 || math.IsInf(q, 1) {
		return most
	}
	sum := 0.0
	for _, v := range n {
		sum += math.Pow(v/most, q)
	}
	return most * math.Pow(sum, 1/q)
}
