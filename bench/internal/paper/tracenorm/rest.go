package tracenorm

import (
	"context"
	"errors"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// restOf trains each class against the others by the squared hinge, with a constant feature of 1.
func (c *command) restOf(ctx context.Context, p part, classes int, at choice, tol float64) (*linear.Model[float32],
	error) {
	config := m3l.Config{
		C: at.cost, Loss: m3l.SquaredHinge, Labels: classes, Bias: 1, Tol: tol, Workers: c.workers, Epochs: 1 << 20,
	}
	if at.share > 0 {
		return balanced(ctx, p, config, at.share)
	}
	r, err := m3l.OneVsAll(ctx, p.x, p.y, config)
	if err == nil {
		err = converged(r.Outcome)
	}
	if err != nil {
		return nil, err
	}
	return r.Linear, nil
}

// balanced trains a problem for each class in which the losses of its own examples are weighted so that they are the
// given share of all weights. Since an example has another weight for its own class than for the others, these are
// trainings apart.
func balanced(ctx context.Context, p part, config m3l.Config, share float64) (*linear.Model[float32], error) {
	n, d := p.x.Dims()
	classes, workers := config.Labels, config.Workers
	config.Labels, config.Workers = 1, 1
	w, offset, errs := vec.NewMatrix[float32](d, classes), make([]float32, classes), make([]error, classes)
	parallel.Do(workers, classes, func(_, class int) {
		sets, weights, own := make([][]int, n), make([]float64, n), 0
		for i, y := range p.y {
			if weights[i] = 1; y == class {
				own++
				sets[i] = []int{0}
			}
		}
		for i, y := range p.y {
			if y == class {
				weights[i] = share / (1 - share) * float64(n-own) / float64(own)
			}
		}
		r, err := m3l.Problem[float32]{X: p.x, Sets: sets, Weights: weights}.Fit(ctx, config)
		if err == nil {
			err = converged(r.Outcome)
		}
		if err != nil {
			errs[class] = err
			return
		}
		for j := range d {
			w.Row(j)[class] = r.Linear.Weights().Row(j)[0]
		}
		offset[class] = r.Linear.Bias()[0]
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return linear.New(w, offset, nil)
}
