package toprank

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/solvers/papers/ranking"
	"github.com/dualgap/dualgap/vec"
)

// stoppedBench is a split with kernels in float64, on which the paper's Algorithm 3.1 runs for some loops.
type stoppedBench struct {
	split
	kernels [2][]*kernel.Matrix[float64]
	loops   int
	tol     float64 // what gap is said to be reached
}

// newStopped returns the bench with the linear kernel, and with Gaussian ones of these widths.
func newStopped(s split, gammas []float64, loops int, tol float64) (*stoppedBench, error) {
	b := &stoppedBench{split: s, loops: loops, tol: tol}
	all := []kernel.Kernel{kernel.Linear{}}
	for _, gamma := range gammas {
		all = append(all, kernel.Gaussian{Gamma: gamma})
	}
	for i, of := range all {
		k, err := kernel.New(design.Float64(s.train.x), of, rowBudget)
		if err != nil {
			return nil, err
		}
		b.kernels[min(i, 1)] = append(b.kernels[min(i, 1)], k)
	}
	return b, nil
}

// choose is choose of bench, where trainings end after the loops. A model is its dual variables as they are then:
// toprank would return W = 0 where 0 has a lower objective.
func (b *stoppedBench) choose(ctx context.Context, m method, kind int) (best chosen, err error) {
	best.valid = -1
	for _, k := range b.kernels[kind] {
		for _, cost := range costs {
			config := m.config
			config.C = cost
			r, err := ranking.Pairs(ctx, k, lossesOf(config, b.train.positive),
				ranking.Options{Options: papers.Options{Steps: b.loops}, Workers: 1})
			if err != nil {
				return best, fmt.Errorf("%s, C = %v: %w", m.name, cost, err)
			}
			gap := r.Last().RelativeGap()
			best.trained++
			if !(gap <= b.tol) {
				best.missed++
			}
			both, err := b.precisions(k, r)
			if err != nil {
				return best, err
			}
			if mean := mean(both[0]); mean > best.valid {
				best.cost, best.valid, best.gap, best.precisions = cost, mean, gap, both[1]
			}
		}
	}
	return best, nil
}

// precisions returns the precision in percent at each of the recalls, of the validation and of the test part.
func (b *stoppedBench) precisions(k *kernel.Matrix[float64], r *ranking.Result) (both [2][6]float64, err error) {
	c := vec.NewMatrix[float64](len(r.Alpha), 1)
	for i := range c.Rows {
		c.Row(i)[0] = r.Alpha[i] - r.Beta[i]
	}
	m, err := kernel.NewExpansion(k, c, nil)
	if err != nil {
		return both, err
	}
	for i, p := range []part{b.valid, b.test} {
		s := vec.NewMatrix[float64](len(p.positive), 1)
		if err := m.ScoresWorkers(s, design.Float64(p.x), nil, 1); err != nil {
			return both, err
		}
		if both[i], err = precisionsOf(s.Data, p.positive); err != nil {
			return both, err
		}
	}
	return both, nil
}
