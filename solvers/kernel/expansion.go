package kernel

import (
	"errors"
	"fmt"
	"maps"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// Expansion is the model of every kernelized family: the scores of an example x are Σ_p k(x, x_p) a_p over support
// vectors x_p, whose coefficients a_p are a row of m numbers, one for each output. It holds copies of all that it
// needs, sparse ones of sparse examples. It is immutable, safe for concurrent use, and a solvers.Scorer:
// solvers.Predict, solvers.TopK and solvers.LabelSets answer for many examples.
//
// Of a precomputed kernel the features of an example are its kernel values with all n training examples. The zero
// Expansion has neither features nor outputs; its scores are an error.
type Expansion[T vec.Float] struct {
	container.OnlyFiles
	k       Kernel     // nil: precomputed
	d       int        // features
	vectors vectors[T] // nil: precomputed
	c       core.Coefficients[T]
}

var _ solvers.Scorer[float32] = (*Expansion[float32])(nil)

// errZero is the answer of the zero Expansion.
var errZero = errors.New("kernel: the zero Expansion has no coefficients")

// NewExpansion returns the model with the given coefficients, n-by-m, of the n examples of k: the ones with a row that
// is not 0 are its support vectors. names are the outputs' names, nil if they have none. It is an error if sizes do not
// fit, a coefficient is not finite or two outputs have the same name.
func NewExpansion[T vec.Float](k *Matrix[T], coefficients vec.Matrix[T], names []string) (*Expansion[T], error) {
	if k == nil {
		return nil, fmt.Errorf("kernel: no kernel matrix")
	}
	c, err := core.NewCoefficients("kernel", k.n, coefficients, names)
	if err != nil {
		return nil, err
	}
	if k.k == nil {
		return &Expansion[T]{d: k.n, c: c}, nil
	}
	v, err := vectorsOf(k, k.k, c.Support)
	if err != nil {
		return nil, err
	}
	return &Expansion[T]{k: k.k, d: k.d, vectors: v, c: c}, nil
}

// Dims returns the number of features of an example, and of outputs.
func (m *Expansion[T]) Dims() (features, outputs int) { return m.d, m.c.A.Cols }

// Kernel returns the kernel, nil for a precomputed one.
func (m *Expansion[T]) Kernel() Kernel { return m.k }

// Len returns n, the number of training examples.
func (m *Expansion[T]) Len() int { return m.c.N }

// Support returns the places of the support vectors among the training examples, ascending, which must not be changed.
func (m *Expansion[T]) Support() []int { return m.c.Support }

// Coefficients returns the coefficients of the support vectors, a row for each, which must not be changed.
func (m *Expansion[T]) Coefficients() vec.Matrix[T] { return m.c.A }

// Names returns the names of the outputs, nil if they have none. They must not be changed.
func (m *Expansion[T]) Names() []string { return m.c.Names }

// Notes returns a copy of what the model says of itself, such as the certificate and the settings of its training: nil
// if there is nothing.
func (m *Expansion[T]) Notes() map[string]string { return maps.Clone(m.c.Notes) }

// WithNotes returns the same model with a copy of these notes in place of its own. They go into its file.
func (m *Expansion[T]) WithNotes(notes map[string]string) *Expansion[T] {
	other := *m
	other.c.Notes = maps.Clone(notes)
	return &other
}
