package dataset

import (
	"fmt"
	"math"
	"runtime"

	"github.com/dualgap/dualgap/vec"
)

// Dense is n examples by d features in a row-major matrix: Rows = n, Cols = d, Row(i) is example i. Whoever fills the
// fields by hand calls Validate.
//
// The methods from Dims to Gram make it a design.Matrix, whose documentation tells their shapes. They may be called
// from several goroutines, panic with a [vec.ShapeError] where sizes do not fit, and allocate nothing once warm.
type Dense[T vec.Float] struct {
	vec.Matrix[T]
}

// NewDense returns m as examples, without copying, or the error of [Dense.Validate]. O(n d).
func NewDense[T vec.Float](m vec.Matrix[T]) (*Dense[T], error) {
	a := &Dense[T]{m}
	if m.Cols == 0 {
		a.Stride, a.Data = 0, nil // a window may have a stride, but no data to step over
	}
	if err := a.Validate(); err != nil {
		return nil, err
	}
	return a, nil
}

// Validate returns an error unless the sizes, the stride and the length of Data fit together and all numbers are
// finite. The error names the row, the column and the value, counted from 0. O(n d), one pass over the numbers.
func (a *Dense[T]) Validate() error {
	if err := a.CheckSizes(); err != nil {
		return err
	}
	if a.Rows == 0 || a.Cols == 0 {
		return nil
	}
	if a.Stride == a.Cols {
		if k := firstNotFinite(a.Data[:a.Rows*a.Cols]); k >= 0 {
			return valueError(k/a.Cols, k%a.Cols, a.Data[k])
		}
		return nil
	}
	for i := range a.Rows {
		if j := firstNotFinite(a.Row(i)); j >= 0 {
			return valueError(i, j, a.Row(i)[j])
		}
	}
	return nil
}

// CheckSizes is the part of Validate that makes rows safe to read: it does not look at the numbers. Models call it, and
// look at those as they go; training calls Validate. O(1).
func (a *Dense[T]) CheckSizes() error {
	if a == nil {
		return fmt.Errorf("dataset: the dense matrix is nil")
	}
	if err := a.Matrix.Validate(); err != nil {
		return fmt.Errorf("dataset: %w", err)
	}
	return nil
}

// Window returns the examples from, ..., to-1 as if they were all. It shares a's numbers, so that nothing is copied. It
// panics unless 0 <= from <= to <= n. O(1).
func (a *Dense[T]) Window(from, to int) *Dense[T] {
	mustLieWithin("Dense.Window", from, to, a.Rows)
	return &Dense[T]{a.Slice(from, to, 0, a.Cols)}
}

// Columns returns a copy of the given columns, in the given order. A column out of range or named twice is an error.
// Columns j to j2-1 need no copy: they are &Dense[T]{a.Slice(0, a.Rows, j, j2)}. O(n len(cols)).
func (a *Dense[T]) Columns(cols []int) (*Dense[T], error) {
	if _, err := columnMap(cols, a.Cols); err != nil {
		return nil, err
	}
	b := vec.NewMatrix[T](a.Rows, len(cols))
	for i := range a.Rows {
		from, to := a.Row(i), b.Row(i)
		for k, j := range cols {
			to[k] = from[j]
		}
	}
	return &Dense[T]{b}, nil
}

// columnMap returns the place of each column in cols, which are distinct columns out of n.
func columnMap(cols []int, n int) (map[int]int, error) {
	place := make(map[int]int, len(cols))
	for k, j := range cols {
		if j < 0 || j >= n {
			return nil, fmt.Errorf("dataset: column %d at place %d of the list, want one in 0..%d", j, k, n-1)
		}
		if first, twice := place[j]; twice {
			return nil, fmt.Errorf("dataset: column %d stands at places %d and %d of the list", j, first, k)
		}
		place[j] = k
	}
	return place, nil
}

// checkSize returns an error if a rows-by-cols matrix of T is more than the address space holds.
func checkSize[T vec.Float](rows, cols int) error {
	if rows > 0 && cols > maxElements/rows {
		return fmt.Errorf("dataset: a dense matrix of %d rows and %d columns is beyond this machine's memory",
			rows, cols)
	}
	return nil
}

// maxElements of 8 bytes each are what make accepts, and more than machines have where addresses have 64 bits.
var maxElements = func() int {
	if runtime.GOARCH == "wasm" {
		return 1<<29 - 1 // an int of 64 bits, but addresses of 32
	}
	return min(math.MaxInt, 1<<47) / 8
}()
