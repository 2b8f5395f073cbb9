package m3l

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/vec"
)

// checkFactor returns an error that names the numbers unless R = PᵀP + ridge I can couple m labels: P has that many
// columns, all numbers are finite, and R is well inside the range of T. An empty P is no coupling, and has no ridge; r
// is the R that is given otherwise. Such an R is positive semidefinite as it is. O(r L).
func checkFactor[T vec.Float](p vec.Matrix[float64], ridge float64, r vec.Matrix[float64], labels int) error {
	if p.Rows == 0 && p.Cols == 0 {
		if ridge != 0 {
			return fmt.Errorf("Ridge = %v without P: it is added to PᵀP, not to R", ridge)
		}
		return nil
	}
	if err := p.Validate(); err != nil {
		return fmt.Errorf("P: %w", err)
	}
	switch {
	case r.Rows != 0 || r.Cols != 0:
		return fmt.Errorf("R, %d-by-%d, and P, %d-by-%d, want one of them", r.Rows, r.Cols, p.Rows, p.Cols)
	case p.Rows == 0 || p.Cols != labels:
		return fmt.Errorf("P is %d-by-%d for %d labels, want a row at least, and a column for each label", p.Rows,
			p.Cols, labels)
	case !(ridge >= 0) || math.IsInf(ridge, 1):
		return fmt.Errorf("Ridge = %v, want a finite number, at least 0", ridge)
	}
	own := make([]float64, labels) // R_ll
	for k := range p.Rows {
		for l, v := range p.Row(k) {
			if v-v != 0 {
				return fmt.Errorf("P of row %d and label %d is %v, want a finite number", k, l, v)
			}
			own[l] += v * v
		}
	}
	_, high, _ := family.Limits[T]()
	for l, v := range own { // no other element of R is larger than the largest of these
		if v += ridge; !(v <= high) {
			return fmt.Errorf("PᵀP + Ridge of labels %d and %d is %v, beyond %T: want at most %v", l, l, v, T(0), high)
		}
	}
	return nil
}
