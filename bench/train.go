package main

import (
	"context"
	"fmt"
	"time"

	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// Model is what is known of a trained model.
type Model struct {
	Loss        topk.Loss
	K           int
	Status      solvers.Status
	Certificate solvers.Certificate
	Epochs      int
	Seconds     float64
	Accuracy    []float64 // [j-1]: top-j, the fraction of test examples whose class is among the first j guesses
	Against     []float64 // Accuracy less that of the same loss with k = 1; nil where there is none
}

// tops is how many top-j accuracies are told.
const tops = 5

// trainAll trains p with each loss and k, and reports the models. When ctx ends it reports the model so far before it returns.
func trainAll(ctx context.Context, p *problem, b *progress.Bar, out report) error {
	if err := out.problem(p); err != nil {
		return err
	}
	for _, loss := range []topk.Loss{topk.TopKHinge, topk.TopKUsunier} {
		var first []float64 // accuracy with k = 1
		for _, k := range p.ks {
			if err := ctx.Err(); err != nil {
				return err
			}
			m, stopped := train(ctx, p, loss, k, b)
			b.Clear()
			if m == nil {
				return stopped
			}
			switch {
			case k == 1:
				first = m.Accuracy
			case first != nil:
				m.Against = minus(m.Accuracy, first)
			}
			if err := out.model(p, *m); err != nil {
				return err
			}
			if stopped != nil {
				return stopped
			}
		}
	}
	return nil
}

// train returns a model, unless there is none, and the reason to stop here, if there is one.
func train(ctx context.Context, p *problem, loss topk.Loss, k int, b *progress.Bar) (*Model, error) {
	start := time.Now()
	c := topk.Config{K: k, Loss: loss, Lambda: p.lambda, Classes: p.m, Tol: p.tol, Seed: p.seed, Workers: 1, Progress: b.Training(fmt.Sprintf("%v k=%d", loss, k), p.tol)}
	r, stopped := topk.Fit(ctx, p.x, p.y, c)
	if r == nil {
		return nil, stopped
	}
	m := &Model{Loss: loss, K: k, Status: r.Status, Certificate: r.Certificate, Epochs: r.Epochs, Seconds: time.Since(start).Seconds()}
	scores := vec.NewMatrix[float32](p.tests, p.m)
	err := r.ScoresWorkers(scores, p.test, nil, 0)
	if err == nil {
		m.Accuracy, err = metrics.TopK(scores, p.testY, min(tops, p.m))
	}
	if err != nil {
		return nil, err
	}
	return m, stopped
}

// chance returns the top-j accuracies of guessing: j/m.
func (p *problem) chance() []float64 {
	a := make([]float64, min(tops, p.m))
	for j := range a {
		a[j] = float64(j+1) / float64(p.m)
	}
	return a
}

func minus(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for j := range a {
		d[j] = a[j] - b[j]
	}
	return d
}
