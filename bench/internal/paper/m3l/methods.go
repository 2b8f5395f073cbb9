package m3l

import (
	"context"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// predictor returns the label sets of examples.
type predictor func(x design.Matrix[float32]) ([][]int, error)

// task is a training subset and what is known besides.
type task struct {
	train   part
	labels  int
	r       vec.Matrix[float64] // the prior of M3L
	tol     float64
	workers int
}

// method trains on the examples p with the cost c. Linear models get a constant feature of 1, as the paper's.
type method struct {
	name string
	cost bool // whether it has a cost to choose
	fit  func(ctx context.Context, t *task, p part, c float64) (predictor, error)
}

// oneVsAll is the place of that in methods.
const oneVsAll = 1

var methods = []method{
	{"M3L", true, func(ctx context.Context, t *task, p part, c float64) (predictor, error) {
		return fitM3L(ctx, t, p, t.r, c)
	}},
	{"1-vs-All", true, func(ctx context.Context, t *task, p part, c float64) (predictor, error) {
		return fitM3L(ctx, t, p, vec.Matrix[float64]{}, c)
	}},
	{"Power Set", true, fitPowerSet},
	{"Regression", true, fitRegression},
	{"Ranking", true, fitRanking},
	{"5-NN", false, func(_ context.Context, t *task, p part, _ float64) (predictor, error) {
		return neighbours(p, t.labels), nil
	}},
}

// epochs is a limit out of reach: all models are trained to the gap.
const epochs = 1 << 20

// converged returns an error unless a training came to the gap.
func converged(o solvers.Outcome) error {
	if o.Status != solvers.Converged {
		return fmt.Errorf("%v", o)
	}
	return nil
}

func fitM3L(ctx context.Context, t *task, p part, r vec.Matrix[float64], c float64) (predictor, error) {
	m, err := m3l.Problem[float32]{X: p.x, Sets: p.sets, R: r}.Fit(ctx, m3l.Config{
		C: c, Labels: t.labels, Bias: 1, Tol: t.tol, Workers: t.workers, Epochs: epochs,
	})
	if err == nil {
		err = converged(m.Outcome)
	}
	if err != nil {
		return nil, err
	}
	return func(x design.Matrix[float32]) ([][]int, error) { return solvers.LabelSets(m, x, t.workers) }, nil
}

// fitPowerSet trains a multiclass SVM whose classes are the distinct label sets of p.
func fitPowerSet(ctx context.Context, t *task, p part, c float64) (predictor, error) {
	classes := slices.Clone(p.sets)
	slices.SortFunc(classes, slices.Compare[[]int])
	classes = slices.CompactFunc(classes, slices.Equal[[]int])
	y := make([]int, len(p.sets))
	for i, s := range p.sets {
		y[i], _ = slices.BinarySearchFunc(classes, s, slices.Compare[[]int])
	}
	m, err := topk.Problem[float32]{X: p.x, Y: y}.Fit(ctx, topk.Config{
		Lambda: 1 / (c * float64(len(y))), Bias: 1, Tol: t.tol, Workers: t.workers, Epochs: epochs,
		Classes: len(classes),
	})
	if err == nil {
		err = converged(m.Outcome)
	}
	if err != nil {
		return nil, err
	}
	return func(x design.Matrix[float32]) ([][]int, error) {
		y, err := solvers.Predict(m, x, t.workers)
		sets := make([][]int, len(y))
		for i, k := range y {
			sets[i] = classes[k]
		}
		return sets, err
	}, nil
}

// costs are what C is chosen from.
var costs = []float64{.001, .003, .01, .03, .1, .3, 1, 3, 10}

// choose returns the Hamming loss on test of a method whose cost is the one with the least loss on the examples valid
// of the training subset, trained on the others, the smaller where they are equal; the model is then trained on all.
func (t *task) choose(ctx context.Context, m method, parts solvers.Parts, test part) (loss, c float64, err error) {
	c = costs[0]
	if m.cost {
		least := 2.0
		for _, cost := range costs {
			loss, err := t.loss(ctx, m, t.train.of(parts.Train), cost, t.train.of(parts.Test))
			if err != nil {
				return 0, 0, err
			}
			if loss < least {
				least, c = loss, cost
			}
		}
	}
	loss, err = t.loss(ctx, m, t.train, c, test)
	return loss, c, err
}

// loss returns the Hamming loss on test of a method trained on the examples p.
func (t *task) loss(ctx context.Context, m method, p part, c float64, test part) (float64, error) {
	predict, err := m.fit(ctx, t, p, c)
	if err != nil {
		return 0, fmt.Errorf("%s, C = %v: %w", m.name, c, err)
	}
	sets, err := predict(test.x)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", m.name, err)
	}
	return metrics.HammingLoss(sets, test.sets, t.labels)
}
