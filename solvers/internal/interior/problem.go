// Package interior is a primal-dual interior point method, Mehrotra's predictor and corrector, for two sides of
// variables, plus and minus, and one scalar s that ties them:
//
//	min  1/2 cᵀKc + Σ_u (q_u/2 v_u² - l_u v_u) + cost s + curve/2 Σ_{u minus} v_u²/s,    c_i = Σ_{u of i} ±v_u,
//	     0 <= v_u <= upper_u + ratio_u s,   Σ_plus v = Σ_minus v, tied or not to be s.
//
// Its number of iterations, 10 to 30, hardly depends on the condition of K, which makes it the method for problems where
// coordinates one by one do not get there. Each takes one decomposition of K + diag(d), which System does: of a dense K in
// O(n³), of K = XXᵀ in O(n d²).
package interior

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Problem is what is minimised.
type Problem struct {
	K           System
	Plus, Minus Side
	Tied        bool    // the sum of each side is s; else the two sums are equal
	Cost        float64 // of s, >= 0
	Curve       float64 // >= 0. There is an s where Tied is true or Cost is not 0
}

// Side is one kind of variables. Those of Plus enter c as they are, those of Minus with the opposite sign.
type Side struct {
	At                []int   // the example of each variable; none comes twice, and each is on one side at least
	Linear, Quadratic float64 // l >= 0 and q >= 0
	Upper, Ratio      float64 // v <= Upper + Ratio s, both >= 0; where both are 0 there is no such bound
}

// System is a positive semidefinite n-by-n matrix K.
type System interface {
	Len() int // n

	// Multiply sets dst = K c.
	Multiply(dst, c []float64)

	// Factor prepares Solve for K + diag(d), d > 0, or returns an error where rounding leaves no way to.
	Factor(d []float64) error

	// Solve sets B = (K + diag(d))⁻¹ B, B n-by-m.
	Solve(b vec.Matrix[float64])
}

// check returns what is wrong with p.
func (p *Problem) check() error {
	n := p.K.Len()
	seen := make([]bool, n)
	for _, side := range []*Side{&p.Plus, &p.Minus} {
		if len(side.At) == 0 {
			return fmt.Errorf("interior: a side without variables")
		}
		once := make([]bool, n)
		for u, i := range side.At {
			if i < 0 || i >= n || once[i] {
				return fmt.Errorf("interior: variable %d is of example %d of %d, or not the first of its side", u, i, n)
			}
			once[i], seen[i] = true, true
		}
		for _, v := range []float64{side.Linear, side.Quadratic, side.Upper, side.Ratio} {
			if !(v >= 0) || math.IsInf(v, 1) {
				return fmt.Errorf("interior: a coefficient of %v, need at least 0", v)
			}
		}
	}
	for i, ok := range seen {
		if !ok {
			return fmt.Errorf("interior: example %d has no variable", i)
		}
	}
	if !(p.Cost >= 0) || !(p.Curve >= 0) || math.IsInf(p.Cost+p.Curve, 1) {
		return fmt.Errorf("interior: a cost of %v and a curve of %v, need at least 0", p.Cost, p.Curve)
	}
	if !p.scalar() && (p.Curve > 0 || p.Plus.Ratio > 0 || p.Minus.Ratio > 0) {
		return fmt.Errorf("interior: a curve or a ratio where there is no scalar")
	}
	if room := (p.Minus.Ratio) * float64(len(p.Minus.At)); p.Tied && p.Minus.Upper == 0 && room > 0 && room < 1-Slack {
		return fmt.Errorf("interior: %d variables of at most %v s whose sum is s", len(p.Minus.At), p.Minus.Ratio)
	}
	return nil
}

// scalar reports whether there is an s.
func (p *Problem) scalar() bool { return p.Tied || p.Cost > 0 }
