package solvers_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// BenchmarkWorkers trains with one worker and with two to a relative gap of 1e-3: what they share are rounds of single
// examples and of blocks, groups of labels on dense and on sparse examples, windows of examples, and, of 100 examples,
// nothing. Numbers are larger than a second-level cache of 2 MB but for these.
func BenchmarkWorkers(b *testing.B) {
	b.Run("type=f32", benchmarkWorkers[float32])
	b.Run("type=f64", benchmarkWorkers[float64])
}

func benchmarkWorkers[T vec.Float](b *testing.B) {
	images, _ := samples.FashionMNIST[T]()
	many, classes := drawn[T](b, 5000, 1024, 100)
	few, labels := drawn[T](b, 10000, 128, 64)
	sparse, err := dataset.NewDense(thinned(few.Matrix))
	if err != nil {
		b.Fatal(err)
	}
	csr, err := sparse.CSR()
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	top := func(x *dataset.Dense[T], y []int, c float64) func(int) (solvers.Outcome, error) {
		return func(workers int) (solvers.Outcome, error) {
			r, err := topk.Problem[T]{X: x, Y: y}.Fit(ctx,
				topk.Config{Lambda: 1 / (c * float64(len(y))), Workers: workers})
			return r.Outcome, err
		}
	}
	for _, s := range []struct {
		name  string
		train func(workers int) (solvers.Outcome, error)
	}{
		{"rounds", top(images.X, images.Y, .1)},
		{"blocks", top(many, classes, .1)},
		{"dense_groups", func(workers int) (solvers.Outcome, error) {
			r, err := m3l.Problem[T]{X: few, Y: labels}.Fit(ctx, m3l.Config{C: .1, Workers: workers})
			return r.Outcome, err
		}},
		{"sparse_groups", func(workers int) (solvers.Outcome, error) {
			r, err := m3l.Problem[T]{X: csr, Y: labels}.Fit(ctx, m3l.Config{C: .1, Workers: workers})
			return r.Outcome, err
		}},
		{"windows", func(workers int) (solvers.Outcome, error) {
			r, err := tracenorm.Problem[T]{X: images.X, Y: images.Y}.Fit(ctx,
				tracenorm.Config{Lambda1: .01, Workers: workers})
			return r.Outcome, err
		}},
		{"small", top(images.X.Window(0, 100), images.Y[:100], 1)},
	} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("shared=%s/workers=%d", s.name, workers), func(b *testing.B) {
				benchmarkFits(b, []fit{{"end=gap", func() (solvers.Outcome, error) { return s.train(workers) }}})
			})
		}
	}
}

// drawn returns n examples of m classes about as far from each other as examples of one.
func drawn[T vec.Float](b *testing.B, n, d, m int) (*dataset.Dense[T], []int) {
	random := rand.New(rand.NewPCG(1, 2))
	x, means, y := vec.NewMatrix[T](n, d), vec.NewMatrix[T](m, d), make([]int, n)
	for i := range means.Data {
		means.Data[i] = T(random.NormFloat64()) / 3
	}
	for i := range y {
		y[i] = random.IntN(m)
		for j := range x.Row(i) {
			x.Row(i)[j] = means.Row(y[i])[j] + T(random.NormFloat64())
		}
	}
	dense, err := dataset.NewDense(x)
	if err != nil {
		b.Fatal(err)
	}
	return dense, y
}

// thinned returns x with one number in four, the others 0.
func thinned[T vec.Float](x vec.Matrix[T]) vec.Matrix[T] {
	some, random := vec.NewMatrix[T](x.Rows, x.Cols), rand.New(rand.NewPCG(3, 4))
	for i, v := range x.Data {
		if random.IntN(4) == 0 {
			some.Data[i] = v
		}
	}
	return some
}
