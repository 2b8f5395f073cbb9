package dataset

import (
	"errors"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Scaling is a map of examples: feature x_j becomes (x_j - Shift_j) Factor_j, and with UnitRows each example is then
// divided by its Euclidean norm, one of zeros staying as it is. It is fitted on training data by [Standardize] or
// [MinMax], and applied to these and to all later data by the methods Scaled of [Dense] and [CSR]. A Scaling with
// UnitRows alone needs no data. Storages that are not to be copied are scaled on the way to a product:
//
//	design.Scaled(design.Centered(x, shift), factor)
//
// [Scaling.Note] puts it into the file of a model, [ScalingOf] takes it from there, and [RawWeights] makes weights that
// need no scaling any more.
type Scaling struct {
	Shift    []float64 // of each column; nil: none
	Factor   []float64 // of each column; nil: 1
	UnitRows bool
}

var errNoScaling = errors.New("dataset: the scaling is nil")

// Storage is what a [Scaling] can be fitted on: a *Dense, a *CSR or a [Mapped], of any type of numbers.
type Storage interface {
	Dims() (n, d int)
	Validate() error
	sparse() bool
	extremes() (low, high []float64)                // of the columns of n >= 1 examples, zeros included
	squares(mean []float64) (sum, square []float64) // of v - mean, column by column; nil: mean 0
}

// Standardize fits a Scaling to mean 0 and variance 1: Shift_j = μ_j and Factor_j = 1/σ_j, where σ_j² is the mean of
// (x_j - μ_j)² over all n examples. Sparse examples stay sparse: they are not shifted, and have the same factors. A
// feature that is the same in all examples has factor 1. It is an error if x is not sound, as its Validate says, if
// there are no examples, or if a sum of squares or a factor is beyond the range of float64. O(n d), or O(n + nnz).
//
// The squares are summed around the mean as computed, and corrected for what rounding has moved it by (Chan, Golub and
// LeVeque, Algorithms for computing the sample variance, 1983), so that data far from 0 keep their variance.
func Standardize(x Storage) (*Scaling, error) {
	low, high, err := ranges(x)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	mean, _ := x.squares(nil)
	for j := range mean {
		mean[j] /= float64(n)
		if low[j] == high[j] {
			mean[j] = low[j] // free of rounding
		}
	}
	rest, square := x.squares(mean) // rest would be 0 without rounding
	s := &Scaling{Shift: mean, Factor: make([]float64, d)}
	for j := range s.Factor {
		variance := (square[j] - float64(rest[j]/float64(n)*rest[j])) / float64(n)
		s.Factor[j] = 1 / math.Sqrt(variance)
	}
	return s.fit(x, low, high)
}

// MinMax fits a Scaling to the range 0 to 1: Shift_j is the least x_j and Factor_j = 1/(max x_j - min x_j). Sparse
// examples stay sparse: they are not shifted, and have the same factors, their zeros counted; features with a least
// value of 0 reach from 0 to 1 all the same. A feature that is the same in all examples has factor 1. Other examples
// may leave the range. It is an error if x is not sound, if there are no examples, or if a factor is beyond the range
// of float64. O(n d), or O(n + nnz).
func MinMax(x Storage) (*Scaling, error) {
	low, high, err := ranges(x)
	if err != nil {
		return nil, err
	}
	s := &Scaling{Shift: low, Factor: make([]float64, len(low))}
	for j := range s.Factor {
		s.Factor[j] = 1 / (high[j] - low[j])
	}
	return s.fit(x, low, high)
}

func ranges(x Storage) (low, high []float64, err error) {
	if x == nil {
		return nil, nil, errors.New("dataset: scaling fitted on no examples: the storage is nil")
	}
	if err := x.Validate(); err != nil {
		return nil, nil, err
	}
	if n, d := x.Dims(); n == 0 {
		return nil, nil, fmt.Errorf("dataset: scaling fitted on 0 examples of %d features, want one at least", d)
	}
	low, high = x.extremes()
	return low, high, nil
}

// fit mends and checks the factors.
func (s *Scaling) fit(x Storage, low, high []float64) (*Scaling, error) {
	for j, f := range s.Factor {
		if low[j] == high[j] {
			s.Factor[j] = 1
		} else if !(f > 0) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("dataset: column %d, from %v to %v, has the factor %v, want a finite one above 0",
				j, low[j], high[j], f)
		}
	}
	if x.sparse() {
		s.Shift = nil
	}
	return s, nil
}

// check returns an error unless s fits d columns, without a shift where they are sparse.
func (s *Scaling) check(d int, sparse bool) error {
	if s == nil {
		return errNoScaling
	}
	if s.Shift != nil && len(s.Shift) != d || s.Factor != nil && len(s.Factor) != d {
		return fmt.Errorf("dataset: scaling with %d shifts and %d factors of %d columns",
			len(s.Shift), len(s.Factor), d)
	}
	for j, v := range s.Shift {
		if sparse && v != 0 {
			return fmt.Errorf("dataset: column %d is shifted by %v, which would fill a sparse matrix", j, v)
		}
	}
	if j := firstNotFinite(s.Shift); j >= 0 {
		return fmt.Errorf("dataset: column %d is shifted by %v, want a finite number", j, s.Shift[j])
	}
	if j := firstNotFinite(s.Factor); j >= 0 {
		return fmt.Errorf("dataset: column %d has the factor %v, want a finite number", j, s.Factor[j])
	}
	return nil
}

// value returns the scaled v of column j.
func (s *Scaling) value(j int, v float64) float64 {
	if s.Shift != nil {
		v -= s.Shift[j]
	}
	if s.Factor != nil {
		v *= s.Factor[j]
	}
	return v
}

// ScaleRow sets dst to one example scaled by s, as the methods Scaled of [Dense] and [CSR] scale it: computed in
// float64 and rounded once. columns are the columns of its numbers, ascending; nil stands for all in order. dst may be
// row. It is an error if the scaling is of fewer columns, or if a result is not finite, whose column it names. It
// panics unless dst, row and columns have one length. O(len(row)), without allocation.
func ScaleRow[T vec.Float](dst []T, s *Scaling, row []T, columns []int32) error {
	if len(dst) != len(row) || columns != nil && len(columns) != len(row) {
		panic(shape.Errorf("dataset: ScaleRow", "dst has %d numbers, the example %d, in %d columns", len(dst), len(row),
			len(columns)))
	}
	if s == nil {
		return errNoScaling
	}
	last := len(row) - 1
	if columns != nil && last >= 0 {
		last = int(columns[last])
	}
	for _, of := range [...][]float64{s.Shift, s.Factor} {
		if of != nil && last >= len(of) {
			return fmt.Errorf("dataset: scaling of %d columns, the example has one more at least, column %d", len(of),
				last)
		}
	}
	if j := scaleRow(dst, s, row, columns); j >= 0 {
		return fmt.Errorf("dataset: column %d: scaled value is beyond the range of the numbers", columnAt(columns, j))
	}
	return nil
}

// columnAt returns the column of number k.
func columnAt(columns []int32, k int) int {
	if columns != nil {
		return int(columns[k])
	}
	return k
}

// scaleRow sets dst to the scaled row, and returns the place of the first number that is not finite then, -1 if none
// is.
func scaleRow[T vec.Float](dst []T, s *Scaling, row []T, columns []int32) int {
	largest, unit := 1.0, 1.0
	if s.UnitRows {
		largest, unit = rowNorm(s, row, columns)
	}
	bad := -1
	for k, v := range row {
		dst[k] = T(s.value(columnAt(columns, k), float64(v)) / largest / unit)
		if bad < 0 && !isFinite(dst[k]) {
			bad = k
		}
	}
	return bad
}

// rowNorm returns the Euclidean norm of the row, scaled but for it, as the product of its largest number and of the
// norm of numbers of at most 1, so that no square overflows. Of zeros, which stay, and of numbers that are not finite
// both are 1.
func rowNorm[T vec.Float](s *Scaling, row []T, columns []int32) (largest, unit float64) {
	for k, v := range row {
		a := math.Abs(s.value(columnAt(columns, k), float64(v)))
		if !isFinite(a) {
			return 1, 1
		}
		largest = max(largest, a)
	}
	if largest == 0 {
		return 1, 1
	}
	for k, v := range row {
		part := s.value(columnAt(columns, k), float64(v)) / largest
		unit += float64(part * part)
	}
	return largest, math.Sqrt(unit)
}
