package family

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// Examples returns the size of what a family is given to learn from, features or a kernel, or what is wrong with it; d
// is 0 for a kernel, whose examples were validated when it was made. bias is the value of the constant feature.
func Examples[T vec.Float](x design.Matrix[T], k *kernel.Matrix[T], bias float64) (n, d int, err error) {
	switch {
	case x == nil && k == nil:
		return 0, 0, fmt.Errorf("no examples: want X or Kernel")
	case x != nil && k != nil:
		return 0, 0, fmt.Errorf("X and Kernel, want one of them")
	case bias-bias == 0 && bias != 0 && (T(bias) == 0 || math.IsInf(float64(T(bias)), 0)):
		return 0, 0, fmt.Errorf("Bias = %v is beyond %T", bias, T(0))
	case bias-bias != 0:
		return 0, 0, fmt.Errorf("Bias = %v, want a finite number", bias)
	case k != nil && bias != 0:
		return 0, 0, fmt.Errorf("Bias = %v with a kernel: add a constant to the kernel, or a feature to its examples",
			bias)
	case k != nil:
		return k.Len(), 0, nil
	}
	if n, d, err = design.Validate(x); err == nil && n > 0 && d == 0 {
		err = fmt.Errorf("examples without features")
	}
	return n, d, err
}

// Begin is what every prepare begins with: the options with all their defaults, and Examples.
func Begin[T vec.Float](o solvers.Options, x design.Matrix[T], k *kernel.Matrix[T], bias float64) (_ solvers.Options,
	n, d int, err error) {
	if o, err = o.WithDefaults(); err != nil {
		return o, 0, 0, err
	}
	if n, d, err = Examples(x, k, bias); err != nil {
		return o, 0, 0, err
	}
	o.Workers, err = parallel.Cores(o.Workers, n)
	return o, n, d, err
}

// SquaredNorms returns the squared norms of n examples, or an error where one of them, or the square of the constant
// feature, is not well inside the range of T.
func SquaredNorms[T vec.Float](x design.Matrix[T], n int, bias float64) ([]T, error) {
	norms := make([]T, n)
	x.SquaredNorms(norms)
	_, high, _ := Limits[T]()
	for i, v := range norms {
		if !(float64(v) < high) {
			return nil, fmt.Errorf("the squared norm of row %d is %v: want finite numbers, and not too large ones", i,
				v)
		}
	}
	if square := bias * bias; !(square < high) {
		return nil, fmt.Errorf("Bias = %v, whose square is %v: want a finite number, and not too large a one", bias,
			square)
	}
	return norms, nil
}

// Part returns some of the examples of a problem, one at least, whose features are x or whose kernel is k.
func Part[T vec.Float](x design.Matrix[T], k *kernel.Matrix[T], rows []int) (design.Matrix[T], *kernel.Matrix[T]) {
	if k == nil {
		return design.Subset(x, rows), nil
	}
	k, _ = k.Subset(rows) // no error: rows are some of its examples
	return nil, k
}

// Pick returns the given elements of all, nil for nil.
func Pick[E any](all []E, rows []int) []E {
	if all == nil {
		return nil
	}
	some := make([]E, len(rows))
	for q, i := range rows {
		some[q] = all[i]
	}
	return some
}

// CheckSizes returns an error if a matrix of the training is beyond what this machine can address, or if blocks of the
// given size, 0 for the default, take more than a gigabyte. d is 0 for a kernel.
func CheckSizes(n, d, m, block int) error {
	const most = min(math.MaxInt, 1<<47) / 64
	if m > most/max(n, 1)-16 || d > 0 && m > most/d-16 {
		return fmt.Errorf("%d examples of %d features with %d outputs are beyond this machine's memory", n, d, m)
	}
	const mostOfBlock = 1 << 27 // numbers
	wide := d                   // a row of a block
	if d == 0 {
		wide = n
	}
	if block < 0 {
		return fmt.Errorf("BlockSize = %d, want at least 1", block)
	}
	if block = min(block, n); block > 1 && block > mostOfBlock/max(block, wide) {
		return fmt.Errorf("blocks of %d examples, with rows of %d numbers: want at most %d numbers in a block", block,
			wide, mostOfBlock)
	}
	return nil
}

// Hold puts in place of weights of a feature that is b in every example what a model has of them: it adds their
// products with b, in numbers of T, to scores. In float64 these are as exact as the scores are.
func Hold[T vec.Float](weights []float64, b T) {
	if is64[T]() {
		return
	}
	for c, v := range weights {
		weights[c] = float64(T(float64(b)*v)) / float64(b)
	}
}

// ModelOf returns the model of coefficients: of k's examples or, where k is nil, of features and of the constant one.
// What its file says of it are the notes.
func ModelOf[T vec.Float](k *kernel.Matrix[T], coefficients vec.Matrix[T], constant T, names []string,
	notes map[string]string) (*model.Model[T], error) {
	m, err := &model.Model[T]{}, error(nil)
	if k != nil {
		m.Kernel, err = kernel.NewExpansion(k, coefficients, names)
	} else {
		m.Linear, err = linear.WithConstant(coefficients, constant, names)
	}
	if err != nil {
		return nil, err
	}
	return m.WithNotes(notes), nil
}
