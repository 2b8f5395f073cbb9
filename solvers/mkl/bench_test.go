package mkl

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/topk"
)

var sevenCues = []string{"phog180", "phog360", "lbp", "hsv", "gist", "bow", "fv"}

// report reports how a training ended and how good its model is on the test images of c.
func report(b *testing.B, r *Result[float32], c cues, took time.Duration) {
	guesses, err := solvers.Predict(r, c.values(), 0)
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

// BenchmarkCaltech trains on seven cues of Caltech-101 as given matrices, at each p, and an SVM of their average, which
// is the measure of time.
func BenchmarkCaltech(b *testing.B) {
	c := caltech(b, sevenCues...)
	kernels := c.matrices(b)
	average, err := kernels.Mix(0)
	if err != nil {
		b.Fatal(err)
	}
	average.Weigh(slices.Repeat([]float64{1. / 7}, 7), 0)
	b.Run("impl=average", func(b *testing.B) {
		for range b.N {
			problem := topk.Problem[float32]{Kernel: average.Matrix, Y: c.y}
			r, err := problem.Fit(context.Background(), topk.Config{Lambda: 1 / (10. * float64(len(c.y)))})
			if err != nil {
				b.Fatal(err)
			}
			b.Log(r.Outcome)
		}
	})
	for _, p := range []float64{1.01, 1.05, 1.1, 1.25, 1.5, 1.75, 2} {
		benchmarkCues(b, c, kernels, Config{P: p, C: 10})
	}
	benchmarkCues(b, c, kernels, Config{P: 1.01, C: 1000})
}

// BenchmarkPyramid trains on the four levels of PHOG, of which the finest one has most of the weight at p near 1.
func BenchmarkPyramid(b *testing.B) {
	c := caltech(b, "phog180[0:20]", "phog180[20:100]", "phog180[100:420]", "phog180[420:1700]")
	kernels := c.matrices(b)
	for _, p := range []float64{1.01, 1.1, 1.25, 1.5, 2} {
		benchmarkCues(b, c, kernels, Config{P: p, C: 10})
	}
}

// BenchmarkManyKernels trains on seven kernels, and on these and eleven more: others of the same cues.
func BenchmarkManyKernels(b *testing.B) {
	c := caltech(b, sevenCues...)
	few := c.matrices(b)
	benchmarkCues(b, c, few, Config{P: 1.1, C: 10})
	c.train, c.test = append(c.train, c.train...), append(c.test, c.test...)
	c.train, c.test = append(c.train, c.train[:4]...), append(c.test, c.test[:4]...)
	benchmarkCues(b, c, c.matrices(b), Config{P: 1.1, C: 10})
}

func benchmarkCues(b *testing.B, c cues, kernels *bundle.Bundle[float32], config Config) {
	b.Run(fmt.Sprintf("F=%d/C=%v/p=%v", kernels.Kernels(), config.C, config.P), func(b *testing.B) {
		var r *Result[float32]
		start := time.Now()
		for range b.N {
			var err error
			if r, err = Fit(context.Background(), kernels, c.y, config); err != nil {
				b.Fatal(err)
			}
		}
		took := time.Since(start)
		b.StopTimer()
		report(b, r, c, took)
	})
}
