package workers

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// trained returns the passes of a training, which must have reached its gap, a relative one of 1e-3.
func trained(o solvers.Outcome) (float64, error) {
	if o.Status != solvers.Converged {
		return 0, fmt.Errorf("the training ended otherwise: %v", o)
	}
	return o.Passes, nil
}

// images returns the embedded images, or the first part of them.
func images(part int) (*dataset.Dense[float32], []int) {
	set, _ := samples.FashionMNIST[float32]()
	n := set.X.Rows / part
	return set.X.Window(0, n), set.Y[:n]
}

// topImages trains on the embedded images, which are too few for rounds of several workers.
func topImages(part int) (run, error) { return top(images(part)) }

// topLarge trains on 30000 examples of 784 features in 10 classes, in rounds.
func topLarge(part int) (run, error) { return top(drawn(30000/part, 784, 10)) }

// topBlocks trains on 5000 examples of 1024 features in 100 classes, which are visited in blocks.
func topBlocks(part int) (run, error) { return top(drawn(5000/part, 1024, 100)) }

func top(x *dataset.Dense[float32], y []int) (run, error) {
	return func(ctx context.Context, workers int) (float64, error) {
		r, err := topk.Problem[float32]{X: x, Y: y}.Fit(ctx,
			topk.Config{Lambda: 1 / (.1 * float64(len(y))), Workers: workers})
		if err != nil {
			return 0, err
		}
		return trained(r.Outcome)
	}, nil
}

// labels trains on 10000 examples of 128 features with 64 labels, of which workers take groups. One feature of sparsity
// is not 0.
func labels(sparsity int) func(part int) (run, error) {
	return func(part int) (run, error) {
		dense, y := drawn(10000/part, 128, 64)
		x, err := examples(thinned(dense.Matrix, sparsity), sparsity > 1)
		return multiLabel(m3l.Problem[float32]{X: x, Y: y}), err
	}
}

// related trains on such examples with a prior that relates all labels.
func related(part int) (run, error) {
	const m = 64
	x, y := drawn(10000/part, 128, m)
	prior := vec.NewMatrix[float64](m, m)
	for l := range m {
		for other := range m {
			prior.Row(l)[other] = .1
		}
		prior.Row(l)[l] = 1
	}
	return multiLabel(m3l.Problem[float32]{X: x, Y: y, R: prior}), nil
}

func multiLabel(p m3l.Problem[float32]) run {
	return func(ctx context.Context, workers int) (float64, error) {
		r, err := p.Fit(ctx, m3l.Config{C: .1, Workers: workers})
		if err != nil {
			return 0, err
		}
		return trained(r.Outcome)
	}
}

// ranks trains on 60000 examples of 256 features, one in 30 of them positive.
func ranks(part int) (run, error) {
	x, y := drawn(60000/part, 256, 30)
	return func(ctx context.Context, workers int) (float64, error) {
		r, err := toprank.Problem[float32]{X: x, Positive: first(y)}.Fit(ctx, toprank.Config{C: .01, Workers: workers})
		if err != nil {
			return 0, err
		}
		return trained(r.Outcome)
	}, nil
}

// kernelRanks and kernelTop train on a Gaussian kernel over the embedded images, no row of which is known.
func kernelRanks(part int) (run, error) {
	x, y := images(part)
	return func(ctx context.Context, workers int) (float64, error) {
		k, err := kernel.New[float32](x, kernel.Gaussian{Gamma: .01}, 1<<28)
		if err != nil {
			return 0, err
		}
		r, err := toprank.Problem[float32]{Kernel: k, Positive: first(y)}.Fit(ctx,
			toprank.Config{C: .1, Workers: workers})
		if err != nil {
			return 0, err
		}
		return trained(r.Outcome)
	}, nil
}

func kernelTop(part int) (run, error) {
	x, y := images(part)
	return func(ctx context.Context, workers int) (float64, error) {
		k, err := kernel.New[float32](x, kernel.Gaussian{Gamma: .01}, 1<<28)
		if err != nil {
			return 0, err
		}
		r, err := topk.Problem[float32]{Kernel: k, Y: y}.Fit(ctx,
			topk.Config{Lambda: 1 / float64(len(y)), Workers: workers})
		if err != nil {
			return 0, err
		}
		return trained(r.Outcome)
	}, nil
}

// first tells which examples are of the first class.
func first(y []int) []bool {
	is := make([]bool, len(y))
	for i, c := range y {
		is[i] = c == 0
	}
	return is
}

// lowRank trains on the embedded images.
func lowRank(part int) (run, error) {
	x, y := images(part)
	return func(ctx context.Context, workers int) (float64, error) {
		r, err := tracenorm.Problem[float32]{X: x, Y: y}.Fit(ctx, tracenorm.Config{Lambda1: .01, Workers: workers})
		if err != nil {
			return 0, err
		}
		return trained(r.Outcome)
	}, nil
}

// manyKernels trains on four Gaussian kernels over the embedded images.
func manyKernels(part int) (run, error) {
	x, y := images(part)
	var kernels []kernel.Kernel
	for _, gamma := range []float64{.005, .01, .02, .05} {
		kernels = append(kernels, kernel.Gaussian{Gamma: gamma})
	}
	return func(ctx context.Context, workers int) (float64, error) {
		b, err := bundle.New(1<<28, bundle.Group[float32]{X: x, Kernels: kernels})
		if err != nil {
			return 0, err
		}
		r, err := mkl.Fit(ctx, b, y, mkl.Config{P: 1.25, C: 1, Workers: workers})
		if err != nil {
			return 0, err
		}
		return trained(r.Outcome)
	}, nil
}

// drawn returns n examples of m classes, about as far from each other as examples of one.
func drawn(n, d, m int) (*dataset.Dense[float32], []int) {
	random := rand.New(rand.NewPCG(1, 2))
	x, means, y := normal[float32](n, d, 5), normal[float32](m, d, 6), make([]int, n)
	for i := range y {
		y[i] = random.IntN(m)
		vec.Axpy(1./3, means.Row(y[i]), x.Row(i))
	}
	return &dataset.Dense[float32]{Matrix: x}, y
}
