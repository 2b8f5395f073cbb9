package mkl

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// mnist returns the first n images of a part of MNIST, cut into four blocks of 14x14 pixels, and their classes.
func mnist(t testing.TB, part string, n int) (blocks []design.Matrix[float32], y []int) {
	t.Helper()
	dir := filepath.Join(data(t), "mnist")
	d, err := dataset.OpenIDX[float32](filepath.Join(dir, part+"-images-idx3-ubyte.gz"),
		filepath.Join(dir, part+"-labels-idx1-ubyte.gz"),
		dataset.IDXOptions{Scale: 1. / 255, MaxRows: n})
	if err != nil {
		t.Skip(err)
	}
	for q := range 4 {
		x := vec.NewMatrix[float32](d.X.Rows, 196)
		for i := range x.Rows {
			for r := range 14 {
				at := (q/2*14+r)*28 + q%2*14
				copy(x.Row(i)[14*r:], d.X.Row(i)[at:at+14])
			}
		}
		blocks = append(blocks, &dataset.Dense[float32]{Matrix: x})
	}
	return blocks, d.Y
}

// twelve returns three kernels on each block, with a diagonal of mean 1: linear, polynomial (1 + <x,z> / mean |x|²)^5,
// and Gaussian exp(-4 d²/mean d²).
func twelve(t testing.TB, blocks []design.Matrix[float32], budget int64) *bundle.Bundle[float32] {
	t.Helper()
	var groups []bundle.Group[float32]
	for _, x := range blocks {
		dense := x.(*dataset.Dense[float32])
		n := float64(dense.Rows)
		square, power := 0.0, 0.0
		for i := range dense.Rows {
			square += float64(vec.SquaredNorm(dense.Row(i))) / n
		}
		for i := range dense.Rows {
			power += math.Pow(1+float64(vec.SquaredNorm(dense.Row(i)))/square, 5) / n
		}
		root := math.Pow(power, -.2)
		groups = append(groups, bundle.Group[float32]{X: x, Kernels: []kernel.Kernel{
			kernel.Polynomial{Degree: 1, Scale: 1 / square}, kernel.Polynomial{Degree: 5, Scale: root / square,
				Offset: root},
			kernel.Gaussian{Gamma: 4 / meanDistance(dense)},
		}})
	}
	b, err := bundle.New(budget, groups...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// BenchmarkMNIST trains on images cut into four blocks with three kernels each, computed on the fly, to 1e-2.
func BenchmarkMNIST(b *testing.B) {
	for _, n := range []int{5000, 10000, 20000, 40000, 60000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x, y := mnist(b, "train", n)
			xt, yt := mnist(b, "t10k", 10000)
			kernels := twelve(b, x, 4<<28)
			b.ResetTimer()
			for range b.N {
				start, at := time.Now(), time.Duration(0)
				r, err := Fit(context.Background(), kernels, y,
					Config{C: 10, Tol: 1e-2, Progress: func(p solvers.Progress) {
						if p.Certified {
							b.Logf("%v after %v, a certificate after %v: %v", p.Epoch, p.Elapsed, p.Elapsed-at,
								p.Certificate)
						} else {
							at = p.Elapsed
						}
					}})
				if err != nil {
					b.Fatal(err)
				}
				took := time.Since(start)
				guesses, err := solvers.Predict(r, design.Concat(xt...), 0)
				if err != nil {
					b.Fatal(err)
				}
				overall, _ := accuracies(guesses, yt, 10)
				b.ReportMetric(100-overall, "error-%")
				b.ReportMetric(took.Seconds(), "s")
				b.Logf("%v, %d steps, %d support vectors, shares %.3f", r.Outcome, r.Steps, len(r.Kernels.Support()),
					r.Shares)
			}
		})
	}
}
