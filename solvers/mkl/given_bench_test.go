package mkl

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// BenchmarkGiven trains on matrices that are given, float32, to a relative gap of 1e-3, by one worker: two made classes
// with four kernels, and ten classes of MNIST with six.
func BenchmarkGiven(b *testing.B) {
	for _, n := range []int{2000, 5000} {
		x, y := twoClasses(n, 20)
		b.Run(fmt.Sprintf("made/n=%d", n), func(b *testing.B) {
			benchmarkGiven(b, []design.Matrix[float32]{x}, y, []float64{.01, .03, .1, .3})
		})
	}
	b.Run("mnist/n=2000", func(b *testing.B) {
		x, y := mnist(b, "train", 2000)
		benchmarkGiven(b, []design.Matrix[float32]{x[0], design.Concat(x...)}, y, []float64{.01, .03, .1})
	})
}

// twoClasses returns two Gaussian clouds whose means differ by 1 in each of the first four features.
func twoClasses(n, d int) (*dataset.Dense[float32], []int) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := vec.NewMatrix[float32](n, d), make([]int, n)
	for i := range y {
		y[i] = i % 2
		for j := range x.Row(i) {
			x.Row(i)[j] = float32(rng.NormFloat64())
			if j < 4 {
				x.Row(i)[j] += float32(y[i])
			}
		}
	}
	return &dataset.Dense[float32]{Matrix: x}, y
}

func benchmarkGiven(b *testing.B, blocks []design.Matrix[float32], y []int, gammas []float64) {
	var groups []bundle.Group[float32]
	all := make([]int, len(y))
	for i := range all {
		all[i] = i
	}
	for _, x := range blocks {
		for _, gamma := range gammas {
			m, err := kernel.New(x, kernel.Gaussian{Gamma: gamma}, 1<<30)
			if err != nil {
				b.Fatal(err)
			}
			k := vec.NewMatrix[float32](len(y), len(y))
			m.Rows(k, all, 1)
			given, err := kernel.Precomputed(k)
			if err != nil {
				b.Fatal(err)
			}
			groups = append(groups, bundle.Group[float32]{Matrix: given})
		}
	}
	kernels, err := bundle.New(0, groups...)
	if err != nil {
		b.Fatal(err)
	}
	steps := 0
	for b.Loop() {
		r, err := Fit(context.Background(), kernels, y, Config{Workers: 1})
		if err != nil || r.Status != solvers.Converged {
			b.Fatal(r, err)
		}
		steps += r.Steps
	}
	b.ReportMetric(float64(steps)/float64(b.N), "steps")
}
