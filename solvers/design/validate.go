package design

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

// Validate is [CheckFeatures] for those who train: it returns an error as well where rows of x do not hold what
// Matrix promises, and names the row, the column and the value. Where x has a method Validate() error, as storages
// have whose fields anybody can fill, that is what looks at them, and at the examples that a wrapper of this package
// wraps. Of other storages sparse rows have as many columns as values, which ascend in 0..d-1, and dense rows d
// numbers. Every Fit and every kernel matrix calls it once, and then tests that squared norms are finite. O(n +
// nonzeros), or O(n d) for dense examples.
func Validate[T vec.Float](x Matrix[T]) (n, d int, err error) {
	if n, d, err = Check(x); err != nil {
		return 0, 0, err
	}
	switch x := x.(type) {
	case interface{ Validate() error }:
		err = x.Validate()
	case SparseRows[T]:
		err = validSparse(n, d, x.Row)
	case DenseRows[T]:
		err = validDense(n, d, x.Row)
	}
	return n, d, err
}

func validSparse[T vec.Float](n, d int, row func(i int) ([]int32, []T)) error {
	for i := range n {
		columns, values := row(i)
		if len(columns) != len(values) {
			return fmt.Errorf("design: row %d has %d columns for %d values", i, len(columns), len(values))
		}
		last := -1
		for k, j := range columns {
			if int(j) <= last || int(j) >= d {
				return fmt.Errorf("design: row %d, value %v: column %d, want one in %d..%d", i, values[k], j, last+1,
					d-1)
			}
			last = int(j)
		}
	}
	return nil
}

func validDense[T vec.Float](n, d int, row func(i int) []T) error {
	for i := range n {
		if r := row(i); len(r) != d {
			return fmt.Errorf("design: row %d has %d numbers for %d features", i, len(r), d)
		}
	}
	return nil
}

// What wraps examples is as valid as these are.

func (f *biased[T]) CheckSizes() error   { return sizes(f.x) }
func (f *scaled[T]) CheckSizes() error   { return sizes(f.x) }
func (f *centered[T]) CheckSizes() error { return sizes(f.x) }
func (f *subset[T]) CheckSizes() error   { return sizes(f.x) }
func (f *wide[T]) CheckSizes() error     { return sizes(f.x) }
func (f *concat[T]) CheckSizes() error   { return f.first(sizes[T]) }

func (f *biased[T]) Validate() error   { return valid(f.x) }
func (f *scaled[T]) Validate() error   { return valid(f.x) }
func (f *centered[T]) Validate() error { return valid(f.x) }
func (f *wide[T]) Validate() error     { return valid(f.x) }
func (f *concat[T]) Validate() error   { return f.first(valid[T]) }

// Validate looks at the rows of f, whose values are of another type than those that it gives.
func (f *sparse[T, U]) Validate() error {
	n, d := f.Dims()
	return validSparse(n, d, f.x.Row)
}

// Validate looks at the rows of the subset alone, where it can.
func (f *subset[T]) Validate() error {
	switch x := f.x.(type) {
	case SparseRows[T]:
		return validSparse(f.n, f.d, func(i int) ([]int32, []T) { return x.Row(f.row(i)) })
	case DenseRows[T]:
		return validDense(f.n, f.d, func(i int) []T { return x.Row(f.row(i)) })
	}
	return valid(f.x)
}

func sizes[T vec.Float](x Matrix[T]) error {
	_, _, err := Check(x)
	return err
}

func valid[T vec.Float](x Matrix[T]) error {
	_, _, err := Validate(x)
	return err
}

// first returns the first error of a part.
func (f *concat[T]) first(check func(Matrix[T]) error) error {
	for p, x := range f.parts {
		if err := check(x); err != nil {
			return fmt.Errorf("%w, in part %d", err, p)
		}
	}
	return nil
}
