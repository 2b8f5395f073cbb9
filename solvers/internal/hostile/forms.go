package hostile

import (
	"math/rand/v2"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Storages make features of rows as they lie, dense or compressed, without looking at them: literals of package dataset, which
// solvers do not know.
type Storages[T vec.Float] struct {
	Dense  func(vec.Matrix[T]) solvers.Features[T]
	Sparse func(rows, cols int, ptr []int, columns []int32, values []T) solvers.Features[T]
}

// Features returns the examples in one of the storages, and what is broken of it.
func Features[T vec.Float](rng *rand.Rand, p *Problem, s Storages[T]) (x solvers.Features[T], broken string) {
	if rng.IntN(3) > 0 {
		m := vec.NewMatrix[T](p.X.Rows, p.X.Cols)
		for i := range m.Rows {
			vec.Convert(m.Row(i), p.X.Row(i))
		}
		return s.Dense(m), ""
	}
	ptr, columns, values, broken := p.Sparse(rng)
	v := make([]T, len(values))
	vec.Convert(v, values)
	return s.Sparse(p.X.Rows, p.X.Cols, ptr, columns, v), broken
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
func Matrix[T vec.Float](rng *rand.Rand, x solvers.Features[T], of kernel.Kernel) (*kernel.Matrix[T], error) {
	k, err := kernel.New(x, of, int64(rng.IntN(2))<<20)
	if err != nil || rng.IntN(4) > 0 {
		return k, err
	}
	given, all := vec.NewMatrix[T](k.Len(), k.Len()), make([]int, k.Len())
	for i := range all {
		all[i] = i
	}
	k.Rows(given, all)
	return kernel.Precomputed(given)
}
