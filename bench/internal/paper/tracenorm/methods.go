package tracenorm

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/tracenorm"
)

// choice is what cross-validation chooses for a method.
type choice struct {
	lambda1, lambda2 float64
	start            *tracenorm.Result[float32] // a training with these, to go on from

	cost, share float64 // C of one-vs-rest, and the share of a class in the weights of its own problem; 0: as it comes
}

// model is what a method trains: scores, and the singular values of its weights, descending.
type model struct {
	solvers.Scorer[float32]
	spectrum []float64
}

// method is a way to train classes.
type method struct {
	name   string
	choose func(c *command, ctx context.Context, p part, classes int) (choice, error)
	train  func(c *command, ctx context.Context, p part, classes int, at choice) (model, error)
	text   func(at choice) string
}

// The places of methods in the list.
const (
	rest = iota
	trace
	logistic
)

var methods = []method{
	{"one-vs-rest", (*command).chooseRest, (*command).trainRest, func(at choice) string {
		if at.share == 0 {
			return fmt.Sprintf("C = %.3g", at.cost)
		}
		return fmt.Sprintf("C = %.3g, a class weighs as much as the rest", at.cost)
	}},
	{"trace norm", (*command).chooseTrace, (*command).trainMulticlass, func(at choice) string {
		return fmt.Sprintf("lambda1 = %.2g, lambda2 = %.2g", at.lambda1, at.lambda2)
	}},
	{"multinomial, L2", (*command).chooseLogistic, (*command).trainMulticlass, func(at choice) string {
		return fmt.Sprintf("lambda2 = %.2g", at.lambda2)
	}},
}

// folds is the number of folds by which all methods are cross-validated, as in the paper.
const folds = 3

// chooseTrace takes the weights that are best in top-1 accuracy.
func (c *command) chooseTrace(ctx context.Context, p part, classes int) (choice, error) {
	return c.choosePath(ctx, p, classes, func(largest float64) tracenorm.PathConfig {
		return tracenorm.PathConfig{
			Lambda1s: grid(largest/10, largest/300, c.steps), Lambda2s: grid(largest/300, largest/1e5, c.steps),
		}
	})
}

// chooseLogistic does so without the trace norm.
func (c *command) chooseLogistic(ctx context.Context, p part, classes int) (choice, error) {
	return c.choosePath(ctx, p, classes, func(largest float64) tracenorm.PathConfig {
		return tracenorm.PathConfig{Lambda1s: []float64{0}, Lambda2s: grid(largest/10, largest/1e5, 2*c.steps)}
	})
}

// choosePath takes the best point of a path, whose weights are relative to the largest lambda1.
func (c *command) choosePath(ctx context.Context, p part, classes int,
	path func(largest float64) tracenorm.PathConfig) (choice, error) {
	problem := tracenorm.Problem[float32]{X: p.x, Y: p.y}
	config := tracenorm.Config{Tol: c.scan, Classes: classes, Workers: c.workers, Seed: c.seed}
	largest, err := problem.LargestLambda1(config)
	if err != nil {
		return choice{}, err
	}
	values := path(largest)
	values.Folds = folds
	points, err := problem.Path(ctx, config, values)
	if err != nil {
		return choice{}, err
	}
	best := points[solvers.Best(points, 0)]
	return choice{lambda1: best.Lambda1, lambda2: best.Lambda2, start: best.Result}, nil
}

func (c *command) trainMulticlass(ctx context.Context, p part, classes int, at choice) (model, error) {
	r, err := tracenorm.Problem[float32]{X: p.x, Y: p.y, Start: at.start}.Fit(ctx, tracenorm.Config{
		Lambda1: at.lambda1, Lambda2: at.lambda2, Tol: c.tol, Classes: classes, Workers: c.workers, Seed: c.seed,
		Epochs: 1 << 20,
	})
	if err == nil {
		err = converged(r.Outcome)
	}
	if err != nil {
		return model{}, err
	}
	return model{r.Model, r.Spectrum}, nil
}

// costs are what C of one-vs-rest is chosen from, five in .1 to 1e4, and shares how a class may weigh.
var (
	costs  = grid(.1, 1e4, 5)
	shares = []float64{0, .5}
)

// chooseRest takes the cost and the share that are best in top-1 accuracy, the smaller ones where these are equal.
// Costs ascend, and once two in a row are worse than the best one before them, larger ones are left out.
func (c *command) chooseRest(ctx context.Context, p part, classes int) (best choice, err error) {
	fold, err := solvers.Folds(p.y, len(p.y), folds, c.seed)
	if err != nil {
		return best, err
	}
	most := -1.0
	for _, share := range shares {
		top, worse := -1.0, 0
		for _, cost := range costs {
			at := choice{cost: cost, share: share}
			accuracy, err := c.validate(ctx, p, classes, fold, at)
			if err != nil {
				return best, err
			}
			if accuracy > most {
				best, most = at, accuracy
			}
			if accuracy > top {
				top, worse = accuracy, 0
			} else if worse++; worse == 2 {
				break
			}
		}
	}
	return best, nil
}

// validate returns the mean top-1 accuracy of one-vs-rest on the folds.
func (c *command) validate(ctx context.Context, p part, classes int, fold []int, at choice) (mean float64, err error) {
	for f := range folds {
		var fit, left []int
		for i, g := range fold {
			if g == f {
				left = append(left, i)
			} else {
				fit = append(fit, i)
			}
		}
		m, err := c.restOf(ctx, p.of(fit), classes, at, max(c.tol, 1e-2))
		if err != nil {
			return 0, err
		}
		got, err := accuracies(m, p.of(left), 1, c.workers)
		if err != nil {
			return 0, err
		}
		mean += got[0] / folds
	}
	return mean, nil
}

func (c *command) trainRest(ctx context.Context, p part, classes int, at choice) (model, error) {
	m, err := c.restOf(ctx, p, classes, at, c.tol)
	if err != nil {
		return model{}, err
	}
	return model{m, spectral.Values(m.Weights())}, nil
}

// accuracies returns the top-1 to top-k accuracies, in percent; 100 where there are no more classes than that.
func accuracies(m solvers.Scorer[float32], p part, k, workers int) ([]float64, error) {
	_, classes := m.Dims()
	ranked, err := solvers.TopK(m, p.x, min(k, classes), workers)
	if err != nil {
		return nil, err
	}
	got, err := metrics.TopKRanked(ranked, p.y, min(k, classes))
	if err != nil {
		return nil, err
	}
	for len(got) < k {
		got = append(got, 1)
	}
	for j := range got {
		got[j] *= 100
	}
	return got, nil
}
