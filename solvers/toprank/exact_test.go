package toprank

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/vec"
)

// exactly checks a certificate by numbers of thousands of bits: P of the model, with the threshold as the solution of
// its equation, and D of the dual variables, moved into their domain. p has the numbers of the training's type.
func exactly[T vec.Float](t testing.TB, p ranktruth.Problem, q Problem[T], r *Result[T], off offs) {
	t.Helper()
	n := len(p.X)
	e := &exact{Problem: p, alpha: make([]*big.Float, n), beta: make([]*big.Float, n), moved: hostile.Exact(0)}
	for i := range n {
		e.alpha[i], e.beta[i] = hostile.Exact(r.Alpha[i]), hostile.Exact(r.Beta[i])
	}
	parts := []ranktruth.Query{{Rows: nil, Problem: p}}
	if p.Groups != nil {
		parts = p.Within()
	} else {
		for i := range n {
			parts[0].Rows = append(parts[0].Rows, i)
		}
	}
	for _, part := range parts {
		e.feasible(part)
	}
	f, norm, form := exactScores(p, q, r, e.alpha, e.beta)
	half := hostile.Exact(.5)
	primal, dual := norm.Mul(norm, half), new(big.Float).Neg(form.Mul(form, half))
	for _, part := range parts {
		primal.Add(primal, e.losses(part, f))
		dual.Add(dual, e.terms(part))
	}
	// The certificate is of variables that may be over their caps by rounding: D moves with what is moved by the
	// scores, and by 1/theta.
	most := 1/p.Theta1 + 1/max(p.Theta2, 1e-300)
	for _, v := range f {
		s, _ := v.Abs(v).Float64()
		most = max(most, s)
	}
	moved, _ := e.moved.Float64()
	given, infeasible := q.Kernel != nil && q.Kernel.Kernel() == nil, 0.0
	if given {
		infeasible = off.primal + off.dual
	}
	hostile.Values{Primal: primal, Dual: dual, OffPrimal: off.primal, OffDual: off.dual + 4*moved*most,
		Infeasible: infeasible}.Confirm(t, r.Outcome)
}

// exact is a problem with dual variables that are in its domain exactly; moved is how much betas were for their caps.
type exact struct {
	ranktruth.Problem
	alpha, beta []*big.Float
	moved       *big.Float
}

// exactScores returns the scores of the model, its |w|², and |w|² of the dual variables.
func exactScores[T vec.Float](p ranktruth.Problem, q Problem[T], r *Result[T], alpha,
	beta []*big.Float) (f []*big.Float, norm, form *big.Float) {
	n := len(p.X)
	c, form := make([]*big.Float, n), hostile.Exact(0)
	for i := range c {
		c[i] = new(big.Float).Sub(alpha[i], beta[i])
	}
	if r.Linear == nil {
		gram, model := hostile.GramOf(q.Kernel), make([]float64, n)
		for s, i := range r.Kernel.Support() {
			model[i] = float64(r.Kernel.Coefficients().Row(s)[0])
		}
		for i, row := range gram {
			for j, v := range row {
				if product := new(big.Float).Mul(v, c[j]); c[i].Sign() != 0 {
					hostile.Plus(form, product, c[i])
				}
			}
		}
		f = gram.Times(model)
		return f, hostile.Dot(model, f), form
	}
	w := make([]float64, len(p.X[0]))
	for j := range w {
		w[j] = float64(r.Linear.Weights().Row(j)[0])
		weight := hostile.Dot(hostile.Column(p.X, j), c)
		hostile.Plus(form, weight, weight)
	}
	for _, x := range p.X {
		f = append(f, hostile.Inner(x, w))
	}
	return f, hostile.Inner(w, w), form
}

// feasible moves the dual variables of a query into their domain: alphas below their bound, equal sums S, and betas
// below S/K, by mixing them with equal ones.
func (e *exact) feasible(part ranktruth.Query) {
	a, b, low := hostile.Exact(0), hostile.Exact(0), []int(nil)
	for _, i := range part.Rows {
		if most := hostile.Exact(e.C); e.Hinge {
			if most.Mul(most, hostile.Exact(e.Theta1)); e.alpha[i].Cmp(most) > 0 {
				e.alpha[i] = most
			}
		}
		if e.low(i) {
			low = append(low, i)
		}
		a.Add(a, e.alpha[i])
		b.Add(b, e.beta[i])
	}
	less, more, of := a, b, e.beta
	if a.Cmp(b) > 0 {
		less, more, of = b, a, e.alpha
	}
	if more.Sign() > 0 {
		for _, i := range part.Rows {
			of[i] = new(big.Float).Mul(of[i], new(big.Float).Quo(less, more))
		}
	}
	if e.PatMat || len(low) == 0 {
		return
	}
	limit := hostile.Exact(float64(min(e.K, len(low))))
	limit.Quo(less, limit)
	mean, top := new(big.Float).Quo(less, hostile.Exact(float64(len(low)))), hostile.Exact(0)
	for _, i := range low {
		if e.beta[i].Cmp(top) > 0 {
			top = e.beta[i]
		}
	}
	if top.Cmp(limit) <= 0 {
		return
	}
	keep := hostile.Exact(0) // mean + keep (beta - mean): the part that is the other's is 1 - keep
	if over := new(big.Float).Sub(top, mean); over.Sign() > 0 {
		keep.Quo(new(big.Float).Sub(limit, mean), over)
	}
	for _, i := range low {
		was := e.beta[i]
		e.beta[i] = new(big.Float).Sub(was, mean)
		e.beta[i].Add(e.beta[i].Mul(e.beta[i], keep), mean)
		was = new(big.Float).Sub(was, e.beta[i])
		e.moved.Add(e.moved, was.Abs(was))
	}
}

func (e *exact) low(i int) bool { return e.All || !e.Positive[i] }

// losses returns C Σ l1(t - f_i) over the positive examples of a query.
func (e *exact) losses(part ranktruth.Query, f []*big.Float) *big.Float {
	var ranked []*big.Float
	for _, i := range part.Rows {
		if e.low(i) {
			ranked = append(ranked, f[i])
		}
	}
	slices.SortFunc(ranked, func(a, b *big.Float) int { return b.Cmp(a) })
	t, sum := e.exactThreshold(ranked), hostile.Exact(0)
	for _, i := range part.Rows {
		if !e.Positive[i] {
			continue
		}
		v := new(big.Float).Sub(t, f[i])
		v.Add(v.Mul(v, hostile.Exact(e.Theta1)), hostile.Exact(1))
		if v.Sign() > 0 && !e.Hinge {
			v.Mul(v, v)
		}
		if v.Sign() > 0 {
			sum.Add(sum, v)
		}
	}
	return sum.Mul(sum, hostile.Exact(e.C))
}

// exactThreshold returns (5) of the descending f, or the solution of (10): with v = theta2 t and u_j = 1 + theta2 f_j
// it is Σ (u_j - v) = B over the q that are above v, or Σ (u_j - v)² = B, for the least q whose v is not below the
// next.
func (e *exact) exactThreshold(f []*big.Float) *big.Float {
	if !e.PatMat {
		sum, k := hostile.Exact(0), min(e.K, len(f))
		for _, v := range f[:k] {
			sum.Add(sum, v)
		}
		return sum.Quo(sum, hostile.Exact(float64(k)))
	}
	theta, bound := hostile.Exact(e.Theta2), hostile.Exact(e.Tau*float64(len(f)))
	u := make([]*big.Float, len(f))
	for j, v := range f {
		u[j] = new(big.Float).Mul(v, theta)
		u[j].Add(u[j], hostile.Exact(1))
	}
	one, two, v := hostile.Exact(0), hostile.Exact(0), hostile.Exact(0)
	for j := range u {
		q := hostile.Exact(float64(j + 1))
		one.Add(one, u[j])
		hostile.Plus(two, u[j], u[j])
		if e.Hinge {
			v.Sub(one, bound)
		} else { // q v² - 2 v Σu + Σu² = B
			under := new(big.Float).Mul(one, one)
			hostile.Plus(under, q, new(big.Float).Sub(bound, two))
			if under.Sign() < 0 { // by rounding
				under.SetInt64(0)
			}
			v.Sub(one, under.Sqrt(under))
		}
		if v.Quo(v, q); j+1 == len(u) || v.Cmp(u[j+1]) >= 0 {
			break
		}
	}
	return v.Quo(v, theta)
}

// terms returns what the dual variables of a query add to D.
func (e *exact) terms(part ranktruth.Query) *big.Float {
	sum, most, squares, low := hostile.Exact(0), hostile.Exact(0), hostile.Exact(0), 0
	first, second := hostile.Exact(e.Theta1), hostile.Exact(e.Theta2)
	for _, i := range part.Rows {
		v := new(big.Float).Quo(e.alpha[i], first) // alpha/theta1 - (alpha/theta1)²/(4 C)
		sum.Add(sum, v)
		if !e.Hinge {
			v.Mul(v, v)
			sum.Sub(sum, v.Quo(v, hostile.Exact(4*e.C)))
		}
		if !e.low(i) || !e.PatMat {
			continue
		}
		low++
		sum.Add(sum, new(big.Float).Quo(e.beta[i], second))
		hostile.Plus(squares, e.beta[i], e.beta[i])
		if e.beta[i].Cmp(most) > 0 {
			most = e.beta[i]
		}
	}
	if !e.PatMat {
		return sum
	}
	r := hostile.Exact(e.Tau * float64(low))
	if e.Hinge {
		r.Mul(r, most)
	} else {
		r.Sqrt(r.Mul(r, squares))
	}
	return sum.Sub(sum, r.Quo(r, second))
}

// TestExactly: values that are off by little are refused, with each method, loss and form.
func TestExactly(t *testing.T) { prove.Both(t, testExactly[float32], testExactly[float64]) }

func testExactly[T vec.Float](t *testing.T) {
	p := ranktruth.Draw(rand.New(rand.NewPCG(45, 46)), 20, 3)
	variants := append(p.Variants(), linearOf(p).Variants()...)
	for _, p := range append(variants, ranktruth.Grouped(variants)...) {
		forms := problemsOf[T](t, p)
		for _, name := range []string{"dense", "kernel"} {
			q, c := forms[name], configOf(p)
			if q.Positive == nil {
				continue
			}
			c.Tol = 1e-4
			r := solve(t, q, c)
			off := offs{primal: 1e-11 * r.Certificate.Primal, dual: 1e-11 * r.Certificate.Primal}
			hostile.Refuses(t, &r.Certificate, func(t testing.TB) { exactly(t, in[T](p), q, r, off) })
		}
	}
}
