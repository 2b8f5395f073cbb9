package kernel

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers"
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
	onlyFiles
	n       int // training examples
	parts   []part[T]
	support []int
	a       vec.Matrix[T]
	names   []string
	notes   map[string]string
}

var _ solvers.Scorer[float32] = (*Combination[float32])(nil)

// part is what a Combination knows of a group of a Bundle.
type part[T vec.Float] struct {
	d       int        // features
	kernels []Kernel   // of the group; nil: a given matrix
	weights []float64  // of these; of a given matrix one
	vectors vectors[T] // nil: a given matrix, or all weights are 0
}

// sum is the kernel of a part, of those with a weight.
func (p *part[T]) sum() (k Sum) {
	for q, w := range p.weights {
		if p.kernels != nil && w > 0 {
			k = append(k, Term{w, p.kernels[q]})
		}
	}
	return k
}

// NewCombination returns the model with these weights, at least 0, of the kernels of b, and the coefficients, n-by-m,
// of its examples: the ones with a row that is not 0 are its support vectors. names are the outputs' names, nil if they
// have none. It is an error if sizes do not fit, a number is not finite, a weight negative or two outputs have the same
// name.
func NewCombination[T vec.Float](b *Bundle[T], weights []float64, coefficients vec.Matrix[T],
	names []string) (*Combination[T], error) {
	switch {
	case b == nil:
		return nil, fmt.Errorf("kernel: no bundle")
	case len(weights) != len(b.kernels):
		return nil, fmt.Errorf("kernel: %d weights for %d kernels, need as many", len(weights), len(b.kernels))
	}
	if err := coefficients.Validate(); err != nil {
		return nil, fmt.Errorf("kernel: coefficients: %w", err)
	}
	if coefficients.Rows != b.n || coefficients.Cols < 1 {
		return nil, fmt.Errorf("kernel: %d-by-%d coefficients for %d examples, need as many rows and an output "+
			"at least",
			coefficients.Rows, coefficients.Cols, b.n)
	}
	if err := solvers.CheckNames(names, coefficients.Cols); err != nil {
		return nil, err
	}
	m := &Combination[T]{n: b.n, names: append([]string(nil), names...)}
	for i := range b.n {
		row := coefficients.Row(i)
		if err := finite("coefficient", row, i); err != nil {
			return nil, err
		}
		if anyNot0(row) {
			m.support = append(m.support, i)
		}
	}
	m.a = vec.NewMatrix[T](len(m.support), coefficients.Cols)
	for p, i := range m.support {
		copy(m.a.Row(p), coefficients.Row(i))
	}
	for g := range b.groups {
		own := &b.groups[g]
		p := part[T]{d: b.n, weights: slices.Clone(weights[own.first : own.first+len(own.kernels)])}
		if own.products != nil {
			p.d, p.kernels = own.products.d, own.kernels
		}
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("kernel: %w, in group %d", err, g)
		}
		if k := p.sum(); len(k) > 0 {
			v, err := vectorsOf(own.products, k, m.support)
			if err != nil {
				return nil, err
			}
			p.vectors = v
		}
		m.parts = append(m.parts, p)
	}
	return m, nil
}

// finite returns an error that names the first number of a row that is not finite.
func finite[T vec.Float](what string, row []T, i int) error {
	for c, v := range row {
		if v-v != 0 {
			return fmt.Errorf("kernel: %s %v of row %d for output %d, need a finite number", what, v, i, c)
		}
	}
	return nil
}

// check returns an error unless weights are.
func (p *part[T]) check() error {
	for q, w := range p.weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return fmt.Errorf("weight %v of kernel %d, need a finite number of at least 0", w, q)
		}
	}
	return nil
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

// Dims returns the number of features of an example, of all groups, and of outputs.
func (m *Combination[T]) Dims() (features, outputs int) {
	for _, p := range m.parts {
		features += p.d
	}
	return features, m.a.Cols
}

// Len returns n, the number of training examples.
func (m *Combination[T]) Len() int { return m.n }

// Weights returns the weights of all kernels, in the order of the bundle.
func (m *Combination[T]) Weights() (weights []float64) {
	for _, p := range m.parts {
		weights = append(weights, p.weights...)
	}
	return weights
}

// Support returns the places of the support vectors among the training examples, ascending, which must not be changed.
func (m *Combination[T]) Support() []int { return m.support }

// Coefficients returns the coefficients of the support vectors, a row for each, which must not be changed.
func (m *Combination[T]) Coefficients() vec.Matrix[T] { return m.a }

// Names returns the names of the outputs, nil if they have none. They must not be changed.
func (m *Combination[T]) Names() []string { return m.names }

// Notes returns a copy of what the model says of itself, such as the certificate and the settings of its training: nil
// if there is nothing.
func (m *Combination[T]) Notes() map[string]string { return maps.Clone(m.notes) }

// WithNotes returns the same model with a copy of these notes in place of its own. They go into its file.
func (m *Combination[T]) WithNotes(notes map[string]string) *Combination[T] {
	other := *m
	other.notes = maps.Clone(notes)
	return &other
}
