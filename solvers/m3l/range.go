package m3l

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/vec"
)

// checkRange returns an error where R or the bounds of dual variables, which are the costs of labels times the r_i, are
// not well inside the range of T.
func checkRange[T vec.Float](r vec.Matrix[float64], costs, radius []float64) error {
	low, high, _ := family.Limits[T]()
	for l := range r.Rows { // no other element of a semidefinite matrix is larger
		if v := r.Row(l)[l]; v > high {
			return fmt.Errorf("R of labels %d and %d is %v, beyond %T: want at most %v", l, l, v, T(0), high)
		}
	}
	least, most := math.Inf(1), 0.0
	for _, v := range radius {
		most = max(most, v)
		if v > 0 {
			least = min(least, v)
		}
	}
	for l, v := range costs {
		if !(v*least > low && v*most < high) {
			return fmt.Errorf("cost %v of label %d: its dual variables are bounded by %.3g to %.3g, beyond %T: want "+
				"%v to %v",
				v, l, v*least, v*most, T(0), low, high)
		}
	}
	return nil
}
