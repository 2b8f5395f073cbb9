package topk

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// checkLabels returns the number of classes, or an error that names what is wrong with the labels or with K.
func checkLabels(y []int, n int, c Config) (m int, err error) {
	if n == 0 {
		return 0, fmt.Errorf("topk: no examples")
	}
	if len(y) != n {
		return 0, fmt.Errorf("topk: %d labels for %d examples", len(y), n)
	}
	most, at, same := 0, 0, true
	for i, v := range y {
		switch {
		case v < 0:
			return 0, fmt.Errorf("topk: label %d of row %d, need at least 0", v, i)
		case c.Classes > 0 && v >= c.Classes:
			return 0, fmt.Errorf("topk: label %d of row %d, need one in 0..%d: Classes = %d", v, i, c.Classes-1, c.Classes)
		case v > most:
			most, at = v, i
		}
		same = same && v == y[0]
	}
	m = c.Classes
	if m == 0 {
		if most > max(n, 1<<16) { // a typo or an identifier would cost all memory
			return 0, fmt.Errorf("topk: label %d of row %d, with %d examples: set Classes if there are so many", most, at, n)
		}
		m = most + 1
	}
	switch {
	case same:
		return 0, fmt.Errorf("topk: all %d labels are %d, need two classes at least", n, y[0])
	case c.K >= m:
		return 0, fmt.Errorf("topk: K = %d with %d classes, need K < classes", c.K, m)
	}
	return m, nil
}

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
		x.Gather([]int{i}, row)
		for j, v := range row.Data {
			if v-v != 0 {
				return fmt.Errorf("topk: row %d, column %d: value %v, need a finite number", i, j, v)
			}
		}
		return fmt.Errorf("topk: the squared norm of row %d exceeds the largest %T: scale the features down", i, h)
	}
	return nil
}
