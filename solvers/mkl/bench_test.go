package mkl

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/topk"
)

var sevenCues = []string{"phog180", "phog360", "lbp", "hsv", "gist", "bow", "fv"}

// report reports how a training ended and how good its model is on the test images of c.
func report(b *testing.B, r *Result[float32], c cues, took time.Duration) {
	guesses, err := solvers.Predict(r, c.tests(), 0)
	if err != nil {
		b.Fatal(err)
	}
	overall, mean := accuracies(guesses, c.yt, 102)
	b.ReportMetric(overall, "accuracy-%")
	b.ReportMetric(mean, "mean-class-%")
	b.ReportMetric(took.Seconds()/float64(b.N), "s")
	b.ReportMetric(float64(r.Steps), "steps")
	b.ReportMetric(float64(r.Rounds), "rounds")
	b.Logf("%v, shares %.3f", r.Outcome, r.Shares)
}

// BenchmarkCaltech trains on seven cues of Caltech-101, with kernels kept as products and as given matrices.
func BenchmarkCaltech(b *testing.B) {
	c := caltech(b, sevenCues...)
	bundles := map[string]*kernel.Bundle[float32]{"products": c.bundle(b, 3<<30), "matrices": c.matrices(b)}
	average, err := bundles["matrices"].Mix()
	if err != nil {
		b.Fatal(err)
	}
	average.Weigh(slices.Repeat([]float64{1. / 7}, 7), 0)
	b.Run("impl=average", func(b *testing.B) {
		for range b.N {
			r, err := topk.Problem[float32]{Kernel: average.Matrix, Y: c.y}.Fit(context.Background(), topk.Config{Lambda: 1 / (10. * 3060)})
			if err != nil {
				b.Fatal(err)
			}
			b.Log(r.Outcome)
		}
	})
	for _, kind := range []string{"matrices", "products"} {
		bundle := bundles[kind]
		for _, p := range []float64{1.01, 1.05, 1.1, 1.25, 1.5, 1.75, 2} {
			for _, cost := range []float64{10, 1000} {
				if cost > 10 && p != 1.01 {
					continue
				}
				b.Run(fmt.Sprintf("kernels=%s/C=%v/p=%v", kind, cost, p), func(b *testing.B) {
					var r *Result[float32]
					start := time.Now()
					for range b.N {
						var err error
						if r, err = Fit(context.Background(), bundle, c.y, Config{P: p, C: cost}); err != nil {
							b.Fatal(err)
						}
					}
					took := time.Since(start)
					b.StopTimer()
					if kind == "products" {
						report(b, r, c, took)
					} else {
						b.ReportMetric(took.Seconds()/float64(b.N), "s")
						b.Logf("%v, %d steps, shares %.3f", r.Outcome, r.Steps, r.Shares)
					}
				})
			}
		}
	}
}
