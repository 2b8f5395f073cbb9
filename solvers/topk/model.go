package topk

import (
	"errors"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// Model is a classifier, a Scorer whose outputs are the classes: a linear model where it was learned from features, an
// expansion in support vectors where it was learned from a kernel. The other one is nil. It is immutable and safe for
// concurrent use. Scores become classes by solvers.Predict and solvers.TopK.
type Model[T vec.Float] struct {
	Linear *linear.Model[T]
	Kernel *kernel.Expansion[T]
}

// model is what both of them are.
type model[T vec.Float] interface {
	solvers.Scorer[T]
	Names() []string
	ScoresWorkers(dst vec.Matrix[T], x solvers.Features[T], rows []int, workers int) error
}

func (m *Model[T]) inner() model[T] {
	switch {
	case m != nil && m.Kernel != nil:
		return m.Kernel
	case m != nil && m.Linear != nil:
		return m.Linear
	}
	return new(linear.Model[T]) // of no features and no classes
}

// MarshalJSON returns an error: numbers do not survive decimal text as they are. Linear and Kernel have WriteTo.
func (m *Model[T]) MarshalJSON() ([]byte, error) {
	return nil, errors.New("topk: a model as JSON: use WriteTo of Linear or Kernel")
}

// Dims returns the number of features, the constant one of Config.Bias not counted, 0 for a precomputed kernel, and of
// classes.
func (m *Model[T]) Dims() (features, classes int) { return m.inner().Dims() }

// Names returns the names of the classes, nil if they have none. They must not be changed.
func (m *Model[T]) Names() []string { return m.inner().Names() }

// Scores sets dst to the scores of the examples rows of x, nil standing for all, by all cores: len(rows)-by-classes.
func (m *Model[T]) Scores(dst vec.Matrix[T], x solvers.Features[T], rows []int) error {
	return m.inner().Scores(dst, x, rows)
}

// ScoresWorkers is Scores by so many goroutines, 0 for all cores.
func (m *Model[T]) ScoresWorkers(dst vec.Matrix[T], x solvers.Features[T], rows []int, workers int) error {
	return m.inner().ScoresWorkers(dst, x, rows, workers)
}
