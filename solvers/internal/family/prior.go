package family

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Prior returns the prior W0 of d features and m outputs, with one more row where there is a constant feature of value
// bias; empty where there is none, or where it is 0. It is an error where W0 has another size, or a number that is not
// finite or beyond T, or where there is a kernel. O(d m).
func Prior[T vec.Float](w0 vec.Matrix[float64], k *kernel.Matrix[T], d, m int, bias float64) (none vec.Matrix[float64],
	err error) {
	if w0.Rows == 0 && w0.Cols == 0 {
		return none, nil
	}
	if err := w0.Validate(); err != nil {
		return none, fmt.Errorf("Prior: %w", err)
	}
	rows, constant := d, ""
	if bias != 0 {
		rows, constant = d+1, " and a constant one"
	}
	switch {
	case k != nil:
		return none, fmt.Errorf("Prior, %d-by-%d, with a Kernel, which has no weights: want X", w0.Rows, w0.Cols)
	case w0.Rows != rows || w0.Cols != m:
		return none, fmt.Errorf("Prior is %d-by-%d for %d features%s and %d outputs, want %d-by-%d", w0.Rows, w0.Cols,
			d, constant, m, rows, m)
	}
	_, high, _ := Limits[T]()
	zero := true
	for j := range w0.Rows {
		for c, v := range w0.Row(j) {
			if !(v <= high && v >= -high) {
				return none, fmt.Errorf("Prior of row %d and output %d is %v, want a finite number, %v at most in size",
					j, c, v, high)
			}
			zero = zero && v == 0
		}
	}
	if zero {
		return none, nil
	}
	return w0, nil
}
