package train

import (
	"slices"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/vec"
)

// Variables are what a model is made of, or dual variables: matrices, and numbers besides. None at all stand for
// weights, coefficients or dual variables that are all 0, weights with a prior for the prior.
type Variables[T vec.Float] struct {
	Matrices []vec.Matrix[T]
	Numbers  []float64
}

// None reports whether all are 0.
func (v Variables[T]) None() bool { return v.Matrices == nil && v.Numbers == nil }

// Sized reports whether there is one matrix, of this size, and no numbers; or none at all.
func (v Variables[T]) Sized(rows, cols int) bool {
	return v.None() || len(v.Matrices) == 1 && v.Matrices[0].Rows == rows && v.Matrices[0].Cols == cols &&
		len(v.Numbers) == 0
}

// Matrix returns the only matrix, which has this size.
func (v Variables[T]) Matrix(rows, cols int) vec.Matrix[T] {
	if v.None() {
		return vec.NewMatrix[T](rows, cols)
	}
	return v.Matrices[0]
}

// clone returns a copy.
func (v Variables[T]) clone() Variables[T] {
	own := Variables[T]{Numbers: slices.Clone(v.Numbers)}
	for _, m := range v.Matrices {
		c := vec.NewMatrix[T](m.Rows, m.Cols)
		for i := range m.Rows {
			copy(c.Row(i), m.Row(i))
		}
		own.Matrices = append(own.Matrices, c)
	}
	return own
}

func (v Variables[T]) save(w *container.Writer) {
	w.Ints("vars", len(v.Matrices))
	for _, m := range v.Matrices {
		container.WriteMatrix(w, "vars", m)
	}
	container.Floats(w, "vars", v.Numbers)
}

func (v *Variables[T]) load(r *container.Reader) {
	const most = 2 // matrices of any method
	count := r.Ints("vars", 1)
	if r.Err() == nil && (count[0] < 0 || count[0] > most) {
		r.Corrupt("variables in %d matrices", count[0])
	}
	if r.Err() != nil {
		return
	}
	*v = Variables[T]{}
	for range count[0] {
		v.Matrices = append(v.Matrices, container.ReadMatrix[T](r, "vars"))
	}
	if numbers := container.ReadFloats[float64](r, "vars", container.Any); len(numbers) > 0 {
		v.Numbers = numbers
	}
}
