package topk

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// PathConfig says which Lambdas to train with, and how to compare them.
type PathConfig struct {
	Lambdas []float64 // default: 1/(C n) for C = 1e-3, 1e-2, ..., 1e2
	Folds   int       // of the cross-validation; default: none, and no accuracies
	Tops    int       // accuracies to compute, top-1 to top-Tops; default: Config.K
}

// Point is one Lambda of a path.
type Point[T vec.Float] struct {
	Lambda   float64
	Result   *Result[T] // on all examples
	Accuracy []float64  // [j-1]: top-j, the mean over the folds, each tested on the examples that its training left out
	Spread   []float64  // the standard deviation of that over the folds
}

// Path trains with each Lambda, from the largest to the smallest, each training from the dual variables of the one before. With
// folds, it does so without each of them in turn as well, and tests on it; folds are as equal in size and classes as they can
// be, drawn by c.Seed, and c.Workers of them run at a time. The points are in that order of Lambda; [Best] picks one. c.Lambda
// is not used, and Progress tells of the trainings on all examples only.
//
// When ctx ends Path returns ctx.Err() and no points.
func Path[T vec.Float](ctx context.Context, x solvers.Features[T], y []int, c Config, p PathConfig) ([]Point[T], error) {
	n, _ := x.Dims()
	if p.Lambdas == nil {
		for e := -3; e <= 2; e++ {
			p.Lambdas = append(p.Lambdas, 1/(math.Pow(10, float64(e))*float64(max(n, 1))))
		}
	}
	lambdas := slices.Clone(p.Lambdas)
	slices.Sort(lambdas)
	slices.Reverse(lambdas)
	c.Lambda = orDefault(c.Lambda, 1)
	for _, l := range lambdas { // what is wrong shows before anything is trained
		c.Lambda = l
		if _, err := c.withDefaults(); err != nil {
			return nil, err
		}
	}
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	if c.Classes, err = (&labels{one: y}).classes(n, c); err != nil {
		return nil, err
	}
	p.Tops = orDefault(p.Tops, c.K)
	switch {
	case p.Folds < 0 || p.Folds == 1 || p.Folds > n:
		return nil, fmt.Errorf("topk: %d folds of %d examples, need at least 2 and at most as many as examples, or 0", p.Folds, n)
	case p.Tops < 1 || p.Tops > c.Classes:
		return nil, fmt.Errorf("topk: top-%d accuracy of %d classes", p.Tops, c.Classes)
	case c.Loss.sets():
		return nil, fmt.Errorf("topk: the loss %v in a path, need one for one class each", c.Loss)
	}
	x = solvers.Sparse(x)
	accuracy, err := crossValidate(ctx, x, y, c, p, lambdas)
	if err != nil {
		return nil, err
	}
	points := make([]Point[T], len(lambdas))
	err = follow(ctx, x, y, c, lambdas, func(l int, r *Result[T]) error {
		points[l] = Point[T]{Lambda: lambdas[l], Result: r}
		if p.Folds > 0 {
			points[l].Accuracy, points[l].Spread = summary(accuracy, l, p.Tops)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return points, nil
}

// Best returns the index of the point with the largest top-k accuracy; of equal ones that with the largest Lambda. It returns -1
// where the points have none.
func Best[T vec.Float](points []Point[T], k int) int {
	best := -1
	for i, p := range points {
		if k >= 1 && k <= len(p.Accuracy) && (best < 0 || p.Accuracy[k-1] > points[best].Accuracy[k-1]) {
			best = i
		}
	}
	return best
}

// follow trains with each lambda in turn, from where the one before ended, and hands on the results.
func follow[T vec.Float](ctx context.Context, x solvers.Features[T], y []int, c Config, lambdas []float64, do func(l int, r *Result[T]) error) error {
	var duals *vec.Matrix[T]
	for l, lambda := range lambdas {
		c.Lambda = lambda
		r, err := fit(ctx, x, labels{one: y}, c, duals)
		if err != nil {
			return err
		}
		if err := do(l, r); err != nil {
			return err
		}
		duals = &r.Duals
	}
	return nil
}

// crossValidate returns the top-j accuracies [fold][lambda][j-1].
func crossValidate[T vec.Float](ctx context.Context, x solvers.Features[T], y []int, c Config, p PathConfig, lambdas []float64) ([][][]float64, error) {
	fold := folds(y, p.Folds, c.Seed)
	accuracy, errs := make([][][]float64, p.Folds), make([]error, p.Folds)
	workers := min(c.Workers, p.Folds)
	c.Workers, c.Progress = 1, nil
	var wait sync.WaitGroup
	for q := range workers {
		wait.Go(func() {
			for f := q; f < p.Folds; f += workers {
				accuracy[f], errs[f] = leaveOut(ctx, x, y, c, p, lambdas, func(i int) bool { return fold[i] == f })
			}
		})
	}
	wait.Wait()
	for f, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("fold %d: %w", f, err)
		}
	}
	return accuracy, nil
}

// leaveOut trains without the examples that are out, and returns the accuracies on these.
func leaveOut[T vec.Float](ctx context.Context, x solvers.Features[T], y []int, c Config, p PathConfig, lambdas []float64, out func(i int) bool) ([][]float64, error) {
	var rows, tests, trainY, testY = []int{}, []int{}, []int{}, []int{}
	for i, class := range y {
		if out(i) {
			tests, testY = append(tests, i), append(testY, class)
		} else {
			rows, trainY = append(rows, i), append(trainY, class)
		}
	}
	if c.Weights != nil {
		all := c.Weights
		c.Weights = make([]float64, len(rows))
		for q, i := range rows {
			c.Weights[q] = all[i]
		}
	}
	test := solvers.Subset(x, tests)
	accuracy := make([][]float64, len(lambdas))
	err := follow(ctx, solvers.Subset(x, rows), trainY, c, lambdas, func(l int, r *Result[T]) error {
		ranked, err := r.TopKAll(test, p.Tops)
		if err == nil {
			accuracy[l], err = metrics.TopKRanked(ranked, testY, p.Tops)
		}
		return err
	})
	return accuracy, err
}

// folds returns the fold of each example: those of a class go to the folds in turn, in random order.
func folds(y []int, count int, seed uint64) []int {
	fold := make([]int, len(y))
	if count == 0 {
		return fold
	}
	order := rand.New(rand.NewPCG(seed, 1)).Perm(len(y))
	slices.SortStableFunc(order, func(i, j int) int { return y[i] - y[j] })
	for p, i := range order {
		fold[i] = p % count
	}
	return fold
}

// summary returns the mean and the standard deviation of the accuracies over the folds.
func summary(accuracy [][][]float64, l, tops int) (mean, spread []float64) {
	mean, spread = make([]float64, tops), make([]float64, tops)
	n := float64(len(accuracy))
	for j := range tops {
		for _, fold := range accuracy {
			mean[j] += fold[l][j] / n
		}
		for _, fold := range accuracy {
			spread[j] += (fold[l][j] - mean[j]) * (fold[l][j] - mean[j]) / n
		}
		spread[j] = math.Sqrt(spread[j])
	}
	return mean, spread
}
