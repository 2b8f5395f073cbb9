package topk

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// KernelResult is what FitKernel returns; its fields are those of [Result]. Keep only KernelModel to let the rest go.
type KernelResult[T vec.Float] struct {
	*KernelModel[T]

	Status      solvers.Status
	Certificate solvers.Certificate
	Epochs      int
	Visits      int
	Duals       vec.Matrix[T] // A, n-by-m
}

// FitKernel is Fit where the inner products of examples are the values of a kernel. The scores of example i are (K A)_i, the
// model is sum_i phi(x_i) a_iᵀ, its squared norm tr(AᵀKA), and W is never formed. Config.Bias must be 0: add a constant to the
// kernel, or a feature to the examples. Workers share the computation of rows of K and the products with them: the result has the same
// bits for any number of them.
//
// The scores of all n examples are at hand all the time, so that what an example has to gain is known in O(m), and an epoch
// looks for rows of K of those alone that have more to gain than a tenth of the mean, BlockSize (default: 64) at a time.
// A row costs what kernel.Matrix.Rows says, and O(n m). A certificate, in float64, costs the rows of all support vectors.
// Memory: 6 n m numbers and 128 n besides k.
func FitKernel[T vec.Float](ctx context.Context, k *kernel.Matrix[T], y []int, c Config) (*KernelResult[T], error) {
	start := time.Now()
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	if c.Bias != 0 {
		return nil, fmt.Errorf("topk: Bias = %v with a kernel, need 0", c.Bias)
	}
	n, all := k.Len(), &labels{one: y}
	m, err := all.classes(n, c)
	if err != nil {
		return nil, err
	}
	if most := min(math.MaxInt, 1<<47) / 64; m > most/n-16 {
		return nil, fmt.Errorf("topk: %d examples in %d classes are beyond this machine's memory", n, m)
	}
	s, err := newKernelSolver(k, all, m, c)
	if err != nil {
		return nil, err
	}
	status, err := run[T](ctx, s, c, start)
	if status == solvers.Running {
		return nil, err
	}
	return &KernelResult[T]{
		KernelModel: newKernelModel(k, s.a), Status: status, Certificate: s.certificate,
		Epochs: s.epochs, Visits: s.visits, Duals: s.a,
	}, err
}
