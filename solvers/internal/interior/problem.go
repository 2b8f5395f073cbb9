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

	// Groups of variables, if there are more than 1, have sums and an s of their own each, and only K in common. K is
	// a Features then, no example has two variables, and there is no Cost. Rounding matters less where the
	// rows of a group have the mean 0.
	Groups int
}

// Side is one kind of variables. Variables of Plus enter c as they are, variables of Minus with the opposite sign.
type Side struct {
	Examples          []int     // the example of each variable; none comes twice, and each is on one side at least
	Linear, Quadratic float64   // l >= 0 and q >= 0
	Upper, Ratio      float64   // v <= Upper + Ratio s, both >= 0; where both are 0 there is no such bound
	GroupOf           []int     // the group of each variable, where there are Groups
	Ratios            []float64 // of each group, >= Ratio, in place of it; nil: Ratio
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
		if len(side.Examples) == 0 {
			return fmt.Errorf("interior: a side without variables")
		}
		once := make([]bool, n)
		for u, i := range side.Examples {
			if i < 0 || i >= n || once[i] {
				return fmt.Errorf("interior: variable %d is of example %d of %d, or not the first of its side", u, i, n)
			}
			if p.Groups > 1 && (seen[i] || len(side.GroupOf) != len(side.Examples) || side.GroupOf[u] < 0 ||
				side.GroupOf[u] >= p.Groups) {
				return fmt.Errorf("interior: variable %d of example %d: in none of %d groups, or its second", u, i,
					p.Groups)
			}
			once[i], seen[i] = true, true
		}
		for _, v := range []float64{side.Linear, side.Quadratic, side.Upper, side.Ratio} {
			if !(v >= 0) || math.IsInf(v, 1) {
				return fmt.Errorf("interior: a coefficient of %v, want at least 0", v)
			}
		}
	}
	for i, ok := range seen {
		if !ok {
			return fmt.Errorf("interior: example %d has no variable", i)
		}
	}
	if !(p.Cost >= 0) || !(p.Curve >= 0) || math.IsInf(p.Cost+p.Curve, 1) {
		return fmt.Errorf("interior: a cost of %v and a curve of %v, want at least 0", p.Cost, p.Curve)
	}
	if !p.hasScalar() && (p.Curve > 0 || p.Plus.Ratio > 0 || p.Minus.Ratio > 0) {
		return fmt.Errorf("interior: a curve or a ratio where there is no scalar")
	}
	if p.Groups > 1 {
		if _, ok := p.K.(*Features); !ok || p.Cost > 0 || p.Curve > 0 {
			return fmt.Errorf("interior: %d groups, and a K that is no Features, or a cost or curve", p.Groups)
		}
	}
	for g, n := range p.Minus.sizes(p.groups()) {
		if room := p.Minus.ratio(g) * float64(n); p.Tied && p.Minus.Upper == 0 && room > 0 && room < 1-slack {
			return fmt.Errorf("interior: %d variables of at most %v s whose sum is s", n, p.Minus.ratio(g))
		}
		if p.Groups > 1 && n == 0 {
			return fmt.Errorf("interior: a side without variables in group %d", g)
		}
	}
	return nil
}

// groups is the number of groups, at least 1.
func (p *Problem) groups() int { return max(p.Groups, 1) }

// sizes returns the number of variables in each group.
func (s *Side) sizes(groups int) []int {
	n := make([]int, groups)
	for u := range s.Examples {
		n[s.of(u)]++
	}
	return n
}

// of returns the group of variable u.
func (s *Side) of(u int) int {
	if s.GroupOf == nil {
		return 0
	}
	return s.GroupOf[u]
}

// ratio returns a group's ratio.
func (s *Side) ratio(g int) float64 {
	if s.Ratios == nil {
		return s.Ratio
	}
	return s.Ratios[g]
}

// hasScalar reports whether there is an s.
func (p *Problem) hasScalar() bool { return p.Tied || p.Cost > 0 }
