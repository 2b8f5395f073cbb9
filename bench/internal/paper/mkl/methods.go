package mkl

import (
	"context"
	"fmt"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/solvers/papers/obscure"
	"github.com/dualgap/dualgap/solvers/topk"
)

// score is how good a model is and what it took.
type score struct {
	overall, mean float64 // test accuracy, of all images and as the mean of the classes, in percent
	seconds       float64 // of training
	gap           float64
}

// measure sets the accuracies of a model.
func (s *score) measure(m solvers.Scorer[float32], x design.Matrix[float32], y []int, classes, workers int) error {
	guesses, err := solvers.Predict(m, x, workers)
	if err != nil {
		return err
	}
	counts, err := metrics.Confusion(guesses, y, classes)
	if err != nil {
		return err
	}
	overall, err := metrics.Accuracy(guesses, y)
	s.overall, s.mean = 100*overall, 100*metrics.MeanRecall(metrics.PerClass(counts))
	return err
}

// problem returns what is learned from the cues.
func (q *cues) problem() (mkl.Problem[float32], error) {
	b, err := q.bundle()
	return mkl.Problem[float32]{Bundle: b, Y: q.y}, err
}

// config is what trainings on the cues have in common: one goroutine.
func (c *command) config(q *cues, p, cost float64) mkl.Config {
	return mkl.Config{P: p, C: cost, Classes: q.classes, Tol: c.tol, Seed: c.seed, Workers: 1}
}

// train trains by Fit on all kernels, and tests.
func (c *command) train(ctx context.Context, q *cues, config mkl.Config) (*mkl.Result[float32], score, error) {
	problem, err := q.problem()
	if err != nil {
		return nil, score{}, err
	}
	name := fmt.Sprintf("%s, %d images, %d kernels, p = %v, C = %v", q.set, len(q.y), len(q.kernels), config.P,
		config.C)
	config.Progress = c.Bar.Training(name, config.Tol)
	start := time.Now()
	r, err := problem.Fit(ctx, config)
	if err != nil {
		return nil, score{}, err
	}
	s := score{seconds: time.Since(start).Seconds(), gap: r.Certificate.RelativeGap()}
	return r, s, s.measure(r, q.test(), q.testY, q.classes, c.workers)
}

// machine trains the support vector machine of package topk on the only kernel, and tests.
func (c *command) machine(ctx context.Context, q *cues, cost float64) (score, error) {
	c.Bar.Show(0, fmt.Sprintf("%s, %d images, %s, C = %v", q.set, len(q.y), q.names[0], cost))
	start := time.Now()
	r, err := topk.Problem[float32]{Kernel: q.kernels[0], Y: q.y}.Fit(ctx, topk.Config{
		Lambda: 1 / (cost * float64(len(q.y))), Classes: q.classes, Tol: c.tol, Seed: c.seed, Workers: 1,
	})
	if err != nil {
		return score{}, err
	}
	s := score{seconds: time.Since(start).Seconds(), gap: r.Certificate.RelativeGap()}
	return s, s.measure(r, q.test(), q.testY, q.classes, c.workers)
}

// staged trains by the paper's two stages, and tests; the seconds count the steps alone, and the history is without the
// start.
func (c *command) staged(ctx context.Context, q *cues, config mkl.Config, online, batch int) ([]papers.Step, score,
	error) {
	b, err := q.bundle()
	if err != nil {
		return nil, score{}, err
	}
	c.Bar.Show(0, fmt.Sprintf("%s, %d kernels, the paper's stages, p = %v, %d passes", q.set, len(q.kernels), config.P,
		online+batch))
	r, err := obscure.Solve(ctx, stagesOf(b, q.y, config), obscure.Options{Online: online, Batch: batch,
		Seed: config.Seed, Workers: config.Workers})
	if err != nil {
		return nil, score{}, err
	}
	s := score{seconds: r.Last().Elapsed.Seconds()}
	return r.Steps[1:], s, s.measure(r, q.test(), q.testY, q.classes, c.workers)
}

// stagesOf is the problem of a configuration as the paper's stages take it.
func stagesOf(b *bundle.Bundle[float32], y []int, c mkl.Config) obscure.Problem[float32] {
	return obscure.Problem[float32]{Bundle: b, Y: y, Classes: c.Classes, P: c.P, C: c.C}
}
