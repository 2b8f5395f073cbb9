package main

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/dualgap/dualgap/bench/internal/fashion"
	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/vec"
)

// manyNorms are the p that are compared: 2 is the plain sum of all kernels.
var manyNorms = []float64{2, 1.25, 1.05}

// What the machines on many kernels are trained on: images, C, and the Gaussian kernels' gamma, for pixels in [0,1].
const manyImages, manyC, manyGamma = 1000, 10, .02

// ManyKernels is what is known of a machine on eight kernels, of which half look at another image.
type ManyKernels struct {
	P        float64
	Accuracy float64 // fraction of the test images that are named right
	Share    float64 // of the four kernels that look at the image, of all norms
	Gap      float64
	Seconds  float64
}

// manyKernels is images by their four quarters, and by the four quarters of another image each.
type manyKernels struct {
	bundle   *kernel.Bundle[float32]
	test     solvers.Features[float32]
	y, testY []int
	classes  int
	options
}

func newManyKernels(o options) (*manyKernels, error) {
	train, test := samples.FashionMNIST[float32]()
	n := manyImages
	if o.quick {
		n /= 10
	}
	m := &manyKernels{y: train.Y[:n], testY: test.Y, classes: len(train.Classes), options: o}
	random := rand.New(rand.NewPCG(o.seed, 1))
	var groups []kernel.Group[float32]
	for _, x := range withOthers(train.X.Slice(0, n, 0, train.X.Cols), random) {
		groups = append(groups, kernel.Group[float32]{X: x, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: manyGamma}}})
	}
	m.test = solvers.Concat(withOthers(test.X.Matrix, random)...)
	var err error
	m.bundle, err = kernel.NewBundle(1<<28, groups...)
	return m, err
}

// withOthers returns the quarters of all images, then those of the images in another order.
func withOthers(x vec.Matrix[float32], random *rand.Rand) (parts []solvers.Features[float32]) {
	others := vec.NewMatrix[float32](x.Rows, x.Cols)
	for i, l := range random.Perm(x.Rows) {
		copy(others.Row(i), x.Row(l))
	}
	for _, images := range []vec.Matrix[float32]{x, others} {
		for _, b := range fashion.Quarters(images) {
			parts = append(parts, &dataset.Dense[float32]{Matrix: b})
		}
	}
	return parts
}

// manyKernelsAll trains with each p, and reports the machines.
func manyKernelsAll(ctx context.Context, m *manyKernels, b *progress.Bar, out report) error {
	if err := out.manyKernelsProblem(m); err != nil {
		return err
	}
	for _, p := range manyNorms {
		start := time.Now()
		r, err := mkl.Fit(ctx, m.bundle, m.y, mkl.Config{
			P: p, C: manyC, Classes: m.classes, Tol: m.tol, Seed: m.seed, Workers: 1, Progress: b.Training("many kernels",
				m.tol),
		})
		b.Clear()
		if err != nil {
			return err
		}
		found := ManyKernels{P: p, Gap: r.Certificate.RelativeGap(), Seconds: time.Since(start).Seconds(),
			Share: vec.Sum(r.Shares[:4])}
		guesses, err := solvers.Predict(r, m.test, 0)
		if err != nil {
			return err
		}
		if found.Accuracy, err = metrics.Accuracy(guesses, m.testY); err != nil {
			return err
		}
		if err := out.manyKernels(m, found); err != nil {
			return err
		}
	}
	return nil
}
