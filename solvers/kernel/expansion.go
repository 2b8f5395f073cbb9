package kernel

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// Expansion is the model of every kernelized family: the scores of an example x are Σ_p k(x, x_p) a_p + b over support
// vectors x_p, whose coefficients a_p are a row of m numbers, one for each output, as the offsets b are. It holds
// copies of all that it needs, sparse ones of sparse examples. It is immutable, safe for concurrent use, and a
// solvers.Scorer: solvers.Predict, solvers.TopK and solvers.LabelSets answer for many examples.
//
// Of a precomputed kernel the features of an example are its kernel values with all n training examples. The zero
// Expansion has neither features nor outputs; its scores are an error.
type Expansion[T vec.Float] struct {
	container.OnlyFiles
	k       Kernel     // nil: precomputed
	d       int        // features
	vectors vectors[T] // nil: precomputed
	c       core.Coefficients[T]
	bias    []T // offsets of the outputs; nil: none
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

// Bias returns a copy of the offsets of the outputs, nil if there are none.
func (m *Expansion[T]) Bias() []T { return slices.Clone(m.bias) }

// WithBias returns the same model with these offsets, one for each output, in place of its own; nil stands for none. It
// is an error where they are another number, or one is not finite.
func (m *Expansion[T]) WithBias(bias []T) (*Expansion[T], error) {
	if err := m.checkBias(bias); err != nil {
		return nil, fmt.Errorf("kernel: %w", err)
	}
	other := *m
	other.bias = slices.Clone(bias)
	return &other, nil
}

func (m *Expansion[T]) checkBias(bias []T) error {
	if bias != nil && len(bias) != m.c.A.Cols {
		return fmt.Errorf("%d offsets for %d outputs", len(bias), m.c.A.Cols)
	}
	for c, b := range bias {
		if b-b != 0 {
			return fmt.Errorf("offset %v of output %d, want a finite number", b, c)
		}
	}
	return nil
}

// addBias adds the offsets to scores.
func (m *Expansion[T]) addBias(dst vec.Matrix[T]) {
	if m.bias == nil {
		return
	}
	for i := range dst.Rows {
		vec.Axpy(1, m.bias, dst.Row(i))
	}
}

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
