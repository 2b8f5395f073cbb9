package m3l

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/vec"
)

// priorOff is what elements of a given R may be off by, relative to sqrt(R_ll R_kk): more than a sum of 8000 rounded
// terms is.
const priorOff = 0x1p-40

// checkCoupling returns an error that names the numbers unless r can couple m labels: L-by-L, finite, symmetric and
// positive semidefinite up to rounding, of whatever rank; or empty, which stands for I. O(L³).
//
// That it is semidefinite is decided by Cholesky's method on H_lk = R_lk/sqrt(R_ll R_kk) + s I. In float64 it comes to
// an end if the least eigenvalue of its matrix, of unit diagonal, is above L γ/(1 - γ), γ the bound of sums of L + 1
// terms, and to none below the negative of that (Demmel; Higham, Accuracy and Stability of Numerical Algorithms,
// theorem 10.7). Elements off by priorOff move eigenvalues of H by L priorOff at most, the roundings of H itself by 4 L
// u. With s the sum of these no semidefinite R is refused, and none with an eigenvalue of H below -2 s is taken.
func checkCoupling(r vec.Matrix[float64], labels int) error {
	if r.Rows == 0 && r.Cols == 0 {
		return nil
	}
	if err := r.Validate(); err != nil {
		return fmt.Errorf("R: %w", err)
	}
	if r.Rows != labels || r.Cols != labels {
		return fmt.Errorf("R is %d-by-%d for %d labels", r.Rows, r.Cols, labels)
	}
	root := make([]float64, labels)
	for l := range root {
		v := r.Row(l)[l]
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("R of labels %d and %d is %v, want a finite number, at least 0", l, l, v)
		}
		root[l] = math.Sqrt(v)
	}
	for l := range root {
		for k, v := range r.Row(l)[:l] {
			u, most := r.Row(k)[l], root[l]*root[k]
			switch {
			case v-v != 0 || u-u != 0:
				return fmt.Errorf("R of labels %d and %d is %v and %v, want finite numbers", l, k, v, u)
			case !(math.Abs(v-u) <= 2*priorOff*most):
				return fmt.Errorf("R of labels %d and %d is %v, but of %d and %d %v: not symmetric", l, k, v, k, l, u)
			case math.Abs(v) > most*(1+4*priorOff):
				return fmt.Errorf("R of labels %d and %d is %v, more than the %v that their own %v and %v allow: "+
					"not positive semidefinite", l, k, v, most, r.Row(l)[l], r.Row(k)[k])
			}
		}
	}
	return checkSemidefinite(r, root)
}

// checkSemidefinite is the last part of checkCoupling; root holds the square roots of the diagonal.
func checkSemidefinite(r vec.Matrix[float64], root []float64) error {
	labels, u := len(root), 0x1p-53
	terms := float64(labels + 1)
	gamma := terms * u / (1 - terms*u)
	shift := float64(labels) * (priorOff + 4*u + 2*gamma)
	factor := vec.NewMatrix[float64](labels, labels)
	for l := range root {
		row := factor.Row(l)
		for k := range l {
			h := 0.0
			if root[l] > 0 && root[k] > 0 {
				h = r.Row(l)[k] / root[l] / root[k]
			}
			row[k] = (h - vec.Dot64(row[:k], factor.Row(k)[:k])) / factor.Row(k)[k]
		}
		pivot := 1 + shift - vec.Dot64(row[:l], row[:l])
		if root[l] == 0 {
			pivot = 1
		}
		if !(pivot > 0) {
			return fmt.Errorf("R is not positive semidefinite: beside labels 0 to %d, label %d has %.3g times its own "+
				"R of %v left, want at least 0: add to the diagonal", l-1, l, pivot-shift, r.Row(l)[l])
		}
		row[l] = math.Sqrt(pivot)
	}
	return nil
}

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
				"more than %v and less than %v", v, l, v*least, v*most, T(0), low, high)
		}
	}
	return nil
}
