package toprank

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/papers/ranking"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/vec"
)

// method is a row of the paper's tables.
type method struct {
	name   string
	config toprank.Config
}

var methods = []method{
	{"TopPush", toprank.Config{}},
	{"TopPushK, K = 5", toprank.Config{K: 5}},
	{"TopPushK, K = 10", toprank.Config{K: 10}},
	{"Pat&Mat, tau .01", toprank.Config{Method: toprank.PatMat, Tau: .01}},
	{"Pat&Mat, tau .05", toprank.Config{Method: toprank.PatMat, Tau: .05}},
	{"Pat&Mat, tau .1", toprank.Config{Method: toprank.PatMat, Tau: .1}},
}

// lossesOf is the problem of a configuration as the paper's own methods take it.
func lossesOf(c toprank.Config, positive []bool) ranking.Losses {
	return ranking.Losses{Positive: positive, PatMat: c.Method == toprank.PatMat, Hinge: c.Loss == toprank.Hinge,
		All: c.All, K: c.K, Tau: c.Tau, C: c.C, Theta1: c.Theta1, Theta2: c.Theta2}
}

// families are the methods of Table 4 and of Figures 2 and 3, one of each kind.
var families = []int{0, 1, 4}

// The paper's grid, and the recalls at which it tells precisions.
var (
	costs   = []float64{.1, 1, 10}
	gammas  = []float64{.01, .05}
	recalls = [6]float64{.05, .1, .2, .4, .6, .8}
)

// rowBudget is the bytes of kernel rows that are kept.
const rowBudget = 1 << 30

// bench is a split with the kernels that models of it are chosen from.
type bench struct {
	split
	kernels [2][]*kernel.Matrix[float32] // of the training part: linear, which is no matrix, and Gaussian
	tol     float64
	workers int // of a training
}

// newBench returns a bench with Gaussian kernels of these widths, whose rows serve all methods and all C.
func newBench(s split, gammas []float64, tol float64, workers int) (*bench, error) {
	b := &bench{split: s, tol: tol, workers: workers}
	b.kernels[0] = []*kernel.Matrix[float32]{nil}
	for _, gamma := range gammas {
		k, err := kernel.New[float32](s.train.x, kernel.Gaussian{Gamma: gamma}, rowBudget)
		if err != nil {
			return nil, err
		}
		b.kernels[1] = append(b.kernels[1], k)
	}
	return b, nil
}

// chosen is the model with the best validation part, and what its test part says.
type chosen struct {
	model           *toprank.Result[float32]
	cost            float64   // C
	gap             float64   // relative
	valid           float64   // mean precision
	scores          []float32 // of the test part
	precisions      [6]float64
	trained, missed int // trainings, and those that stopped short of the gap
}

// choose trains a method with each C, and with each kernel of a kind, 0 linear and 1 Gaussian, and returns the one with
// the largest mean precision on the validation part, of equal ones the one with the smaller C and gamma. Each C but the
// first starts from the one before.
func (b *bench) choose(ctx context.Context, m method, kind int) (best chosen, err error) {
	for _, k := range b.kernels[kind] {
		p := toprank.Problem[float32]{Positive: b.train.positive, Kernel: k}
		if k == nil {
			p.X = b.train.x
		}
		for _, cost := range costs {
			config := m.config
			config.C, config.Tol, config.Workers = cost, b.tol, b.workers
			r, err := p.Fit(ctx, config)
			if err != nil {
				return best, fmt.Errorf("%s, C = %v: %w", m.name, cost, err)
			}
			p.Start = r
			best.trained++
			if r.Status != solvers.Converged {
				best.missed++
			}
			_, valid, err := precisions(r, b.valid, b.workers)
			if err != nil {
				return best, err
			}
			if mean := mean(valid); best.model == nil || mean > best.valid {
				best.model, best.cost, best.valid, best.gap = r, cost, mean, r.Certificate.RelativeGap()
			}
		}
	}
	best.scores, best.precisions, err = precisions(best.model, b.test, b.workers)
	return best, err
}

// precisions returns the scores of p, and the precision in percent at each of the recalls.
func precisions(m *toprank.Result[float32], p part, workers int) (scores []float32, at [6]float64, err error) {
	s := vec.NewMatrix[float32](len(p.positive), 1)
	if err := m.ScoresWorkers(s, p.x, nil, workers); err != nil {
		return nil, at, err
	}
	at, err = precisionsOf(s.Data, p.positive)
	return s.Data, at, err
}

// precisionsOf returns the precision in percent at each of the recalls.
func precisionsOf[T vec.Float](scores []T, positive []bool) (at [6]float64, err error) {
	for k, recall := range recalls {
		precision, _, err := metrics.PrecisionAtRecall(scores, positive, recall)
		if err != nil {
			return at, err
		}
		at[k] = 100 * precision
	}
	return at, nil
}

func mean(v [6]float64) float64 { return vec.Sum(v[:]) / 6 }

// chooseAll chooses all methods with both kinds of kernels, several at the same time.
func chooseAll(ctx context.Context, workers int,
	choose func(context.Context, method, int) (chosen, error)) (all [2][]chosen, err error) {
	n := len(methods)
	errs := make([]error, 2*n)
	for kind := range all {
		all[kind] = make([]chosen, n)
	}
	parallel.Do(workers, 2*n, func(_, i int) {
		kind := 1 - i/n // the longer trainings first
		all[kind][i%n], errs[i] = choose(ctx, methods[i%n], kind)
	})
	for _, err := range errs {
		if err != nil {
			return all, err
		}
	}
	return all, nil
}
