package smo

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSolve2DQP: on random positive definite Q of all conditions the result is in the box, no point of a grid over the
// box is better, and the gradient q = g - Qx says so: 0 inside, outwards at an end. All nine places of the result among
// the ends of the box occur, and with each of them the unconstrained maximiser beyond one end and beyond two.
func TestSolve2DQP(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[[4]int]int{}
	for range 20000 {
		a, b := math.Exp(2*rng.NormFloat64()), math.Exp(2*rng.NormFloat64())
		cosine := math.Tanh(2 * rng.NormFloat64())
		if math.Abs(cosine) > .999 {
			continue
		}
		q11, q12, q22 := a*a, a*b*cosine, b*b
		var g, low, high [2]float64
		for j := range 2 {
			low[j], high[j] = -rng.Float64(), rng.Float64()
			switch rng.IntN(8) { // a variable that is at an end of its box, as in Algorithm 1
			case 0:
				low[j] = 0
			case 1:
				high[j] = 0
			}
			g[j] = 2 * rng.NormFloat64() * math.Sqrt([2]float64{q11, q22}[j])
		}
		x := solve2DQP(q11, q12, q22, g, low, high)
		slope := [2]float64{g[0] - q11*x[0] - q12*x[1], g[1] - q12*x[0] - q22*x[1]}
		// The free solution is a quotient of differences: of sums of two products, each rounded, and of the
		// determinant. Its error, times Q, is what of the slope may be left.
		u := 0x1p-53
		det := q11*q22 - q12*q12
		lost := 4 * u * (q11*q22 + q12*q12) / det
		var off [2]float64
		for j, n := range [2]float64{q22*math.Abs(g[0]) + math.Abs(q12*g[1]), q11*math.Abs(g[1]) + math.Abs(q12*g[0])} {
			off[j] = n / det * (lost + 4*u)
		}
		wrong := [2]float64{
			q11*off[0] + math.Abs(q12)*off[1] + 4*u*(math.Abs(g[0])+q11+math.Abs(q12)),
			q22*off[1] + math.Abs(q12)*off[0] + 4*u*(math.Abs(g[1])+q22+math.Abs(q12)),
		}
		var place [4]int
		for j := range 2 {
			switch {
			case x[j] < low[j] || x[j] > high[j] || x[j] != x[j]:
				t.Fatalf("x_%d = %v, not in %v..%v", j, x[j], low[j], high[j])
			case x[j] == low[j]:
				place[j] = -1
			case x[j] == high[j]:
				place[j] = 1
			}
			if place[j] <= 0 && slope[j] > wrong[j] && x[j] < high[j] || place[j] >= 0 && slope[j] < -wrong[j] &&
				x[j] > low[j] {
				t.Fatalf("Q %v %v %v, g %v, low %v, high %v: x %v, slope %v", q11, q12, q22, g, low, high, x, slope)
			}
		}
		for j, v := range [2]float64{(q22*g[0] - q12*g[1]) / det, (q11*g[1] - q12*g[0]) / det} {
			if v < low[j] || v > high[j] {
				place[2+j] = 1
			}
		}
		seen[place]++
		const grid = 20
		best := gain(q11, q12, q22, g, x)
		size := math.Abs(x[0]*g[0]) + math.Abs(x[1]*g[1]) + math.Abs(best)
		for i := range (grid + 1) * (grid + 1) {
			z := [2]float64{float64(i%(grid+1)) / grid, float64(i/(grid+1)) / grid}
			for j := range z {
				z[j] = clip(low[j]+(high[j]-low[j])*z[j], low[j], high[j])
			}
			room := wrong[0]*math.Abs(z[0]-x[0]) + wrong[1]*math.Abs(z[1]-x[1])
			if v := gain(q11, q12, q22, g, z); v > best+room+16*u*(size+math.Abs(v)+math.Abs(z[0]*g[0])+
				math.Abs(z[1]*g[1])) {
				t.Fatalf("Q %v %v %v, g %v, low %v, high %v: h(%v) = %v, but h(%v) = %v",
					q11, q12, q22, g, low, high, x, best, z, v)
			}
		}
	}
	for _, place := range [][4]int{
		{0, 0, 0, 0},                                             // nothing binds
		{-1, 0, 1, 0}, {1, 0, 1, 0}, {0, -1, 0, 1}, {0, 1, 0, 1}, // one does
		{-1, -1, 1, 0}, {1, 1, 1, 0}, {-1, 1, 0, 1}, {1, -1, 0, 1}, // and makes the other do it
		{-1, 0, 1, 1}, {1, 0, 1, 1}, {0, -1, 1, 1}, {0, 1, 1, 1}, // both, one of them in the end
		{-1, -1, 1, 1}, {1, 1, 1, 1}, {-1, 1, 1, 1}, {1, -1, 1, 1}, // both
	} {
		if seen[place] == 0 {
			t.Errorf("no case of ends %v with the free maximiser outside in %v", place[:2], place[2:])
		}
	}
}

// TestSolve1DQP: inside, at both ends, and where there is no curvature.
func TestSolve1DQP(t *testing.T) {
	for _, c := range [][5]float64{
		{2, 1, -1, 1, .5}, {2, 8, -1, 1, 1}, {2, -8, -1, 1, -1}, {0, 3, -1, 2, 2}, {0, -3, -1, 2, -1}, {2, 1, 0, 0, 0},
		{0, 1, 0, 0, 0},
	} {
		if x := solve1DQP(c[0], c[1], c[2], c[3]); x != c[4] {
			t.Errorf("q = %v, g = %v in %v..%v: %v, want %v", c[0], c[1], c[2], c[3], x, c[4])
		}
	}
}
