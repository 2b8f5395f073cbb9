package toploss

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/interior"
	"github.com/dualgap/dualgap/vec"
)

// Curvature returns 2 p1, the Quadratic of Plus.
func (o *Objective) Curvature() float64 {
	if o.Hinge {
		return 0
	}
	return 1 / (2 * o.C * o.Theta1 * o.Theta1)
}

// Upper returns the upper bound of an alpha.
func (o *Objective) Upper() float64 {
	if o.Hinge {
		return o.C * o.Theta1
	}
	return math.Inf(1)
}

// Dual returns the dual value (7) or (12) of alphas and betas with |w|² = norm: alpha of positive examples, beta of
// those that the threshold is over. Signs do not matter.
func (o *Objective) Dual(alpha, beta []float64, norm float64) float64 {
	d := -norm / 2
	for _, v := range alpha {
		v = math.Abs(v)
		d += v/o.Theta1 - o.Curvature()/2*v*v
	}
	if !o.PatMat {
		return d
	}
	largest := 0.0
	for _, v := range beta {
		v = math.Abs(v)
		d += v / o.Theta2
		largest = max(largest, v)
	}
	if o.Hinge {
		return d - o.bound*largest/o.Theta2
	}
	return d - math.Sqrt(o.bound)*vec.Norm(beta)/o.Theta2 // betas below 1e-154 have no squares
}

// Sides returns the dual in the symbols of package interior: alphas are the variables of Plus, betas of Minus.
// The examples of both are places among the rows. The sums are tied where they are in the whole problem, though K of a
// Part may be 1. Queries are groups, and rows then the first examples of Merged.
func (o *Objective) Sides(rows []int) interior.Problem {
	alphas := interior.Side{Linear: 1 / o.Theta1}
	betas := interior.Side{}
	of, lows := o.QueryOf(), []int(nil) // of each query, how many examples have a beta
	if o.within {
		lows = make([]int, len(o.Queries))
	}
	for p, i := range rows {
		if o.Positive[i] {
			alphas.Examples, alphas.GroupOf = append(alphas.Examples, p), append(alphas.GroupOf, of[i])
		}
		if o.Ranked(i) {
			betas.Examples, betas.GroupOf = append(betas.Examples, p), append(betas.GroupOf, of[i])
			if lows != nil {
				lows[of[i]]++
			}
		}
	}
	if o.Hinge {
		alphas.Upper = o.Upper()
	} else {
		alphas.Quadratic = o.Curvature()
	}
	p := interior.Problem{Plus: alphas, Minus: betas, Groups: len(o.Queries)}
	switch {
	case o.tied:
		p.Tied, p.Minus.Ratio = true, 1/float64(o.K)
		for _, lows := range lows {
			p.Minus.Ratios = append(p.Minus.Ratios, 1/float64(min(o.K, lows)))
		}
	case o.PatMat:
		p.Cost, p.Minus.Linear = o.bound, 1/o.Theta2
		if o.Hinge {
			p.Minus.Ratio = o.Theta2
		} else {
			p.Curve = 1 / (2 * o.Theta2 * o.Theta2)
		}
	}
	return p
}

// Scalar returns the best s for dual variables: S or delta.
func (o *Objective) Scalar(alpha, beta []float64) float64 {
	switch {
	case !o.PatMat:
		return vec.Sum(alpha)
	case o.Hinge:
		return vec.Max(beta) / o.Theta2
	}
	return vec.Norm(beta) / math.Sqrt(o.bound) / 2 / o.Theta2
}

// Check returns what is wrong with dual variables of all examples to start from. It clears betas of a problem with
// All, and variables of examples that are of no query.
func (o *Objective) Check(alpha, beta []float64) error {
	counts := make([]bool, len(alpha))
	for _, i := range o.Members() {
		counts[i] = true
	}
	for i := range alpha {
		for _, v := range []float64{alpha[i], beta[i]} {
			if !(v >= 0) || math.IsInf(v, 1) {
				return fmt.Errorf("Start has the dual variable %v of example %d, want a finite number, at least 0", v,
					i)
			}
		}
		switch {
		case alpha[i] > 0 && !o.Positive[i]:
			return fmt.Errorf("Start has alpha = %v of example %d, which is negative", alpha[i], i)
		case !counts[i]:
			alpha[i], beta[i] = 0, 0
		case !o.Ranked(i):
			beta[i] = 0
		}
	}
	return nil
}

// Feasible moves dual variables of all examples, finite and not negative, into the domain: alphas below their bound,
// and in each query equal sums, betas below their cap.
func (o *Objective) Feasible(alpha, beta []float64) {
	for i, v := range alpha {
		alpha[i] = min(v, o.Upper())
	}
	for _, rows := range o.Queries {
		o.balance(rows, alpha, beta)
	}
}

// balance is the part of Feasible for the examples of a query.
func (o *Objective) balance(rows []int, alpha, beta []float64) {
	a, b := vec.Sum(family.Pick(alpha, rows)), vec.Sum(family.Pick(beta, rows))
	var at []int
	for _, i := range rows {
		switch {
		case a > b:
			alpha[i] *= b / a
		case b > a:
			beta[i] *= a / b
		}
		if o.Ranked(i) {
			at = append(at, i)
		}
	}
	if o.tied {
		o.cap(beta, at, min(a, b))
	}
}

// cap projects the betas of the examples at, whose sum is S, on those below the cap S/K, K at most their number.
func (o *Objective) cap(beta []float64, at []int, sum float64) {
	some := family.Pick(beta, at)
	most := sum / float64(min(o.K, len(at)))
	if vec.Max(some) <= most*(1+0x1p-40) {
		return
	}
	_, err := project.Knapsack(some, some, 0, most, project.Equal, sum, new(project.Workspace[float64]))
	for q, i := range at {
		beta[i] = some[q]
		if err != nil { // K is their number, and the sum above the caps' by rounding
			beta[i] = most
		}
	}
}

// Restart returns the best alphas for the scores f and the threshold t, C l1'(t - f), and sets the betas to go with
// them: of PatMat in proportion to l2'(f - t), of TopPush, whose K may have grown, to what they were. rows are examples
// of a Part; all others have none. All are 0 where one of both sums is.
func (o *Objective) Restart(rows []int, f []float64, t float64, beta []float64) (alpha []float64) {
	alpha = make([]float64, len(f))
	var ranked []int
	for _, i := range rows {
		if o.Positive[i] {
			_, slope := o.loss(o.Theta1, t-f[i])
			alpha[i] = o.C * slope
		}
		if o.Ranked(i) {
			ranked = append(ranked, i)
			if o.PatMat {
				_, beta[i] = o.loss(o.Theta2, f[i]-t)
			}
		}
	}
	if a, b := vec.Sum(alpha), vec.Sum(beta); a == 0 || b == 0 {
		clear(alpha)
		clear(beta)
	} else {
		vec.Scale(a/b, beta)
		if o.tied {
			o.cap(beta, ranked, a)
		}
	}
	return alpha
}

// Answer sets the dual variables of all examples to feasible ones by the scores f and the threshold t: alpha = C l1'(t
// - f), and beta = S dt/df with S = sum alpha.
func (o *Objective) Answer(alpha, beta, f []float64, t float64) {
	sum, ranked := 0.0, make([]float64, len(f))
	for i, v := range f {
		if o.Positive[i] {
			_, slope := o.loss(o.Theta1, t-v)
			alpha[i] = o.C * slope
			sum += o.C * slope
		}
		ranked[i] = v
		if !o.Ranked(i) {
			ranked[i] = math.Inf(-1)
		}
	}
	clear(beta)
	if _, slopes := o.passing(ranked, t); o.PatMat && slopes > 0 {
		for j, v := range ranked {
			_, slope := o.loss(o.Theta2, v-t)
			beta[j] = sum * (slope / slopes)
		}
		return
	}
	top := make([]int, max(o.K, 1)) // one of PatMat where rounding lets none pass
	solvers.Rank(top, ranked)
	for _, j := range top {
		beta[j] = sum / float64(len(top))
	}
}

// Uniform returns dual variables of all examples: equal alphas, half of the bound that they have with the hinge, and
// equal betas.
func (o *Objective) Uniform() (alpha, beta []float64) {
	n := len(o.Positive)
	alpha, beta = make([]float64, n), make([]float64, n)
	for i := range n {
		if o.Positive[i] {
			alpha[i] = o.C * o.Theta1 / 2
		}
		if o.Ranked(i) {
			beta[i] = 1
		}
	}
	vec.Scale(vec.Sum(alpha)/vec.Sum(beta), beta)
	return alpha, beta
}
