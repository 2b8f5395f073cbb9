package bundle

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// Combination is the model of families of many kernels: an Expansion whose kernel is Σ_k weights[k] K_k of a Bundle.
// The scores of an example x are Σ_p Σ_k weights[k] k(x, x_p) a_p over support vectors x_p, with one row of
// coefficients a_p for all kernels. It is immutable, safe for concurrent use, and a solvers.Scorer.
//
// The features of an example are the groups of the bundle side by side, as design.Concat has them; of a given matrix
// they are its values with all n training examples. Features of groups without a weight are there, but not looked at.
// The zero Combination has neither features nor outputs; its scores are an error.
type Combination[T vec.Float] struct {
	container.OnlyFiles
	parts []part[T]
	c     core.Coefficients[T]
}

var _ solvers.Scorer[float32] = (*Combination[float32])(nil)

// part is what a Combination knows of a group of a Bundle.
type part[T vec.Float] struct {
	d       int             // features
	kernels []kernel.Kernel // of the group; nil: a given matrix
	weights []float64       // of these; of a given matrix one
	vectors core.Vectors[T] // nil: a given matrix, or all weights are 0
}

// weighs reports whether a weight is not 0.
func (p *part[T]) weighs() bool { return core.AnyNonZero(p.weights) }

// NewCombination returns the model with these weights, at least 0, of the kernels of b, and the coefficients, n-by-m,
// of its examples: the ones with a row that is not 0 are its support vectors. names are the outputs' names, nil if they
// have none. It is an error if sizes do not fit, a number is not finite, a weight negative or two outputs have the same
// name.
func NewCombination[T vec.Float](b *Bundle[T], weights []float64, coefficients vec.Matrix[T],
	names []string) (*Combination[T], error) {
	switch {
	case b == nil:
		return nil, fmt.Errorf("bundle: no bundle")
	case len(weights) != b.kernels:
		return nil, fmt.Errorf("bundle: %d weights for %d kernels, want as many", len(weights), b.kernels)
	}
	c, err := core.NewCoefficients("bundle", b.n, coefficients, names)
	if err != nil {
		return nil, err
	}
	m := &Combination[T]{c: c}
	for g, own := range b.groups {
		p := part[T]{d: b.n, kernels: own.kernels, weights: slices.Clone(weights[own.first : own.first+own.count])}
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("bundle: %w, in group %d", err, g)
		}
		if computed, ok := own.Products.(core.Computed[T]); ok {
			_, p.d = computed.Features().Dims()
			if p.weighs() {
				if p.vectors, err = computed.Vectors(p.weights, c.Support); err != nil {
					return nil, fmt.Errorf("bundle: %w", err)
				}
			}
		}
		m.parts = append(m.parts, p)
	}
	return m, nil
}

// check returns an error unless weights are.
func (p *part[T]) check() error {
	for q, w := range p.weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return fmt.Errorf("weight %v of kernel %d, want a finite number of at least 0", w, q)
		}
	}
	return nil
}

// Dims returns the number of features of an example, of all groups, and of outputs.
func (m *Combination[T]) Dims() (features, outputs int) {
	for _, p := range m.parts {
		features += p.d
	}
	return features, m.c.A.Cols
}

// Len returns n, the number of training examples.
func (m *Combination[T]) Len() int { return m.c.N }

// Weights returns the weights of all kernels, in the order of the bundle.
func (m *Combination[T]) Weights() (weights []float64) {
	for _, p := range m.parts {
		weights = append(weights, p.weights...)
	}
	return weights
}

// Support returns the places of the support vectors among the training examples, ascending, which must not be changed.
func (m *Combination[T]) Support() []int { return m.c.Support }

// Coefficients returns the coefficients of the support vectors, a row for each, which must not be changed.
func (m *Combination[T]) Coefficients() vec.Matrix[T] { return m.c.A }

// Names returns the names of the outputs, nil if they have none. They must not be changed.
func (m *Combination[T]) Names() []string { return m.c.Names }

// Notes returns a copy of what the model says of itself, such as the certificate and the settings of its training: nil
// if there is nothing.
func (m *Combination[T]) Notes() map[string]string { return maps.Clone(m.c.Notes) }

// WithNotes returns the same model with a copy of these notes in place of its own. They go into its file.
func (m *Combination[T]) WithNotes(notes map[string]string) *Combination[T] {
	other := *m
	other.c.Notes = maps.Clone(notes)
	return &other
}
