package topk

import (
	"context"
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/solvers"
)

// BenchmarkFit trains on 8000 MNIST images, C = .01, float32, to a relative gap of 1e-3, certificate included.
func BenchmarkFit(b *testing.B) {
	x, y := mnist[float32](b)
	for _, k := range []int{1, 3, 5} {
		b.Run(fmt.Sprintf("mnist10k/alpha/k=%d", k), func(b *testing.B) {
			benchmarkFit(b, solvers.Features[float32](first(x, 8000)), y[:8000], Config{K: k, Lambda: 1 / (.01 * 8000)})
		})
	}
}

func benchmarkFit(b *testing.B, x solvers.Features[float32], y []int, c Config) {
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
