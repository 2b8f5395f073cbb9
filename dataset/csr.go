package dataset

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// CSR is n examples by d features in compressed sparse rows, which store nonzeros only. Example i has the values
// Val[Ptr[i]:Ptr[i+1]] in the columns Idx[Ptr[i]:Ptr[i+1]], which strictly ascend. All its other numbers are 0. Whoever
// fills the fields by hand calls Validate.
//
// The methods from Dims to Gram make it a design.Matrix, whose documentation tells their shapes. They may be called
// from several goroutines, panic with a [vec.ShapeError] where sizes do not fit, and allocate nothing once warm.
type CSR[T vec.Float] struct {
	Rows, Cols int     // n and d; d is at most 2^31-1
	Ptr        []int   // n+1 row pointers, from 0 to len(Val), none below the one before it
	Idx        []int32 // the column of each value, from 0
	Val        []T     // finite; a stored 0 is allowed
}

// NewCSR returns a CSR of len(ptr)-1 rows over the given slices, which are not copied, or the error of [CSR.Validate].
// O(n + nnz).
func NewCSR[T vec.Float](cols int, ptr []int, idx []int32, val []T) (*CSR[T], error) {
	a := &CSR[T]{Rows: len(ptr) - 1, Cols: cols, Ptr: ptr, Idx: idx, Val: val}
	if err := a.Validate(); err != nil {
		return nil, err
	}
	return a, nil
}

// Validate returns an error unless sizes, row pointers, columns and values are as the comments of the fields say. The
// error names the row, the column and the value, counted from 0. O(n + nnz).
func (a *CSR[T]) Validate() error {
	if err := a.CheckSizes(); err != nil {
		return err
	}
	for i := range a.Rows {
		if err := a.validateColumns(i); err != nil {
			return err
		}
	}
	if k := firstNotFinite(a.Val); k >= 0 {
		i := sort.SearchInts(a.Ptr, k+1) - 1 // the last row that begins at k or before
		return valueError(i, int(a.Idx[k]), a.Val[k])
	}
	return nil
}

// CheckSizes is the part of Validate that makes rows safe to read: the sizes and the row pointers. Models call it, and
// look at columns and values as they go; training calls Validate. O(n).
func (a *CSR[T]) CheckSizes() error {
	switch {
	case a == nil:
		return fmt.Errorf("dataset: the sparse matrix is nil")
	case a.Rows < 0 || a.Cols < 0 || a.Cols > math.MaxInt32:
		return fmt.Errorf("dataset: sparse matrix of %d rows and %d columns, want 0 at least and %d columns "+
			"at most",
			a.Rows, a.Cols, math.MaxInt32)
	case len(a.Ptr)-1 != a.Rows:
		return fmt.Errorf("dataset: %d row pointers for %d rows, want one more than rows", len(a.Ptr), a.Rows)
	case len(a.Idx) != len(a.Val):
		return fmt.Errorf("dataset: %d column indices for %d values", len(a.Idx), len(a.Val))
	case a.Ptr[0] != 0 || a.Ptr[a.Rows] != len(a.Val):
		return fmt.Errorf("dataset: row pointers from %d to %d, want 0 to the number of values, %d",
			a.Ptr[0], a.Ptr[a.Rows], len(a.Val))
	}
	for i := range a.Rows {
		if a.Ptr[i+1] < a.Ptr[i] || a.Ptr[i+1] > len(a.Val) {
			return fmt.Errorf("dataset: row %d runs from %d to %d, want ascending pointers up to %d",
				i, a.Ptr[i], a.Ptr[i+1], len(a.Val))
		}
	}
	return nil
}

func (a *CSR[T]) validateColumns(i int) error {
	idx, val := a.Row(i)
	if ascend(idx) && (len(idx) == 0 || idx[0] >= 0 && int(idx[len(idx)-1]) < a.Cols) {
		return nil
	}
	last := int32(-1)
	for k, j := range idx {
		switch {
		case j < 0 || int(j) >= a.Cols:
			return fmt.Errorf("dataset: row %d has column %d, value %v: want a column in 0..%d",
				i, j, val[k], a.Cols-1)
		case j <= last:
			return fmt.Errorf("dataset: row %d has column %d, value %v, after column %d: want ascending columns",
				i, j, val[k], last)
		}
		last = j
	}
	return nil
}

// ascend reports whether idx strictly ascends. It does not branch at each of them, which would take twice the time.
func ascend(idx []int32) bool {
	if len(idx) < 2 {
		return true
	}
	descents := int64(0) // below 0 where a number is not above the one before
	for ; len(idx) >= 5; idx = idx[4:] {
		a, b, c, d, e := int64(idx[0]), int64(idx[1]), int64(idx[2]), int64(idx[3]), int64(idx[4])
		descents |= (b - a - 1) | (c - b - 1) | (d - c - 1) | (e - d - 1)
	}
	last := int64(idx[0])
	for _, j := range idx[1:] {
		descents |= int64(j) - last - 1
		last = int64(j)
	}
	return descents >= 0
}

// Window returns the examples from, ..., to-1 as if they were all. It shares a's columns and values. Only the row
// pointers are copied, since they begin with 0. It panics unless 0 <= from <= to <= n. O(to - from).
func (a *CSR[T]) Window(from, to int) *CSR[T] {
	mustLieWithin("CSR.Window", from, to, a.Rows)
	p, q := a.Ptr[from], a.Ptr[to]
	ptr := make([]int, to-from+1)
	for i := range ptr {
		ptr[i] = a.Ptr[from+i] - p
	}
	return &CSR[T]{Rows: to - from, Cols: a.Cols, Ptr: ptr, Idx: a.Idx[p:q:q], Val: a.Val[p:q:q]}
}

// Row returns the columns and values of example i, which share a's memory. It panics unless 0 <= i < n. O(1).
func (a *CSR[T]) Row(i int) (idx []int32, val []T) {
	if uint(i) >= uint(a.Rows) {
		panic(shape.Errorf("dataset: CSR.Row", "row %d of a matrix with %d rows", i, a.Rows))
	}
	p, q := a.Ptr[i], a.Ptr[i+1]
	return a.Idx[p:q:q], a.Val[p:q:q]
}

// Packed returns Ptr, Idx and Val, which training reads rows by. O(1).
func (a *CSR[T]) Packed() (ptr []int, idx []int32, val []T) { return a.Ptr, a.Idx, a.Val }

// Columns returns a copy of the given columns, in the given order. A column out of range or named twice is an error.
// O(n + nnz + len(cols)); where cols do not ascend, each row is sorted besides.
func (a *CSR[T]) Columns(cols []int) (*CSR[T], error) {
	place, err := columnMap(cols, a.Cols)
	if err != nil {
		return nil, err
	}
	ascend := slices.IsSorted(cols)
	b := &CSR[T]{Rows: a.Rows, Cols: len(cols), Ptr: make([]int, 1, a.Rows+1)}
	for i := range a.Rows {
		idx, val := a.Row(i)
		for k, j := range idx {
			if to, ok := place[int(j)]; ok {
				b.Idx = append(b.Idx, int32(to))
				b.Val = append(b.Val, val[k])
			}
		}
		if !ascend {
			sort.Sort(byColumn[T]{b.Idx[b.Ptr[i]:], b.Val[b.Ptr[i]:]})
		}
		b.Ptr = append(b.Ptr, len(b.Val))
	}
	return b, nil
}

// byColumn sorts a row.
type byColumn[T vec.Float] struct {
	idx []int32
	val []T
}

func (r byColumn[T]) Len() int           { return len(r.idx) }
func (r byColumn[T]) Less(i, j int) bool { return r.idx[i] < r.idx[j] }
func (r byColumn[T]) Swap(i, j int) {
	r.idx[i], r.idx[j] = r.idx[j], r.idx[i]
	r.val[i], r.val[j] = r.val[j], r.val[i]
}
