package kernel

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// vectors are the support vectors of a model.
type vectors[T vec.Float] interface {
	// blockRows is the number of examples whose scores are best computed at a time.
	blockRows() int

	// scores adds to dst the scores, with the coefficients a, of the examples rows of x.
	scores(k Kernel, dst, a vec.Matrix[T], x design.Matrix[T], rows []int, s *core.Scratch[T])

	// supports are the same as a compression sees them, and pick are the ones at the given places, of d features.
	supports(k Kernel) supports
	pick(k Kernel, d int, places []int) (vectors[T], error)
}

// vectorsOf returns a copy of some examples of m as support vectors of a kernel.
func vectorsOf[T vec.Float](m *Matrix[T], k Kernel, support []int) (vectors[T], error) {
	if m.thin {
		return newSparseVectors(copyRows(m.x, support), m.d)
	}
	if len(support) > math.MaxInt/8/m.d {
		return nil, fmt.Errorf("kernel: %d support vectors of %d features are beyond this machine's memory",
			len(support), m.d)
	}
	x := vec.NewMatrix[T](len(support), m.d)
	if len(support) > 0 {
		m.x.Gather(x, support)
	}
	return newDenseVectors(k, x), nil
}

// sumVectors are the support vectors of a kernel, for package bundle.
type sumVectors[T vec.Float] struct {
	vectors[T]
	k Kernel
}

func (v sumVectors[T]) Scores(dst, a vec.Matrix[T], x design.Matrix[T], rows []int, s *core.Scratch[T]) {
	v.scores(v.k, dst, a, x, rows, s)
}

func (v sumVectors[T]) Form() int { return formOf(v.vectors) }

func (v sumVectors[T]) Write(c *container.Writer) { writeVectors(c, v.vectors) }

// formOf is how writeVectors writes support vectors.
func formOf[T vec.Float](v vectors[T]) int {
	switch v.(type) {
	case denseVectors[T]:
		return core.FormDense
	case *sparseVectors[T]:
		return core.FormSparse
	}
	return core.FormNone
}

func writeVectors[T vec.Float](c *container.Writer, v vectors[T]) {
	switch v := v.(type) {
	case denseVectors[T]:
		container.WriteMatrix(c, "x", v.x)
	case *sparseVectors[T]:
		c.Ints("ptr", v.x.ptr...)
		c.Int32s("col", v.x.columns)
		container.Floats(c, "val", v.x.values)
	}
}

// readVectors reads s support vectors of d features: nil for a form that has none. The error is about what was read: of
// the bytes themselves c knows.
func readVectors[T vec.Float](c *container.Reader, form int, k Kernel, s, d int) (vectors[T], error) {
	switch form {
	case core.FormDense:
		return readDense[T](c, k, s, d)
	case core.FormSparse:
		return readSparse[T](c, s, d)
	}
	return nil, nil
}

func readDense[T vec.Float](c *container.Reader, k Kernel, s, d int) (vectors[T], error) {
	x := container.ReadMatrix[T](c, "x")
	if c.Err() != nil {
		return nil, c.Err()
	}
	if x.Rows != s || x.Cols != d {
		return nil, fmt.Errorf("a %d-by-%d matrix of %d support vectors of %d features", x.Rows, x.Cols, s, d)
	}
	for p := range x.Rows {
		if err := core.CheckFinite("number", p, x.Row(p)); err != nil {
			return nil, err
		}
	}
	return newDenseVectors(k, x), nil
}

func readSparse[T vec.Float](c *container.Reader, s, d int) (vectors[T], error) {
	x := &sparseRows[T]{ptr: c.Ints("ptr", s+1), columns: c.Int32s("col", container.Any)}
	x.values = container.ReadFloats[T](c, "val", len(x.columns))
	if c.Err() != nil {
		return nil, c.Err()
	}
	if err := x.check(s, d); err != nil {
		return nil, err
	}
	return newSparseVectors(x, d)
}

// ReadVectors is for package bundle: it reads s support vectors, of d features, of the sum of weighed kernels.
func ReadVectors[T vec.Float](c *container.Reader, form int, kernels []Kernel, weights []float64, s, d int) (
	core.Vectors[T], error) {
	k := weigh(kernels, weights)
	v, err := readVectors[T](c, form, k, s, d)
	return sumVectors[T]{v, k}, err
}
