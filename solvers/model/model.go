// Package model is what training ends with: a linear model, one of low rank, or an expansion in support vectors by one
// kernel or by many. Read reads the file of any of them.
//
//	var m *model.Model[float32] = r.Model // of a Result of topk, m3l or mkl
//	features, outputs := m.Dims()
//	guesses, err := solvers.Predict(m, test.X, 0)
//	m = m.WithNotes(map[string]string{"data": "clothes"}) // they go into its file
//	_, err = m.WriteTo(file)
//	m, err = model.Read[float32](file)
package model

import (
	"errors"
	"io"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// Model is a Scorer whose outputs are classes or labels: a linear model where it was learned from features, in factors
// where its rank is low, an expansion in support vectors where it was learned from a kernel, one that weighs many
// kernels where it was learned from a bundle of them. The others are nil. It is immutable and safe for concurrent use.
// Scores become classes by solvers.Predict and solvers.TopK, label sets by solvers.LabelSets.
type Model[T vec.Float] struct {
	Linear  *linear.Model[T]
	LowRank *linear.LowRank[T]
	Kernel  *kernel.Expansion[T]
	Kernels *bundle.Combination[T]
}

// either is what all of them are.
type either[T vec.Float] interface {
	solvers.Scorer[T]
	io.WriterTo
	Names() []string
	Notes() map[string]string
	ScoresWorkers(dst vec.Matrix[T], x design.Matrix[T], rows []int, workers int) error
}

func (m *Model[T]) inner() either[T] {
	switch {
	case m != nil && m.Kernel != nil:
		return m.Kernel
	case m != nil && m.Kernels != nil:
		return m.Kernels
	case m != nil && m.LowRank != nil:
		return m.LowRank
	case m != nil && m.Linear != nil:
		return m.Linear
	}
	return new(linear.Model[T]) // of no features and no outputs
}

// MarshalJSON returns an error: numbers do not survive decimal text as they are.
func (m *Model[T]) MarshalJSON() ([]byte, error) {
	return nil, errors.New("model: a model as JSON: use WriteTo")
}

// Dims returns the number of features, a constant one not counted, and of outputs. Features of a precomputed kernel are
// its values with all training examples.
func (m *Model[T]) Dims() (features, outputs int) { return m.inner().Dims() }

// Names returns the names of the outputs, nil if they have none. They must not be changed.
func (m *Model[T]) Names() []string { return m.inner().Names() }

// Scores sets dst to the scores of the examples rows of x, nil standing for all, by all cores: len(rows)-by-outputs.
func (m *Model[T]) Scores(dst vec.Matrix[T], x design.Matrix[T], rows []int) error {
	return m.inner().Scores(dst, x, rows)
}

// ScoresWorkers is Scores by workers goroutines, 0 for all cores.
func (m *Model[T]) ScoresWorkers(dst vec.Matrix[T], x design.Matrix[T], rows []int, workers int) error {
	return m.inner().ScoresWorkers(dst, x, rows, workers)
}

// Notes returns a copy of what the model says of itself: nil if there is nothing.
func (m *Model[T]) Notes() map[string]string { return m.inner().Notes() }

// WithNotes returns the same model with a copy of these notes in place of its own. They go into its file.
func (m *Model[T]) WithNotes(notes map[string]string) *Model[T] {
	switch {
	case m != nil && m.Kernel != nil:
		return &Model[T]{Kernel: m.Kernel.WithNotes(notes)}
	case m != nil && m.Kernels != nil:
		return &Model[T]{Kernels: m.Kernels.WithNotes(notes)}
	case m != nil && m.LowRank != nil:
		return &Model[T]{LowRank: m.LowRank.WithNotes(notes)}
	case m != nil && m.Linear != nil:
		return &Model[T]{Linear: m.Linear.WithNotes(notes)}
	}
	return m
}
