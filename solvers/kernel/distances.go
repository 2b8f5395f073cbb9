package kernel

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// FromDistances returns the Gaussian kernel matrix of given squared distances, K_ij = e^(-gamma d_ij), as Precomputed
// does. d is n-by-n and not kept. It returns an error that names the place where d is not square, finite, at least 0,
// or, up to rounding, symmetric and 0 on the diagonal; and where gamma is not a finite number above 0. K is positive
// semi-definite for every gamma where the distances are between points of some Euclidean space, which is up to the
// caller. O(n²). Memory: n² numbers.
//
// Up to rounding is 1e-5 of the largest distance of the two examples in float32, 1e-10 in float64, since distances from
// |x|² + |z|² - 2<x, z> have errors like that. K is the same whatever they are: it takes d_ij for i > j, and 0 for
// i = j.
func FromDistances[T vec.Float](d vec.Matrix[T], gamma float64) (*Matrix[T], error) {
	if err := (Gaussian{gamma}).Validate(); err != nil {
		return nil, err
	}
	if err := d.Validate(); err != nil {
		return nil, fmt.Errorf("kernel: %w", err)
	}
	if d.Rows != d.Cols || d.Rows == 0 {
		return nil, fmt.Errorf("kernel: a %d-by-%d matrix of distances, want a square one", d.Rows, d.Cols)
	}
	if err := checkDistances(d); err != nil {
		return nil, err
	}
	n := d.Rows
	k := core.Aligned[T](n, n)
	for from := 0; from < n; from += 64 { // 64, so that what mirrors them is whole cache lines
		to := min(from+64, n)
		for i := from; i < to; i++ {
			vec.ExpScaled(k.Row(i)[:i], T(-gamma), d.Row(i)[:i])
			k.Row(i)[i] = 1
		}
		for j := range to {
			row := k.Row(j)
			for i := max(from, j+1); i < to; i++ {
				row[i] = k.Data[i*k.Stride+j]
			}
		}
	}
	return given(k, roundings[T]()), nil
}

// checkDistances returns an error that names the first place where d holds no squared distances.
func checkDistances[T vec.Float](d vec.Matrix[T]) error {
	largest := make([]float64, d.Rows)
	for i := range largest {
		for j, v := range d.Row(i) {
			if !(v >= 0) || math.IsInf(float64(v), 1) {
				return fmt.Errorf("kernel: distance %v of row %d, column %d, want a finite number of at least 0", v, i,
					j)
			}
		}
		largest[i] = float64(vec.Max(d.Row(i)))
	}
	for i := range largest {
		if v := d.Row(i)[i]; float64(v) > roundings[T]()*largest[i] {
			return fmt.Errorf("kernel: distance %v of row %d and itself, want 0", v, i)
		}
	}
	return checkSymmetric("distance", d, func(i, j int) float64 { return max(largest[i], largest[j]) })
}

// checkSymmetric returns an error that names a number of a that is not symmetric, up to rounding relative to size.
func checkSymmetric[T vec.Float](what string, a vec.Matrix[T], size func(i, j int) float64) error {
	const tile = 64 // rows whose numbers across the diagonal, read by columns, stay in the cache
	most := roundings[T]()
	for top := 0; top < a.Rows; top += tile {
		for left := 0; left <= top; left += tile {
			for i := top; i < min(top+tile, a.Rows); i++ {
				for j := left; j < min(left+tile, i); j++ {
					v, u := a.Data[i*a.Stride+j], a.Data[j*a.Stride+i]
					if !(math.Abs(float64(v)-float64(u)) > most*size(i, j)) {
						continue
					}
					return fmt.Errorf("kernel: %s %v of row %d, column %d, but %v of row %d, column %d: not symmetric",
						what, v, i, j, u, j, i)
				}
			}
		}
	}
	return nil
}

// roundings is what given matrices may be off by, relative to their numbers.
func roundings[T vec.Float]() float64 {
	if unsafe.Sizeof(T(0)) == 4 {
		return 1e-5
	}
	return 1e-10
}
