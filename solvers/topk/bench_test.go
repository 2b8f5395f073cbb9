package topk

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
)

// BenchmarkFit trains on 8000 MNIST images, C = .01, float32, to a relative gap of 1e-3, certificate included.
func BenchmarkFit(b *testing.B) {
	x, y := mnist[float32](b)
	for _, k := range []int{1, 3, 5} {
		b.Run(fmt.Sprintf("mnist10k/alpha/k=%d", k), func(b *testing.B) {
			benchmarkFit(b, design.Matrix[float32](first(x, 8000)), y[:8000], Config{K: k, Lambda: 1 / (.01 * 8000),
				Workers: 1})
		})
	}
}

// BenchmarkFitFashion trains on the 60000 images of Fashion-MNIST, k = 5, float32, to a relative gap of 1e-3,
// certificate included.
func BenchmarkFitFashion(b *testing.B) {
	x, y := images[float32](b, "fashion-mnist", "train")
	for _, lambda := range []float64{.0125, 1 / (.1 * 60000)} {
		b.Run(fmt.Sprintf("alpha/k=5/lambda=%.2g", lambda), func(b *testing.B) {
			benchmarkFit(b, design.Matrix[float32](x), y, Config{K: 5, Lambda: lambda, Workers: 1})
		})
	}
}

// BenchmarkFitSilhouettes trains on Caltech-101 Silhouettes, 101 classes, C = .01, float32, to a relative gap of 1e-3,
// certificate included.
func BenchmarkFitSilhouettes(b *testing.B) {
	dir := os.Getenv("DUALGAP_DATA")
	if dir == "" {
		b.Skip("set DUALGAP_DATA to the folder of the data sets")
	}
	set, err := dataset.OpenLIBSVM[float32](filepath.Join(dir, "caltech101-silhouettes28-train.svm.gz"),
		dataset.LIBSVMOptions{})
	if err != nil {
		b.Fatal(err)
	}
	x, err := set.X.Dense()
	if err != nil {
		b.Fatal(err)
	}
	for _, k := range []int{1, 5} {
		b.Run(fmt.Sprintf("alpha/k=%d", k), func(b *testing.B) {
			benchmarkFit(b, design.Matrix[float32](x), set.Y, Config{K: k, Lambda: 1 / (.01 * float64(len(set.Y))),
				Workers: 1})
		})
	}
}

func benchmarkFit(b *testing.B, x design.Matrix[float32], y []int, c Config) {
	b.ReportAllocs()
	epochs, certificates := 0, 0
	c.Progress = func(p solvers.Progress) {
		if p.Certified {
			certificates++
		}
	}
	for b.Loop() {
		r, err := Fit(context.Background(), x, y, c)
		if err != nil || r.Status != solvers.Converged {
			b.Fatal(r, err)
		}
		epochs += r.Epochs
	}
	b.ReportMetric(float64(epochs)/float64(b.N), "epochs")
	b.ReportMetric(float64(certificates)/float64(b.N), "certificates")
}

// BenchmarkFitKernel trains on 4000 MNIST images with a Gaussian kernel, float32, to a relative gap of 1e-3, all rows
// kept, by as many workers as -cpu says.
func BenchmarkFitKernel(b *testing.B) {
	x, y := mnist[float32](b)
	x, y = first(x, 4000), y[:4000]
	for _, k := range []int{1, 5} {
		b.Run(fmt.Sprintf("mnist10k/gaussian/k=%d", k), func(b *testing.B) {
			b.ReportAllocs()
			epochs, rows := 0, int64(0)
			for b.Loop() {
				m, err := kernel.New(design.Matrix[float32](x), kernel.Gaussian{Gamma: .02}, 1<<30)
				if err != nil {
					b.Fatal(err)
				}
				r, err := Problem[float32]{Kernel: m, Y: y}.Fit(context.Background(), Config{K: k, Lambda: 1e-4})
				if err != nil || r.Status != solvers.Converged {
					b.Fatal(r, err)
				}
				epochs, rows = epochs+r.Epochs, rows+m.Computed()
			}
			b.ReportMetric(float64(epochs)/float64(b.N), "epochs")
			b.ReportMetric(float64(rows)/float64(b.N), "rows")
		})
	}
}

// BenchmarkFitKernelLarge trains on images of MNIST with a Gaussian kernel, C = 10, float32, to a relative gap of 1e-2
// certified in float64, rows of K in at most 3 GB, by as many workers as -cpu says. LIBSVM's svm-train -c 10 -g .02 is
// what to hold it against.
func BenchmarkFitKernelLarge(b *testing.B) {
	x, y := images[float32](b, "mnist", "train")
	for _, n := range []int{10000, 60000} {
		b.Run(fmt.Sprintf("mnist/gaussian/n=%d", n), func(b *testing.B) {
			epochs, support := 0, 0
			for b.Loop() {
				m, err := kernel.New(design.Matrix[float32](first(x, n)), kernel.Gaussian{Gamma: .02}, 3<<30)
				if err != nil {
					b.Fatal(err)
				}
				r, err := Problem[float32]{Kernel: m, Y: y[:n]}.Fit(context.Background(),
					Config{Lambda: 1 / (10 * float64(n)), Tol: 1e-2})
				if err != nil || r.Status != solvers.Converged {
					b.Fatal(r, err)
				}
				epochs, support = epochs+r.Epochs, support+len(r.Kernel.Support())
			}
			b.ReportMetric(float64(epochs)/float64(b.N), "epochs")
			b.ReportMetric(float64(support)/float64(b.N), "support")
		})
	}
}
