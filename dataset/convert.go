package dataset

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// CSR returns a copy of a that stores the nonzeros only. It is an error if a has more than 2^31-1 columns. O(n d).
func (a *Dense[T]) CSR() (*CSR[T], error) {
	if a.Cols > math.MaxInt32 {
		return nil, fmt.Errorf("dataset: %d columns, a sparse matrix has at most %d", a.Cols, math.MaxInt32)
	}
	ptr := make([]int, a.Rows+1)
	for i := range a.Rows {
		ptr[i+1] = ptr[i]
		for _, v := range a.Matrix.Row(i) {
			if v != 0 {
				ptr[i+1]++
			}
		}
	}
	nnz := ptr[a.Rows]
	b := &CSR[T]{Rows: a.Rows, Cols: a.Cols, Ptr: ptr, Idx: make([]int32, 0, nnz), Val: make([]T, 0, nnz)}
	for i := range a.Rows {
		for j, v := range a.Matrix.Row(i) {
			if v != 0 {
				b.Idx = append(b.Idx, int32(j))
				b.Val = append(b.Val, v)
			}
		}
	}
	return b, nil
}

// Dense returns a copy of a as n d numbers, zeros included. It is an error if no memory can hold them. O(n d).
func (a *CSR[T]) Dense() (*Dense[T], error) {
	if err := checkSize[T](a.Rows, a.Cols); err != nil {
		return nil, err
	}
	b := vec.NewMatrix[T](a.Rows, a.Cols)
	for i := range a.Rows {
		idx, val := a.Row(i)
		row := b.Row(i)
		for k, j := range idx {
			row[j] = val[k]
		}
	}
	return &Dense[T]{b}, nil
}

// ConvertDense returns a copy of a with numbers of type U, rounded to nearest. A number beyond the range of float32 is
// an error that names row and column. O(n d).
func ConvertDense[U, T vec.Float](a *Dense[T]) (*Dense[U], error) {
	b := vec.NewMatrix[U](a.Rows, a.Cols)
	for i := range a.Rows {
		if j := convert(b.Row(i), a.Row(i)); j >= 0 {
			return nil, fmt.Errorf("dataset: row %d, column %d: value %v is beyond the range of float32",
				i, j, a.Row(i)[j])
		}
	}
	return &Dense[U]{b}, nil
}

// ConvertCSR returns a copy of a with numbers of type U, rounded to nearest. A number beyond the range of float32 is an
// error that names row and column. O(n + nnz).
func ConvertCSR[U, T vec.Float](a *CSR[T]) (*CSR[U], error) {
	b := &CSR[U]{Rows: a.Rows, Cols: a.Cols, Ptr: slices.Clone(a.Ptr), Idx: slices.Clone(a.Idx)}
	b.Val = make([]U, len(a.Val))
	for i := range a.Rows {
		idx, val := a.Row(i)
		if k := convert(b.Val[a.Ptr[i]:], val); k >= 0 {
			return nil, fmt.Errorf("dataset: row %d, column %d: value %v is beyond the range of float32",
				i, idx[k], val[k])
		}
	}
	return b, nil
}

// convert copies src to dst and returns the index of the first number that dst's type does not hold, or -1.
func convert[U, T vec.Float](dst []U, src []T) int {
	for i, v := range src {
		dst[i] = U(v)
		if !isFinite(dst[i]) {
			return i
		}
	}
	return -1
}
