package obscure

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/vec"
)

// Proximal is Algorithm 3, proximal projected subgradient descent on functions g_1, g_2, ... of w. w has F groups of d
// numbers each, one after the other, and the norm |w|_{2,p}; h = q/2 |w|²_{2,p} on the set S of all w of a norm of at
// most R, q = p/(p-1), alpha = q. Algorithm 2 is its special case with g_t = lambda/q h + the loss of example t.
type Proximal struct {
	P      float64 // in (1, 2]
	Groups int     // F, at least 1
	Sigma  float64 // each g_t is Sigma-strongly convex with respect to h, at least 0
	R      float64 // of S, > 0

	// Receive sets z to a subgradient of g_t at w, t = 1, 2, ..., and returns L_t, at least |z|_{2,q}, both as long
	// as w. The norm of z does as L_t: see DualNorm.
	Receive func(t int, w, z []float64) (bound float64)
}

// Descend takes steps from w = w_1, whose norm is R at most, and leaves the last w there. It ends early with ctx, whose
// error it returns. O(F d) a step, beside Receive.
func (a Proximal) Descend(ctx context.Context, w []float64, steps int) error {
	if err := a.check(ctx, w, steps); err != nil {
		return fmt.Errorf("obscure: %w", err)
	}
	alpha := a.P / (a.P - 1)
	theta, z, s := make([]float64, len(w)), make([]float64, len(w)), 0.0 // line 2
	a.power(theta, w, a.P, alpha)                                        // ∇h(w)
	for t := 1; t <= steps; t++ {                                        // line 3
		if err := ctx.Err(); err != nil {
			return err
		}
		bound := a.Receive(t, w, z) // lines 4 and 5
		d := alpha*a.Sigma*float64(t) + s
		s += (math.Sqrt(d*d+alpha*bound*bound/(a.R*a.R)) - d) / 2 // line 6, with L_t²
		if s == 0 && a.Sigma == 0 {
			continue // z = 0, and eta is not finite
		}
		eta := 1 / (a.Sigma*float64(t) + s/alpha) // line 7
		vec.Axpy64(-eta, z, theta)                // line 8, where h* of S scales theta down to a w in S
		if norm := DualNorm(theta, a.Groups, a.P); norm > alpha*a.R {
			vec.Scale(alpha*a.R/norm, theta)
		}
		a.power(w, theta, alpha, 1/alpha)
	}
	return nil
}

// check returns what is wrong with a, w or steps.
func (a Proximal) check(ctx context.Context, w []float64, steps int) error {
	switch {
	case ctx == nil:
		return fmt.Errorf("no context")
	case a.Receive == nil:
		return fmt.Errorf("no Receive")
	case !(a.P > 1 && a.P <= 2):
		return fmt.Errorf("P = %v, want a number above 1 and at most 2", a.P)
	case a.Groups < 1 || len(w) == 0 || len(w)%a.Groups != 0:
		return fmt.Errorf("%d numbers in Groups = %d, want at least 1 each, and as many in all groups", len(w),
			a.Groups)
	case !(a.Sigma >= 0) || math.IsInf(a.Sigma, 1):
		return fmt.Errorf("Sigma = %v, want a finite number, at least 0", a.Sigma)
	case steps < 0:
		return fmt.Errorf("%d steps, want at least 0", steps)
	}
	return family.Positive("R", a.R)
}

// power sets each group of dst to by (|x^j| / |x|_{2,r})^{r-2} x^j: with r = p and q, ∇h of w, and with r = q and
// 1/q, ∇h* of theta. In logarithms: see weigh.
func (a Proximal) power(dst, x []float64, r, by float64) {
	squares := groupSquares(x, a.Groups)
	norm, d := dual(squares, r), len(x)/a.Groups
	for j, v := range squares {
		own := dst[j*d : (j+1)*d]
		clear(own)
		if v > 0 {
			vec.Axpy64(by*math.Exp((r-2)/2*math.Log(v/norm)), x[j*d:(j+1)*d], own)
		}
	}
}

// DualNorm returns |z|_{2,q}, q = p/(p-1), of groups of as many numbers each, one after the other.
func DualNorm(z []float64, groups int, p float64) float64 {
	return math.Sqrt(dual(groupSquares(z, groups), p/(p-1)))
}

// groupSquares returns the squared norms of the groups.
func groupSquares(x []float64, groups int) []float64 {
	squares, d := make([]float64, groups), len(x)/groups
	for j := range squares {
		squares[j] = vec.SquaredNorm(x[j*d : (j+1)*d])
	}
	return squares
}
