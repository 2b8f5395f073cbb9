package loss

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSquaredHingeSolved: visits in turn solve small problems of two features, whose solution is found by other means
// too.
//
// The primal objective is strongly convex, lambda/2 |W - W*|² <= P(W) - P(W*) <= gap, which bounds the distance
// allowed.
func TestSquaredHingeSolved(t *testing.T) {
	const n, m, lambda = 7, 3, 0.05
	const r = 1 / (lambda * n)
	rng := rand.New(rand.NewPCG(41, 42))
	l, w := SquaredHinge[float64]{}, Workspace[float64]{}
	for range 20 {
		var x [n][2]float64
		var y [n][]int
		for i := range x {
			x[i], y[i] = [2]float64{rng.NormFloat64(), rng.NormFloat64()}, drawSet(rng, m, true)
		}
		var weights [m][2]float64
		var a [n][m]float64
		var terms [n]float64
		scores := func(i int) []float64 {
			s := make([]float64, m)
			for c, v := range weights {
				s[c] = v[0]*x[i][0] + v[1]*x[i][1]
			}
			return s
		}
		delta := make([]float64, m)
		for range 10000 {
			seen := 0.0
			for i, xi := range x {
				g, after, moved := l.Visit(a[i][:], scores(i), y[i], xi[0]*xi[0]+xi[1]*xi[1], r, terms[i], 0, delta, &w)
				seen += g
				terms[i] = after
				if !moved {
					continue
				}
				for c, d := range delta {
					weights[c][0] += d * xi[0]
					weights[c][1] += d * xi[1]
				}
			}
			if seen < 1e-13 {
				break
			}
		}
		gap, norm, dual := 0.0, 0.0, 0.0
		for i := range x {
			gap += r * l.Primal(scores(i), y[i], &w)
			dual += l.Dual(a[i][:], y[i], r, &w)
		}
		for _, v := range weights {
			norm += v[0]*v[0] + v[1]*v[1]
		}
		gap += norm - dual // P - D, in units of lambda: W is Xᵀ A
		if !(gap < 1e-12*dual) {
			t.Fatalf("gap %g of %g", gap, dual)
		}
		// The sums of the gap round to less than 1e-13 of their terms, of which there are some 30; so does the 2-by-2
		// system.
		allowed := math.Sqrt(2*(max(0, gap)+1e-13*dual)) + 1e-13
		for c := range weights {
			var sign [n]float64
			for i := range sign {
				sign[i] = -1
				if slices.Contains(y[i], c) {
					sign[i] = 1
				}
			}
			best, found := byActiveSets(x[:], sign[:], lambda)
			if !found {
				t.Fatalf("no set of active examples is consistent: x = %v, signs %v", x, sign)
			}
			if d := math.Hypot(weights[c][0]-best[0], weights[c][1]-best[1]); !(d <= allowed) {
				t.Fatalf("class %d: weights %v, by active sets %v: %g apart, not %g", c, weights[c], best, d, allowed)
			}
		}
	}
}

// byActiveSets minimises 1/n sum_i max(0, 1 - t_i <w,x_i>)² + lambda/2 |w|² over w in R²: with a set of examples inside
// the margin that is a linear system, and the right set is the one whose solution has just those examples inside.
func byActiveSets(x [][2]float64, sign []float64, lambda float64) (w [2]float64, found bool) {
	n := float64(len(x))
	for set := range 1 << len(x) {
		aa, ab, bb, p, q := lambda, 0.0, lambda, 0.0, 0.0
		for i, v := range x {
			if set>>i&1 == 1 {
				aa, ab, bb = aa+2/n*v[0]*v[0], ab+2/n*v[0]*v[1], bb+2/n*v[1]*v[1]
				p, q = p+2/n*sign[i]*v[0], q+2/n*sign[i]*v[1]
			}
		}
		det := aa*bb - ab*ab
		w = [2]float64{(p*bb - q*ab) / det, (q*aa - p*ab) / det}
		consistent := true
		for i, v := range x {
			inside := sign[i]*(w[0]*v[0]+w[1]*v[1]) < 1
			consistent = consistent && inside == (set>>i&1 == 1)
		}
		if consistent {
			return w, true
		}
	}
	return w, false
}
