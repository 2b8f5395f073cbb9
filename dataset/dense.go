package dataset

import (
	"fmt"
	"math"
	"runtime"

	"github.com/dualgap/dualgap/vec"
)

// Dense is n examples by d features in a row-major matrix: Rows = n, Cols = d, Row(i) is example i.
type Dense[T vec.Float] struct {
	vec.Matrix[T]
}

// NewDense returns m as examples, without copying. It is an error if the sizes of m do not fit together or a number in it is
// not finite; rows and columns in the message count from 0. O(n d).
func NewDense[T vec.Float](m vec.Matrix[T]) (*Dense[T], error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if m.Cols == 0 {
		return &Dense[T]{vec.Matrix[T]{Rows: m.Rows}}, nil // a window may have a stride, but no data to step over
	}
	for i := range m.Rows {
		for j, v := range m.Row(i) {
			if !isFinite(v) {
				return nil, fmt.Errorf("dataset: row %d, column %d: value %v, expected a finite number", i, j, v)
			}
		}
	}
	return &Dense[T]{m}, nil
}

// Columns returns a copy of the given columns, in the given order. A column out of range or named twice is an error. For a run
// of columns without a copy, make a Dense of a.Slice(0, a.Rows, j, j2). O(n len(cols)).
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
			return nil, fmt.Errorf("dataset: column %d at place %d of the list, expected one in 0..%d", j, k, n-1)
		}
		if first, twice := place[j]; twice {
			return nil, fmt.Errorf("dataset: column %d stands at places %d and %d of the list", j, first, k)
		}
		place[j] = k
	}
	return place, nil
}

func isFinite[T vec.Float](v T) bool { return v-v == 0 }

// checkSize returns an error if a rows-by-cols matrix of T is more than the address space holds.
func checkSize[T vec.Float](rows, cols int) error {
	if rows > 0 && cols > maxElements/rows {
		return fmt.Errorf("dataset: a dense matrix of %d rows and %d columns is beyond this machine's memory", rows, cols)
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
