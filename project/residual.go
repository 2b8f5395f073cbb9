package project

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// ResidualTopKSimplex is the residual of [TopKSimplex]: U = <1,x>/k and Lambda = T + sum_i max(0, a_i - T - U)/k - rho
// <1,x> (Lemmas 3 and 5). Lambda is taken in units of x, divided by 1 + rho.
func ResidualTopKSimplex[T vec.Float](a, x []T, k int, r, rho T, th Thresholds) float64 {
	checkSolution("ResidualTopKSimplex", a, x)
	s, p := total(x), 0.0
	if k > 1 {
		for _, v := range a {
			p += max(0, float64(v)-th.T-th.U)
		}
		p /= float64(k)
	}
	worst := violations(a, x, th, 0, math.Inf(1))
	for _, v := range x {
		worst = max(worst, float64(v)-s/float64(k))
	}
	if k > 1 {
		worst = max(worst, math.Abs(th.U-s/float64(k)))
	}
	lambda := (th.T + p - float64(rho)*s) / (1 + float64(rho))
	return max(worst, math.Abs(lambda-th.Lambda/(1+float64(rho))), sumResidual(s, r, AtMost, lambda))
}

// ResidualTopKSimplexBeta is the residual of [TopKSimplexBeta], and with k = 1 and r = Inf the residual of [Orthant]: U
// = r/k, T >= 0 and Lambda = T - rho <1,x> (section 5).
func ResidualTopKSimplexBeta[T vec.Float](a, x []T, k int, r, rho T, th Thresholds) float64 {
	checkSolution("ResidualTopKSimplexBeta", a, x)
	s := total(x)
	u := float64(r) / float64(k)
	lambda := (th.T - float64(rho)*s) / (1 + float64(rho))
	return max(violations(a, x, th, 0, u), -th.T, math.Abs(lambda-th.Lambda/(1+float64(rho))),
		sumResidual(s, r, AtMost, lambda))
}

// ResidualSimplex is the residual of [Simplex].
func ResidualSimplex[T vec.Float](a, x []T, rel Relation, r T, th Thresholds) float64 {
	checkSolution("ResidualSimplex", a, x)
	th.U = math.Inf(1)
	return max(violations(a, x, th, 0, th.U), sumResidual(total(x), r, rel, th.Lambda))
}

// ResidualKnapsack is the residual of [Knapsack].
func ResidualKnapsack[T vec.Float](a, x []T, l, u T, rel Relation, r T, th Thresholds) float64 {
	checkSolution("ResidualKnapsack", a, x)
	return max(violations(a, x, th, float64(l), float64(u)), sumResidual(total(x), r, rel, th.Lambda))
}

// ResidualWeightedKnapsack is the residual of [WeightedKnapsack].
func ResidualWeightedKnapsack[T vec.Float](a, b, l, u, x []T, rel Relation, r T, th Thresholds) float64 {
	checkSolution("ResidualWeightedKnapsack", a, x)
	checkItems("ResidualWeightedKnapsack", a, b, l, u)
	worst, s := 0.0, compensated{}
	for i := range a {
		e := item{float64(a[i]), float64(b[i]), float64(l[i]), float64(u[i])}
		s.add(e.b * float64(x[i]))
		worst = max(worst, math.Abs(float64(x[i])-e.at(th.Lambda)))
	}
	return max(worst, sumResidual(s.sum, r, rel, th.Lambda))
}

// ResidualL1Ball is the residual of [L1Ball].
func ResidualL1Ball[T vec.Float](a, x []T, r T, th Thresholds) float64 {
	checkSolution("ResidualL1Ball", a, x)
	worst, s := 0.0, compensated{}
	for i, v := range a {
		y := math.Copysign(max(0, math.Abs(float64(v))-th.T), float64(v))
		worst = max(worst, math.Abs(float64(x[i])-y))
		s.add(math.Abs(float64(x[i])))
	}
	return max(worst, sumResidual(s.sum, r, AtMost, th.Lambda))
}

// ResidualL2Ball is the residual of [L2Ball].
func ResidualL2Ball[T vec.Float](a, x []T, r T, lambda float64) float64 {
	checkSolution("ResidualL2Ball", a, x)
	norm, worst := norm2(x), 0.0
	for i, v := range a {
		miss := float64(v) - float64(x[i])
		if norm > 0 {
			miss -= lambda / norm * float64(x[i])
		} else {
			miss = max(0, math.Abs(miss)-lambda) // at 0 the norm has all slopes up to 1
		}
		worst = max(worst, math.Abs(miss))
	}
	return max(worst, sumResidual(norm, r, AtMost, lambda))
}

// violations is the largest distance of x from min(max(l, a - T), U), and of U from u.
func violations[T vec.Float](a, x []T, th Thresholds, l, u float64) float64 {
	worst := 0.0
	if !math.IsInf(u, 1) {
		worst = math.Abs(th.U - u)
	}
	for i, v := range a {
		xi := float64(x[i])
		worst = max(worst, math.Abs(xi-min(max(l, float64(v)-th.T), th.U)), xi-u, l-xi)
	}
	return worst
}

// sumResidual is the violation of s = r, or of s <= r, lambda >= 0, lambda (r-s) = 0.
func sumResidual[T vec.Float](s float64, r T, rel Relation, lambda float64) float64 {
	slack := float64(r) - s
	if rel == Equal {
		return math.Abs(slack)
	}
	return max(-slack, -lambda, min(math.Abs(lambda), math.Abs(slack)))
}

// total is the sum of x.
func total[T vec.Float](x []T) float64 {
	var s compensated
	for _, v := range x {
		s.add(float64(v))
	}
	return s.sum
}

// compensated is a sum by Kahan's method: d equal elements lose d²/2 eps of one by plain summation.
type compensated struct{ sum, lost float64 }

func (s *compensated) add(v float64) {
	y := v - s.lost
	t := s.sum + y
	s.lost = (t - s.sum) - y
	s.sum = t
}
