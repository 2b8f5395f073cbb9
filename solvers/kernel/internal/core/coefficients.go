package core

import (
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// Coefficients are the part of a model that does not depend on its kernel: which of n training examples are support
// vectors, and a row of numbers for each of these.
type Coefficients[T vec.Float] struct {
	N       int
	Support []int // ascending
	A       vec.Matrix[T]
	Names   []string // of the outputs, or nil
	Notes   map[string]string
}

// NewCoefficients takes the rows of a, n-by-m, that are not 0. Errors begin with the name of a package.
func NewCoefficients[T vec.Float](pkg string, n int, a vec.Matrix[T], names []string) (c Coefficients[T], err error) {
	if err := a.Validate(); err != nil {
		return c, fmt.Errorf("%s: coefficients: %w", pkg, err)
	}
	if a.Rows != n || a.Cols < 1 {
		return c, fmt.Errorf("%s: %d-by-%d coefficients for %d examples, want as many rows and an output at least",
			pkg, a.Rows, a.Cols, n)
	}
	if err := solvers.CheckNames(names, a.Cols); err != nil {
		return c, err
	}
	c = Coefficients[T]{N: n, Names: append([]string(nil), names...)}
	for i := range n {
		for j, v := range a.Row(i) {
			if v-v != 0 {
				return c, fmt.Errorf("%s: coefficient %v of row %d for output %d, want a finite number", pkg, v, i, j)
			}
		}
		if AnyNonZero(a.Row(i)) {
			c.Support = append(c.Support, i)
		}
	}
	c.A = Pick(a, c.Support)
	return c, nil
}

// MostOutputs is the largest number of outputs of a model that is read and has no support vectors: none of its bytes
// stand for them, and who predicts with the model takes memory for each.
const MostOutputs = 1 << 20

// Check returns an error unless the coefficients, read from a file that names some sizes, are sound.
func (c *Coefficients[T]) Check(support, outputs int, sizes []int) error {
	if c.N < 1 || outputs < 1 || support != len(c.Support) || support != c.A.Rows || outputs != c.A.Cols {
		return fmt.Errorf("%d-by-%d coefficients of %d support vectors, but sizes %v", c.A.Rows, c.A.Cols,
			len(c.Support), sizes)
	}
	if support == 0 && outputs > MostOutputs {
		return fmt.Errorf("%d outputs without a support vector, want at most %d", outputs, MostOutputs)
	}
	if err := solvers.CheckNames(c.Names, outputs); err != nil {
		return err
	}
	for p, i := range c.Support {
		if i < 0 || i >= c.N || p > 0 && i <= c.Support[p-1] {
			return fmt.Errorf("support vector %d is example %d of %d", p, i, c.N)
		}
		if err := CheckFinite("coefficient", p, c.A.Row(p)); err != nil {
			return err
		}
	}
	return nil
}

// CheckFinite returns an error that names the first number of support vector p that is not finite.
func CheckFinite[T vec.Float](what string, p int, row []T) error {
	for c, v := range row {
		if v-v != 0 {
			return fmt.Errorf("%s %d of support vector %d is %v", what, c, p, v)
		}
	}
	return nil
}

// AnyNonZero reports whether a number of the row is not 0.
func AnyNonZero[T vec.Float](row []T) bool {
	return slices.ContainsFunc(row, func(v T) bool { return v != 0 })
}
