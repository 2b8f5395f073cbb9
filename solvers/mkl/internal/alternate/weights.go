package alternate

import (
	"math"
	"slices"
)

// weights are eta, the weights of the kernels, in logarithms: near p = 1 their ratios leave the range of numbers. With
// the dual variables A at hand, of which only the forms n_j = <A, K^j A> = |theta^j|² are needed, the best weights for
// the dual are
//
//	log eta_j = (q-2)/2 log(n_j / |theta|²_{2,q})
//
// and the best eta for the w of eta and A, w^j = eta_j theta^j, is that to the part p-1 of the way from eta, times a
// constant.
type weights struct {
	p, q float64
	log  []float64 // of eta, with |eta|_{p/(2-p)} = 1
	part []float64 // of the way that the next step of each goes
	way  []float64 // what the last step of each had before it; 0: no step yet
}

// newWeights are those that treat all kernels alike.
func newWeights(p float64, kernels int) *weights {
	w := &weights{p: p, q: p / (p - 1), log: make([]float64, kernels), way: make([]float64, kernels)}
	w.part = slices.Repeat([]float64{p - 1}, kernels)
	w.normalize()
	return w
}

// start sets the weights to multiples of eta. Kernels with a weight of 0, of a model that was pruned, get a small one.
func (w *weights) start(eta []float64) {
	least := infinite
	for _, v := range eta {
		if v > 0 {
			least = min(least, v)
		}
	}
	for j, v := range eta {
		w.log[j] = math.Log(v)
		if v == 0 {
			w.log[j] = math.Log(least) + shortest
		}
	}
	if least == infinite || w.p == 2 {
		clear(w.log)
	}
	w.normalize()
}

// eta returns the weights.
func (w *weights) eta() []float64 {
	eta := make([]float64, len(w.log))
	for j, v := range w.log {
		eta[j] = math.Exp(v)
	}
	return eta
}

// longest and shortest are the bounds of a step in log eta. That may be -Inf, which takes many steps.
const longest, shortest = 1.5, -3

// move takes a step. A part is doubled, up to all of the way, while the direction stays, and quartered where it turns.
func (w *weights) move(forms []float64) {
	if w.p == 2 {
		return
	}
	for j, way := range w.ways(forms) {
		switch last := w.way[j]; {
		case last == 0:
		case way*last > 0:
			w.part[j] = min(2*w.part[j], 1)
		default:
			w.part[j] = max(w.part[j]/4, (w.p-1)/4)
		}
		w.way[j] = way
		w.log[j] += min(max(w.part[j]*way, shortest), longest)
	}
	w.normalize()
}

// descend takes the step to the best eta for the w at hand, and begins anew with the parts of others.
func (w *weights) descend(forms []float64) {
	if w.p == 2 {
		return
	}
	for j, way := range w.ways(forms) {
		w.part[j], w.way[j] = w.p-1, way
		w.log[j] += max((w.p-1)*way, -1e3)
	}
	w.normalize()
}

// ways returns how far each log eta_j is from its best value by the forms. Forms that are all 0 ask for nothing.
func (w *weights) ways(forms []float64) []float64 {
	ways, norm := make([]float64, len(forms)), dualNorm(forms, w.q)
	if norm == 0 {
		return ways
	}
	for j, n := range forms {
		ways[j] = (w.q-2)/2*math.Log(max(n, 0)/norm) - w.log[j]
	}
	return ways
}

// normalize makes |eta|_{p/(2-p)} = 1; for p = 2 the largest 1.
func (w *weights) normalize() {
	most, r := slices.Max(w.log), w.p/(2-w.p)
	sum := 0.0
	for _, v := range w.log {
		sum += math.Exp(r * (v - most))
	}
	if w.p < 2 {
		most += math.Log(sum) / r
	}
	for j := range w.log {
		w.log[j] -= most
	}
}

// dualNorm returns |theta|²_{2,q} for the squared norms of the theta^j.
func dualNorm(forms []float64, q float64) float64 { return groupNorm(forms, q) }

// primalNorm returns |w|²_{2,p} for w^j = eta_j theta^j.
func primalNorm(eta, forms []float64, p float64) float64 {
	squares := make([]float64, len(eta))
	for j, n := range forms {
		squares[j] = eta[j] * eta[j] * n
	}
	return groupNorm(squares, p)
}

// groupNorm returns (sum_j n_j^{r/2})^{2/r}, as the largest n times what the others add: their powers may underflow,
// which then is what they are worth. Numbers below 0 are so by rounding.
func groupNorm(squares []float64, r float64) float64 {
	most := slices.Max(squares)
	if !(most > 0) {
		return most - most // 0, or NaN
	}
	sum := 0.0
	for _, n := range squares {
		sum += math.Pow(max(n, 0)/most, r/2)
	}
	return most * math.Pow(sum, 2/r)
}
