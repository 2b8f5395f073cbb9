package ranktruth

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Gram returns K, n-by-n, by the kernel's formula.
func (p Problem) Gram() vec.Matrix[float64] {
	k := vec.NewMatrix[float64](len(p.X), len(p.X))
	for i, x := range p.X {
		for j, z := range p.X {
			k.Row(i)[j] = value(p.Kernel, x, z)
		}
	}
	return k
}

func value(k kernel.Kernel, x, z []float64) float64 {
	product, distance := 0.0, 0.0
	for j := range x {
		product += x[j] * z[j]
		distance += (x[j] - z[j]) * (x[j] - z[j])
	}
	switch k := k.(type) {
	case kernel.Linear:
		return product
	case kernel.Gaussian:
		return math.Exp(-k.Gamma * distance)
	case kernel.Polynomial:
		if k.Scale == 0 {
			k.Scale = 1
		}
		return math.Pow(k.Scale*product+k.Offset, float64(k.Degree))
	}
	return math.NaN() // a kernel without a formula here
}

// Scores returns f = K (alpha - beta).
func Scores(k vec.Matrix[float64], alpha, beta []float64) []float64 {
	f := make([]float64, k.Rows)
	for i := range f {
		for j, v := range k.Row(i) {
			f[i] += v * (alpha[j] - beta[j])
		}
	}
	return f
}

// Values is the primal and the dual value of alpha and beta by their formulas, O(n²), and the threshold.
func (p Problem) Values(k vec.Matrix[float64], alpha, beta []float64) (primal, dual, t float64) {
	f := Scores(k, alpha, beta)
	norm, linear, most, length := 0.0, 0.0, 0.0, 0.0
	for i := range f {
		norm += (alpha[i] - beta[i]) * f[i]
		linear += alpha[i] / p.Theta1
		if !p.Hinge {
			half := alpha[i] / p.Theta1 / 2 // before its square, which may overflow
			linear -= half * half / p.C
		}
		if p.PatMat {
			linear += beta[i] / p.Theta2
			most, length = max(most, beta[i]), math.Hypot(length, beta[i]) // squares may underflow
		}
	}
	switch {
	case p.PatMat && p.Hinge:
		linear -= p.allowance() * most / p.Theta2
	case p.PatMat:
		linear -= math.Sqrt(p.allowance()) * length / p.Theta2
	}
	primal, t = p.Primal(f, norm)
	return primal, linear - norm/2, t
}

// Primal is the primal value of a model with the scores f and |w|² = norm, and the threshold.
func (p Problem) Primal(f []float64, norm float64) (primal, t float64) {
	if p.Groups != nil {
		primal = norm / 2
		for _, q := range p.Within() {
			loss, at := q.Problem.Primal(pick(f, q.Rows), 0)
			primal, t = primal+loss, at
		}
		return primal, t
	}
	primal, t = norm/2, p.threshold(f)
	for i, y := range p.Positive {
		if y {
			primal += p.C * p.loss(p.Theta1, t-f[i])
		}
	}
	return primal, t
}

// Rises returns by how much the losses grow at most where t - f_i grows by so much for each positive example.
func (p Problem) Rises(f []float64, by float64) (sum float64) {
	if p.Groups != nil {
		for _, q := range p.Within() {
			sum += q.Problem.Rises(pick(f, q.Rows), by)
		}
		return sum
	}
	t := p.threshold(f)
	for i, y := range p.Positive {
		if y {
			step, slope := p.Theta1*by, 1.0
			if !p.Hinge {
				slope = 2*max(0, 1+p.Theta1*(t-f[i])) + step
			}
			sum += p.C * step * slope
		}
	}
	return sum
}

func (p Problem) loss(theta, s float64) float64 {
	l := max(0, 1+theta*s)
	if !p.Hinge {
		l *= l
	}
	return l
}

// low reports whether the threshold is over example i, which has a beta then.
func (p Problem) low(i int) bool { return p.All || !p.Positive[i] }

// lows returns the number of betas.
func (p Problem) lows() (n int) {
	for i := range p.Positive {
		if p.low(i) {
			n++
		}
	}
	return n
}

// allowance is tau n.
func (p Problem) allowance() float64 { return p.Tau * float64(p.lows()) }

// threshold is (5), and (10) by bisection down to neighbouring numbers.
func (p Problem) threshold(scores []float64) float64 {
	var f []float64
	for i, s := range scores {
		if p.low(i) {
			f = append(f, s)
		}
	}
	slices.Sort(f)
	top := f[len(f)-1]
	if !p.PatMat {
		sum := 0.0
		for _, s := range f[len(f)-p.K:] {
			sum += s
		}
		return sum / float64(p.K)
	}
	passes := func(t float64) bool {
		sum := 0.0
		for _, s := range f {
			sum += p.loss(p.Theta2, s-t)
		}
		return sum <= p.allowance()
	}
	hi, step := top+1/p.Theta2, 1.0
	lo := hi - step
	for passes(lo) {
		step *= 2
		lo = hi - step
	}
	for {
		mid := lo + (hi-lo)/2
		switch {
		case !(mid > lo && mid < hi): // or NaN, where scores are
			return hi
		case passes(mid):
			hi = mid
		default:
			lo = mid
		}
	}
}

// Infeasible returns by how much alpha and beta miss the dual's domain at most, relative to S: bounds, caps, equal
// sums, and zeros where an example has no such variable.
func (p Problem) Infeasible(alpha, beta []float64) (worst float64) {
	if p.Groups != nil {
		counts := make([]bool, len(alpha))
		for _, q := range p.Within() {
			worst = max(worst, q.Problem.Infeasible(pick(alpha, q.Rows), pick(beta, q.Rows)))
			for _, i := range q.Rows {
				counts[i] = true
			}
		}
		for i, is := range counts {
			if !is {
				worst = max(worst, math.Abs(alpha[i]), math.Abs(beta[i]))
			}
		}
		return worst
	}
	a, b := 0.0, 0.0
	for i := range alpha {
		a, b = a+alpha[i], b+beta[i]
	}
	for i, y := range p.Positive {
		worst = max(worst, -alpha[i], -beta[i])
		if p.Hinge {
			worst = max(worst, alpha[i]-p.C*p.Theta1)
		}
		if !p.PatMat {
			worst = max(worst, beta[i]-b/float64(p.K))
		}
		if !y {
			worst = max(worst, math.Abs(alpha[i]))
		}
		if !p.low(i) {
			worst = max(worst, math.Abs(beta[i]))
		}
	}
	worst = max(worst, math.Abs(a-b))
	if worst == 0 {
		return 0
	}
	return worst / max(a, b)
}
