package kernel

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// sparseVectors are support vectors in sparse rows, and transposed: an example meets the columns of its own features
// only.
type sparseVectors[T vec.Float] struct {
	x *sparseRows[T]
	*transposed[T]
}

// newSparseVectors returns x, of features below d, as support vectors.
func newSparseVectors[T vec.Float](x *sparseRows[T], d int) (*sparseVectors[T], error) {
	norms := make([]T, x.len())
	for p := range norms {
		norms[p] = vec.SquaredNorm(x.row(p).values)
	}
	t, err := transpose(x.len(), min(d, math.MaxInt32), x.row, norms) // places of features are int32
	if err != nil {
		return nil, fmt.Errorf("kernel: support vectors: %w", err)
	}
	return &sparseVectors[T]{x, t}, nil
}

// blockRows keeps the kernel's values within 2^20 numbers.
func (v *sparseVectors[T]) blockRows() int { return min(64, max(1, 1<<20/max(1, v.x.len()))) }

func (v *sparseVectors[T]) scores(k Kernel, dst, a vec.Matrix[T], x design.Matrix[T], rows []int, s *core.Scratch[T]) {
	s.Values = core.AtLeast(s.Values, len(rows), v.x.len())
	values := s.Values.Slice(0, len(rows), 0, v.x.len())
	each(x, rows, s, func(p int, r sparseRow[T]) {
		evaluate[T](k, sparsePairs[T]{r, vec.SquaredNorm(r.values), v.transposed}, values.Slice(p, p+1, 0, values.Cols))
	})
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, values, a, 1, dst)
}
