package hostile

import (
	"math/rand/v2"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Features returns the examples as package dataset has them, dense or compressed, as they lie: without its
// constructors, which look at them. broken says what is wrong with them.
func Features[T vec.Float](rng *rand.Rand, p *Problem) (x design.Matrix[T], broken string) {
	if rng.IntN(3) > 0 {
		m := vec.NewMatrix[T](p.X.Rows, p.X.Cols)
		for i := range m.Rows {
			vec.Convert(m.Row(i), p.X.Row(i))
		}
		return &dataset.Dense[T]{Matrix: m}, ""
	}
	ptr, columns, values, broken := p.Sparse(rng)
	v := make([]T, len(values))
	vec.Convert(v, values)
	return &dataset.CSR[T]{Rows: p.X.Rows, Cols: p.X.Cols, Ptr: ptr, Idx: columns, Val: v}, broken
}

// Kernel returns a kernel, at times with parameters that are none.
func Kernel(rng *rand.Rand) kernel.Kernel {
	switch rng.IntN(3) {
	case 0:
		return kernel.Linear{}
	case 1:
		return kernel.Gaussian{Gamma: Number(rng)}
	}
	return kernel.Polynomial{Degree: 1 + rng.IntN(4), Scale: Number(rng), Offset: max(0, Number(rng))}
}

// Matrix returns the kernel matrix of x, or one that is given with the same numbers.
func Matrix[T vec.Float](rng *rand.Rand, x design.Matrix[T], of kernel.Kernel) (*kernel.Matrix[T], error) {
	if rng.IntN(4) == 0 {
		return Given(x, of)
	}
	return kernel.New(x, of, int64(rng.IntN(2))<<20)
}

// Given returns a kernel matrix that is given with the numbers of one of x.
func Given[T vec.Float](x design.Matrix[T], of kernel.Kernel) (*kernel.Matrix[T], error) {
	k, err := kernel.New(x, of, 0)
	if err != nil {
		return nil, err
	}
	given, all := vec.NewMatrix[T](k.Len(), k.Len()), make([]int, k.Len())
	for i := range all {
		all[i] = i
	}
	k.Rows(given, all, 1)
	return kernel.Precomputed(given)
}

// Weights returns weights of n examples, at times one too many, as a rule none.
func Weights(rng *rand.Rand, n int) (weights []float64) {
	if rng.IntN(6) > 0 {
		return nil
	}
	for range n + rng.IntN(8)/7 {
		weights = append(weights, Number(rng))
	}
	return weights
}
