package m3ltruth

import (
	"math"
	"math/rand/v2"
)

// Draw returns a problem of n examples of d features, which labels depend on, and a prior of rank classes.
func Draw(rng *rand.Rand, n, d, labels, rank int) Problem {
	p := Problem{C: .7, Gamma: .1, Kernel: "gauss", Hamming: true}
	gauss := func(rows, cols int) [][]float64 {
		a := make([][]float64, rows)
		for i := range a {
			a[i] = make([]float64, cols)
			for j := range a[i] {
				a[i][j] = rng.NormFloat64()
			}
		}
		return a
	}
	p.X, p.Y, p.Plus, p.Minus = gauss(n, d), gauss(n, labels), gauss(n, labels), gauss(n, labels)
	for i := range p.Y {
		for l := range p.Y[i] {
			p.Y[i][l] = math.Copysign(1, p.Y[i][l]+p.X[i][l%d])
			p.Plus[i][l], p.Minus[i][l] = 0, 2
		}
	}
	p.R = gauss(labels, labels)
	classes := gauss(rank, labels)
	for l := range p.R {
		for k := range p.R {
			p.R[l][k] = 0
			for _, y := range classes {
				p.R[l][k] += y[l] * y[k] / float64(rank)
			}
		}
	}
	return p
}
