package families

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/dualgap/dualgap/bench/internal/fashion"
	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/vec"
)

// manyNorms are the p that are compared: 2 is the plain sum of all kernels.
var manyNorms = []float64{2, 1.25, 1.05}

// What the machines on many kernels are trained on: images, C, and the Gaussian kernels' gamma, for pixels in [0,1].
const manyImages, manyC, manyGamma = 1000, 10, .02

// quarters are the kernels' names: one for each quarter of the image, and one for each quarter of another image.
var quarters = []string{"upper left", "upper right", "lower left", "lower right"}

// manyKernels trains machines on eight kernels, of which four look at the image and four at another one, which tells
// nothing.
func manyKernels(ctx context.Context, r *run) error {
	train, test := samples.FashionMNIST[float32]()
	n := manyImages
	if r.Quick {
		n /= 10
	}
	y, random := train.Y[:n], rand.New(rand.NewPCG(r.Seed, 1))
	var groups []bundle.Group[float32]
	for _, x := range withOthers(train.X.Slice(0, n, 0, train.X.Cols), random) {
		groups = append(groups, bundle.Group[float32]{X: x,
			Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: manyGamma}}})
	}
	tests := design.Concat(withOthers(test.X.Matrix, random)...)
	b, err := bundle.New(1<<28, groups...)
	if err != nil {
		return err
	}
	for _, p := range manyNorms {
		t := r.begin("mkl", fmt.Sprintf("p = %v", p), "n", n, "tests", len(test.Y))
		c := mkl.Config{P: p, C: manyC, Classes: len(train.Classes), Tol: r.Tol, Seed: r.Seed, Workers: 1,
			Progress: t.progress}
		model, stopped := mkl.Fit(ctx, b, y, c)
		if model == nil {
			return stopped
		}
		t.stop(model.Outcome)
		if stopped != nil {
			t.record()
			return stopped
		}
		guesses, err := solvers.Predict(model, tests, 0)
		if err != nil {
			return err
		}
		accuracy, err := metrics.Accuracy(guesses, test.Y)
		if err != nil {
			return err
		}
		t.record(results.Value{Number: manyC, Unit: "C"}, percent(vec.Sum(model.Shares[:4]), "share"),
			percent(accuracy, "accuracy"))
		for j, share := range model.Shares {
			name := quarters[j%4]
			if j >= 4 {
				name += " of another"
			}
			t.point("Weight", "kernel", name, percent(share, "share"))
		}
	}
	return nil
}

// withOthers returns the quarters of all images, then the quarters of the images in another order.
func withOthers(x vec.Matrix[float32], random *rand.Rand) (parts []design.Matrix[float32]) {
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
