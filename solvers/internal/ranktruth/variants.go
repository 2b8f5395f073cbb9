package ranktruth

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Variants returns p with each method and loss: TopPush with K = 1, 3 and the number of negative examples, as far as
// there are as many, and Pat&Mat over the negative and over all examples.
func (p Problem) Variants() (all []Problem) {
	negatives := 0
	for _, y := range p.Positive {
		if !y {
			negatives++
		}
	}
	for _, hinge := range []bool{false, true} {
		p.Hinge = hinge
		loss := map[bool]string{false: "quadratic", true: "hinge"}[hinge]
		for q, k := range []int{1, 3, negatives} {
			v := p
			v.K = k
			v.Name += fmt.Sprintf(", K = %d, %s", k, loss)
			if k <= negatives && (q < 2 || k > 3 || k == 2) {
				all = append(all, v)
			}
		}
		for _, of := range []bool{false, true} {
			v := p
			v.PatMat, v.All, v.Tau, v.Theta2 = true, of, .2, 1.5
			v.Name += fmt.Sprintf(", tau = .2, all %t, %s", of, loss)
			all = append(all, v)
		}
	}
	return all
}

// Feasible returns random dual variables within the dual's domain, of each example.
func (p Problem) Feasible(rng *rand.Rand) (alpha, beta []float64) {
	n := len(p.Positive)
	alpha, beta = make([]float64, n), make([]float64, n)
	a, b := 0.0, 0.0
	for i, y := range p.Positive {
		if y {
			alpha[i] = p.C * p.Theta1 * rng.Float64()
			a += alpha[i]
		}
		if p.low(i) {
			beta[i] = rng.Float64()
			b += beta[i]
		}
	}
	for i := range beta {
		beta[i] *= a / b
	}
	if !p.PatMat { // towards the mean, until none is above S/K
		mean, most := a/float64(p.lows()), slices.Max(beta)
		if limit := a / float64(p.K); most > limit {
			s := 0.0 // where K is the number of betas all of them are the mean
			if most > mean {
				s = (limit - mean) / (most - mean)
			}
			for i := range beta {
				if p.low(i) {
					beta[i] = mean + max(0, s)*(beta[i]-mean)
				}
			}
		}
	}
	return alpha, beta
}
