package kernel

import (
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers"
)

// Compact returns the kernel matrix of the examples rows alone, with rows of its own: of len(rows) numbers, kept under a
// budget as large as that of m. It is for trainings on a part of the examples, which would waste what whole rows take.
// It panics where a row is out of range, or m is precomputed.
func (m *Matrix[T]) Compact(rows []int) *Matrix[T] {
	if m.k == nil {
		panic(shape.Errorf("kernel: Matrix.Compact", "a precomputed matrix of %d examples has its rows", m.n))
	}
	c := &Matrix[T]{n: len(rows), k: m.k, x: solvers.Subset(m.x, rows), d: m.d, norms: make([]T, len(rows)), thin: m.thin,
		cache: newCache[T](len(rows), m.budget)}
	c.x.SquaredNorms(c.norms)
	return c
}
