package topk

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// checkSizes returns an error if a matrix of the training is beyond what this machine can address.
func checkSizes(n, d, m int) error {
	if d == 0 {
		return fmt.Errorf("topk: examples without features")
	}
	const most = min(math.MaxInt, 1<<47) / 8
	if m > most/n || m > most/d {
		return fmt.Errorf("topk: %d examples of %d features in %d classes are beyond this machine's memory", n, d, m)
	}
	return nil
}

// checkNorms returns an error that names the first number of x that is not finite. A squared norm is finite only if all
// numbers of its row are.
func checkNorms[T vec.Float](x solvers.Features[T], norms []T, d int) error {
	for i, h := range norms {
		if h-h == 0 {
			continue
		}
		row := vec.NewMatrix[T](1, d)
		x.Gather(row, []int{i})
		for j, v := range row.Data {
			if v-v != 0 {
				return fmt.Errorf("topk: row %d, column %d: value %v, need a finite number", i, j, v)
			}
		}
		return fmt.Errorf("topk: the squared norm of row %d exceeds the largest %T: scale the features down", i, h)
	}
	return nil
}

// radii returns r_i = v_i/(lambda n) for the weights v_i of the losses, or an error where a weight is none, or where dual
// variables of that size make no normal numbers of T.
func radii[T vec.Float](c Config, y *labels, m int) ([]float64, error) {
	n := y.count()
	if c.Weights != nil && len(c.Weights) != n {
		return nil, fmt.Errorf("topk: %d weights for %d examples", len(c.Weights), n)
	}
	if c.ClassWeights != nil && (len(c.ClassWeights) != m || y.sets != nil) {
		return nil, fmt.Errorf("topk: %d class weights for %d classes, need as many, and one class for each example", len(c.ClassWeights), m)
	}
	for k, v := range c.ClassWeights {
		if !(v >= 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("topk: weight %v of class %d, need a finite number of at least 0", v, k)
		}
	}
	low, high, _ := limits[T]()
	r, any := make([]float64, n), false
	for i := range r {
		v := 1.0
		if c.Weights != nil {
			if v = c.Weights[i]; !(v >= 0) || math.IsInf(v, 1) {
				return nil, fmt.Errorf("topk: weight %v of row %d, need a finite number of at least 0", v, i)
			}
		}
		if c.ClassWeights != nil {
			v *= c.ClassWeights[y.one[i]]
		}
		r[i] = v / (c.Lambda * float64(n))
		if v != 0 && !(r[i] > low && r[i] < high) {
			return nil, fmt.Errorf("topk: Lambda = %v with %d examples and the weight %v of row %d: v/(Lambda n) = %.3g is beyond %T, need %v to %v", c.Lambda, n, v, i, r[i], T(0), low, high)
		}
		any = any || v > 0
	}
	if !any {
		return nil, fmt.Errorf("topk: all %d weights are 0", n)
	}
	return r, nil
}

// limits returns numbers well inside the range of T, one over the other, and the distance from 1 to the next number.
func limits[T vec.Float]() (low, high, epsilon float64) {
	if is64[T]() {
		return 1e-290, 1e290, 0x1p-52
	}
	return 1e-30, 1e30, 0x1p-23
}

func is64[T vec.Float]() bool { return unsafe.Sizeof(T(0)) == 8 }
