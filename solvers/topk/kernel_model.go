package topk

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// KernelModel is a classifier whose scores are sum_p k(x, x_p) a_p over the support vectors x_p. It holds a copy of these, or of their
// numbers in the storage of the training examples where that is sparse. It is immutable and safe for concurrent use. Ties go as in
// Model.
type KernelModel[T vec.Float] struct {
	k       kernel.Kernel // nil: precomputed
	n, d    int           // training examples, features
	support []int
	dense   vec.Matrix[T]       // support vectors
	sparse  solvers.Features[T] // or these
	a       vec.Matrix[T]
}

func newKernelModel[T vec.Float](k *kernel.Matrix[T], duals vec.Matrix[T]) *KernelModel[T] {
	m := &KernelModel[T]{k: k.Kernel(), n: k.Len()}
	for i := range duals.Rows {
		if !isZero(duals.Row(i)) {
			m.support = append(m.support, i)
		}
	}
	m.a = vec.NewMatrix[T](len(m.support), duals.Cols)
	for p, i := range m.support {
		copy(m.a.Row(p), duals.Row(i))
	}
	x := k.Features()
	if x == nil || len(m.support) == 0 {
		if x != nil {
			_, m.d = x.Dims()
		}
		return m
	}
	_, m.d = x.Dims()
	if solvers.IsSparse(x) {
		m.sparse = solvers.Subset(x, m.support)
	} else {
		m.dense = vec.NewMatrix[T](len(m.support), m.d)
		x.Gather(m.dense, m.support)
	}
	return m
}

// Dims returns the number of features, 0 for a precomputed kernel, and of classes.
func (m *KernelModel[T]) Dims() (features, classes int) { return m.d, m.a.Cols }

// Support returns the support vectors' places among the training examples, ascending, which must not be changed.
func (m *KernelModel[T]) Support() []int { return m.support }

// Coefficients returns the rows of A of the support vectors, which must not be changed.
func (m *KernelModel[T]) Coefficients() vec.Matrix[T] { return m.a }

// Scores sets dst, n-by-m, to the scores of the examples rows of x; nil stands for all. O(n s (d + m)) for s support vectors, by
// blocks of examples and of support vectors.
func (m *KernelModel[T]) Scores(dst vec.Matrix[T], x solvers.Features[T], rows []int) error {
	n, d := x.Dims()
	switch {
	case m.k == nil:
		return fmt.Errorf("topk: scores of examples for a precomputed kernel: use ScoresOf with its values")
	case d != m.d:
		return fmt.Errorf("topk: examples of %d features for a model of %d", d, m.d)
	}
	if rows != nil {
		n = len(rows)
	}
	if dst.Rows != n || dst.Cols != m.a.Cols {
		return fmt.Errorf("topk: a %d-by-%d matrix for the scores of %d examples in %d classes", dst.Rows, dst.Cols, n, m.a.Cols)
	}
	for i := range n {
		clear(dst.Row(i))
	}
	size := min(batch, max(16, 1<<20/max(d, 1)))
	index := make([]int, size)
	block, support, values := vec.NewMatrix[T](min(size, n), d), vec.NewMatrix[T](min(size, len(m.support)), d), vec.NewMatrix[T](size, size)
	for i := 0; i < n; i += size {
		end := min(i+size, n)
		for p := range end - i {
			if index[p] = i + p; rows != nil {
				index[p] = rows[i+p]
			}
		}
		z := block.Slice(0, end-i, 0, d)
		x.Gather(z, index[:end-i])
		for j := 0; j < len(m.support); j += size {
			to := min(j+size, len(m.support))
			sv := m.vectors(j, to, support, index)
			k := values.Slice(0, end-i, 0, to-j)
			kernel.Between(k, m.k, z, sv)
			vec.Gemm(vec.NoTrans, vec.NoTrans, 1, k, m.a.Slice(j, to, 0, m.a.Cols), 1, dst.Slice(i, end, 0, dst.Cols))
		}
	}
	return nil
}

// vectors returns support vectors from to to, in the given memory where they have to be gathered.
func (m *KernelModel[T]) vectors(from, to int, memory vec.Matrix[T], index []int) vec.Matrix[T] {
	if m.sparse == nil {
		return m.dense.Slice(from, to, 0, m.d)
	}
	for p := range to - from {
		index[p] = from + p
	}
	v := memory.Slice(0, to-from, 0, m.d)
	m.sparse.Gather(v, index[:to-from])
	return v
}

// ScoresOf sets dst to the scores of the examples of which k holds, in a row each, the kernel's values with all n training
// examples: for precomputed kernels.
func (m *KernelModel[T]) ScoresOf(dst, k vec.Matrix[T]) error {
	if k.Cols != m.n || dst.Rows != k.Rows || dst.Cols != m.a.Cols {
		return fmt.Errorf("topk: a %d-by-%d matrix for the scores of %d examples in %d classes, from the kernel's values with %d of %d training examples",
			dst.Rows, dst.Cols, k.Rows, m.a.Cols, k.Cols, m.n)
	}
	for i := range dst.Rows {
		row, to := k.Row(i), dst.Row(i)
		clear(to)
		for p, j := range m.support {
			vec.Axpy(row[j], m.a.Row(p), to)
		}
	}
	return nil
}

// PredictAll returns the class of each example of x.
func (m *KernelModel[T]) PredictAll(x solvers.Features[T]) ([]int, error) {
	ranked, err := m.TopKAll(x, 1)
	if err != nil {
		return nil, err
	}
	y := make([]int, len(ranked))
	for i, r := range ranked {
		y[i] = r[0]
	}
	return y, nil
}

// TopKAll returns the k best classes of each example of x, best first.
func (m *KernelModel[T]) TopKAll(x solvers.Features[T], k int) ([][]int, error) {
	if k < 1 || k > m.a.Cols {
		return nil, fmt.Errorf("topk: %d best of %d classes", k, m.a.Cols)
	}
	n, _ := x.Dims()
	scores := vec.NewMatrix[T](n, m.a.Cols)
	if err := m.Scores(scores, x, nil); err != nil {
		return nil, err
	}
	ranked, flat := make([][]int, n), make([]int, n*k)
	for i := range n {
		ranked[i] = flat[i*k : (i+1)*k : (i+1)*k]
		(*Model[T])(nil).rank(ranked[i], scores.Row(i))
	}
	return ranked, nil
}
