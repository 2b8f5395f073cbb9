package m3l

import (
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// neighbours predicts the labels that three of the five nearest examples of p have at least.
func neighbours(p part, labels int) predictor {
	const k = 5
	n, _ := p.x.Dims()
	norms := make([]float32, n)
	p.x.SquaredNorms(norms)
	return func(x design.Matrix[float32]) ([][]int, error) {
		rows, _ := x.Dims()
		products := vec.NewMatrix[float32](rows, n)
		design.CrossGram(products, x, nil, p.x, nil)
		sets := make([][]int, rows)
		value, at := make([]float32, min(k, n)), make([]int32, min(k, n))
		votes := make([]int, labels)
		for i := range sets {
			near := products.Row(i) // <x,z> - |z|²/2: the larger, the nearer
			vec.Axpy(-.5, norms, near)
			vec.TopK(value, at, near)
			clear(votes)
			for _, j := range at {
				for _, l := range p.sets[j] {
					votes[l]++
				}
			}
			for l, v := range votes {
				if 2*v > len(at) {
					sets[i] = append(sets[i], l)
				}
			}
		}
		return sets, nil
	}
}
