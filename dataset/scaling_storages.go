package dataset

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// Scaled returns a copy of a scaled by s, computed in float64 and rounded once. It is an error if a is not sound, if
// the sizes differ, if s is nil, or if s or a result is not finite. O(n d).
func (a *Dense[T]) Scaled(s *Scaling) (*Dense[T], error) {
	if err := a.CheckSizes(); err != nil {
		return nil, err
	}
	if err := s.check(a.Cols, false); err != nil {
		return nil, err
	}
	b := vec.NewMatrix[T](a.Rows, a.Cols)
	for i := range a.Rows {
		if j := scaleRow(b.Row(i), s, a.Row(i), nil); j >= 0 {
			return nil, scaledError(s, i, j, float64(a.Row(i)[j]))
		}
	}
	return &Dense[T]{b}, nil
}

// Scaled returns a copy of a scaled by s, computed in float64 and rounded once, with the same columns stored. It is an
// error if a is not sound, if the sizes differ, if s is nil or shifts a column, or if s or a result is not finite.
// O(n + nnz).
func (a *CSR[T]) Scaled(s *Scaling) (*CSR[T], error) {
	if err := a.Validate(); err != nil {
		return nil, err
	}
	if err := s.check(a.Cols, true); err != nil {
		return nil, err
	}
	b := &CSR[T]{Rows: a.Rows, Cols: a.Cols, Ptr: slices.Clone(a.Ptr), Idx: slices.Clone(a.Idx)}
	b.Val = make([]T, len(a.Val))
	for i := range a.Rows {
		idx, val := a.Row(i)
		if k := scaleRow(b.Val[a.Ptr[i]:a.Ptr[i+1]], s, val, idx); k >= 0 {
			return nil, scaledError(s, i, int(idx[k]), float64(val[k]))
		}
	}
	return b, nil
}

// scaledError is the error of a number v that is beyond the range of its type once it is scaled.
func scaledError(s *Scaling, i, j int, v float64) error {
	return fmt.Errorf("dataset: row %d, column %d: scaled value %v is beyond the range of the numbers", i, j,
		s.value(j, v))
}

func (a *Dense[T]) sparse() bool { return false }
func (a *CSR[T]) sparse() bool   { return true }

func (a *Dense[T]) extremes() (low, high []float64) {
	low, high = noRange(a.Cols)
	widenRange(low, high, a)
	return low, high
}

// noRange returns the bounds of no number in each of d columns.
func noRange(d int) (low, high []float64) {
	low, high = make([]float64, d), make([]float64, d)
	for j := range low {
		low[j], high[j] = math.Inf(1), math.Inf(-1)
	}
	return low, high
}

// widenRange widens the bounds to hold the numbers of a, too.
func widenRange[T vec.Float](low, high []float64, a *Dense[T]) {
	for i := range a.Rows {
		for j, x := range a.Row(i) {
			v := float64(x)
			low[j], high[j] = min(low[j], v), max(high[j], v)
		}
	}
}

func (a *CSR[T]) extremes() (low, high []float64) {
	low, high = noRange(a.Cols)
	for k, j := range a.Idx {
		low[j], high[j] = min(low[j], float64(a.Val[k])), max(high[j], float64(a.Val[k]))
	}
	for j, n := range a.stored() {
		if n < a.Rows {
			low[j], high[j] = min(low[j], 0), max(high[j], 0)
		}
	}
	return low, high
}

func (a *Dense[T]) squares(mean []float64) (sum, square []float64) {
	sum, square = make([]float64, a.Cols), make([]float64, a.Cols)
	addSquares(sum, square, mean, a)
	return sum, square
}

// addSquares adds the numbers of a less the mean of their column, and their squares.
func addSquares[T vec.Float](sum, square, mean []float64, a *Dense[T]) {
	for i := range a.Rows {
		for j, x := range a.Row(i) {
			v := float64(x)
			if mean != nil {
				v -= mean[j]
			}
			sum[j] += v
			square[j] += float64(v * v)
		}
	}
}

func (a *CSR[T]) squares(mean []float64) (sum, square []float64) {
	sum, square = make([]float64, a.Cols), make([]float64, a.Cols)
	for k, j := range a.Idx {
		v := float64(a.Val[k])
		if mean != nil {
			v -= mean[j]
		}
		sum[j] += v
		square[j] += float64(v * v)
	}
	if mean == nil {
		return sum, square
	}
	for j, n := range a.stored() { // the zeros
		zeros := float64(a.Rows - n)
		sum[j] -= float64(zeros * mean[j])
		square[j] += float64(zeros * mean[j] * mean[j])
	}
	return sum, square
}

// stored returns how many numbers of each column a stores.
func (a *CSR[T]) stored() []int {
	n := make([]int, a.Cols)
	for _, j := range a.Idx {
		n[j]++
	}
	return n
}
