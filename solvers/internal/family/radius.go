package family

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// Radii returns r_i = v_i scale for the weights v_i of the n losses, nil standing for 1 each, times the weights of
// their classes, if given; or an error where a weight is none, or where dual variables of that size make no normal
// numbers of T. why says in words where the scale comes from.
func Radii[T vec.Float](scale float64, why string, y *Labels, weights, classWeights []float64, m int) ([]float64,
	error) {
	n := y.Count()
	if weights != nil && len(weights) != n {
		return nil, fmt.Errorf("%d weights for %d examples", len(weights), n)
	}
	if classWeights != nil && y.Sets != nil {
		return nil, fmt.Errorf("%d class weights with sets of classes, want one class for each example: weight the "+
			"examples", len(classWeights))
	}
	if classWeights != nil && len(classWeights) != m {
		return nil, fmt.Errorf("%d class weights for %d classes, want as many", len(classWeights), m)
	}
	for k, v := range classWeights {
		if !(v >= 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("weight %v of class %d, want a finite number of at least 0", v, k)
		}
	}
	low, high, _ := Limits[T]()
	r, weighted := make([]float64, n), false
	for i := range r {
		v := 1.0
		if weights != nil {
			if v = weights[i]; !(v >= 0) || math.IsInf(v, 1) {
				return nil, fmt.Errorf("weight %v of row %d, want a finite number of at least 0", v, i)
			}
		}
		if classWeights != nil {
			v *= classWeights[y.One[i]]
		}
		r[i] = v * scale
		if v != 0 && !(r[i] > low && r[i] < high) {
			return nil, fmt.Errorf("%s and the weight %v of row %d: its dual variables are bounded by %.3g, beyond "+
				"%T: want %v to %v", why, v, i, r[i], T(0), low, high)
		}
		weighted = weighted || v > 0
	}
	if !weighted {
		return nil, fmt.Errorf("all %d weights are 0", n)
	}
	return r, nil
}

// Limits returns numbers well inside the range of T, one over the other, and the distance from 1 to the next number.
func Limits[T vec.Float]() (low, high, epsilon float64) {
	if is64[T]() {
		return 1e-290, 1e290, train.Epsilon[T]()
	}
	return 1e-30, 1e30, train.Epsilon[T]()
}

func is64[T vec.Float]() bool { return unsafe.Sizeof(T(0)) == 8 }
