package m3ltruth

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Values is the primal and the dual value of A by their formulas, O(n² L²).
func (p Problem) Values(a vec.Matrix[float64]) (primal, dual float64) {
	n, labels := a.Rows, a.Cols
	quadratic := 0.0
	for i := range n {
		for l := range labels {
			score := 0.0
			for j := range n {
				for k := range labels {
					score += p.value(i, j) * a.Row(j)[k] * p.R[k][l]
				}
			}
			quadratic += a.Row(i)[l] * score
			plus, minus, y := 0.0, 2.0, p.Y[i][l]
			if !p.Hamming {
				plus, minus = p.Plus[i][l], p.Minus[i][l]
			}
			primal += p.C * max(plus, minus-2*y*score)
			dual += y*a.Row(i)[l]*(minus-plus)/2 + p.C*plus
		}
	}
	return primal + quadratic/2, dual - quadratic/2
}

// value is the kernel's of two examples.
func (p Problem) value(i, j int) float64 {
	if p.Kernel == "linear" {
		return vec.Dot(p.X[i], p.X[j])
	}
	return math.Exp(-p.Gamma * vec.SquaredDistance(p.X[i], p.X[j]))
}
