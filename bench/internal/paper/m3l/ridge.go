package m3l

import (
	"context"

	"github.com/dualgap/dualgap/internal/cholesky"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// fitRegression fits the signs of the labels by ridge regression, 1/2 |W|² + C sum_i |Wᵀ x_i - y_i|², with a constant
// feature of 1: W = Xᵀ A with (X Xᵀ + I/(2C)) A = Y. A label is predicted where its score is above 0. O(n³) for the n
// examples of p.
func fitRegression(_ context.Context, t *task, p part, c float64) (predictor, error) {
	k := products(p, p.x)
	for i := range k.Rows {
		k.Row(i)[i] += 1 / (2 * c)
	}
	a := signMatrix(p.sets, t.labels)
	if err := cholesky.Factor(k, t.workers); err != nil {
		return nil, err
	}
	cholesky.Solve(k, a, t.workers)
	return func(x design.Matrix[float32]) ([][]int, error) {
		k := products(p, x)
		s := vec.NewMatrix[float64](k.Rows, t.labels)
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, k, a, 0, s)
		sets := make([][]int, s.Rows)
		for i := range sets {
			for l, v := range s.Row(i) {
				if v > 0 {
					sets[i] = append(sets[i], l)
				}
			}
		}
		return sets, nil
	}, nil
}

// products returns <x_i, z_j> + 1 for the examples x_i of x and z_j of p.
func products(p part, x design.Matrix[float32]) vec.Matrix[float64] {
	rows, _ := x.Dims()
	n, _ := p.x.Dims()
	single, k := vec.NewMatrix[float32](rows, n), vec.NewMatrix[float64](rows, n)
	design.CrossGram(single, x, nil, p.x, nil)
	for i, v := range single.Data {
		k.Data[i] = float64(v) + 1
	}
	return k
}
