package linear

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"sync"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// Model is a linear model of d features with m outputs. It is immutable and safe for concurrent use. The zero Model has
// neither features nor outputs; its scores are an error.
//
// Methods that take one example panic when a vector has a wrong length; those that take examples return an error.
type Model[T vec.Float] struct {
	onlyFiles
	w        vec.Matrix[T] // d-by-m, and one more row if constant is not 0; rows next to each other
	d        int
	constant T // value of the constant feature
	names    []string
	notes    map[string]string
	pool     *sync.Pool // of *[]T: scores
}

var _ solvers.Scorer[float32] = (*Model[float32])(nil)

// errZero is the answer of the zero Model.
var errZero = errors.New("linear: the zero Model has no weights")

// New returns the model with the weights w, d-by-m, and the offsets bias, one for each output; nil stands for none.
// names are the outputs' names, nil if they have none. All are copied. It is an error if the sizes do not fit, a number
// is not finite, or two outputs have the same name.
func New[T vec.Float](w vec.Matrix[T], bias []T, names []string) (*Model[T], error) {
	if err := checkMatrix(w); err != nil {
		return nil, err
	}
	if bias != nil && len(bias) != w.Cols {
		return nil, fmt.Errorf("linear: %d offsets for %d outputs", len(bias), w.Cols)
	}
	rows, constant := w.Rows, T(0)
	if bias != nil {
		rows, constant = rows+1, 1
	}
	own := vec.NewMatrix[T](rows, w.Cols)
	for j := range w.Rows {
		copy(own.Row(j), w.Row(j))
	}
	if bias != nil {
		copy(own.Row(w.Rows), bias)
	}
	return WithConstant(own, constant, names)
}

// WithConstant returns the model that a solver has trained on design.WithBias(x, b): w is (d+1)-by-m, and its last row
// the weights of the constant feature, which is b in every example. With b = 0 there is none, and w is d-by-m. The
// model keeps w, which must not change, unless its rows have numbers between them that belong to nobody. Errors are as
// in [New].
func WithConstant[T vec.Float](w vec.Matrix[T], b T, names []string) (*Model[T], error) {
	if err := checkMatrix(w); err != nil {
		return nil, err
	}
	if b-b != 0 {
		return nil, fmt.Errorf("linear: constant feature %v, want a finite number", b)
	}
	d := w.Rows
	if b != 0 {
		d--
	}
	if d < 1 {
		return nil, fmt.Errorf("linear: a %d-by-%d matrix of weights for %d features", w.Rows, w.Cols, d)
	}
	if err := solvers.CheckNames(names, w.Cols); err != nil {
		return nil, err
	}
	if err := checkFinite(w, d); err != nil {
		return nil, err
	}
	names = append([]string(nil), names...)
	return &Model[T]{w: compact(w), d: d, constant: b, names: names, pool: new(sync.Pool)}, nil
}

// checkFinite returns an error that names the first weight, or offset in row d, that is not finite. A sum of squares is
// finite only if all numbers are.
func checkFinite[T vec.Float](w vec.Matrix[T], d int) error {
	if w.Stride == w.Cols {
		if sum := vec.SquaredNorm(w.Data[:w.Rows*w.Cols]); sum-sum == 0 {
			return nil
		}
	}
	for j := range w.Rows {
		for c, v := range w.Row(j) {
			switch {
			case v-v == 0:
			case j == d:
				return fmt.Errorf("linear: offset %v of output %d, want a finite number", v, c)
			default:
				return fmt.Errorf("linear: weight %v of feature %d for output %d, want a finite number", v, j, c)
			}
		}
	}
	return nil
}

// compact returns w without numbers between its rows.
func compact[T vec.Float](w vec.Matrix[T]) vec.Matrix[T] {
	size := w.Rows * w.Cols
	if w.Stride == w.Cols {
		return vec.MatrixOf(w.Rows, w.Cols, w.Data[:size:size])
	}
	return copied(w)
}

func checkMatrix[T vec.Float](w vec.Matrix[T]) error {
	if err := w.Validate(); err != nil {
		return fmt.Errorf("linear: %w", err)
	}
	if w.Rows < 1 || w.Cols < 1 || w.Rows == math.MaxInt || w.Cols > math.MaxInt/(w.Rows+1) {
		return fmt.Errorf("linear: a %d-by-%d matrix of weights, want a feature and an output at least", w.Rows, w.Cols)
	}
	return nil
}

// Dims returns the number of features, a constant one not counted, and of outputs.
func (m *Model[T]) Dims() (features, outputs int) { return m.d, m.w.Cols }

// Names returns the names of the outputs, nil if they have none. They must not be changed.
func (m *Model[T]) Names() []string { return m.names }

// Weights returns W, d-by-m, its rows next to each other, which must not be changed.
func (m *Model[T]) Weights() vec.Matrix[T] { return m.w.Slice(0, m.d, 0, m.w.Cols) }

// Bias returns a copy of the offsets of the outputs, Constant times the weights of the constant feature: nil if there
// is none.
func (m *Model[T]) Bias() []T {
	if m.constant == 0 {
		return nil
	}
	bias := make([]T, m.w.Cols)
	for c, v := range m.w.Row(m.d) {
		bias[c] = m.constant * v
	}
	return bias
}

// Notes returns a copy of what the model says of itself, such as the certificate and the settings of its training: nil
// if there is nothing.
func (m *Model[T]) Notes() map[string]string { return maps.Clone(m.notes) }

// WithNotes returns the same model with a copy of these notes in place of its own. They go into its file.
func (m *Model[T]) WithNotes(notes map[string]string) *Model[T] {
	other := *m
	other.notes = maps.Clone(notes)
	return &other
}

// Constant returns the value of the constant feature that the model was trained with, 0 if there was none.
func (m *Model[T]) Constant() T { return m.constant }
