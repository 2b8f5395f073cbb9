package topk

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
)

// prepare returns the problem as the engine takes it and c with all its defaults, or what is wrong with them.
func (p Problem[T]) prepare(c Config) (inner ascent.Problem[T], _ Config, err error) {
	fail := func(format string, args ...any) (ascent.Problem[T], Config, error) {
		return inner, c, fmt.Errorf("topk: %w", fmt.Errorf(format, args...))
	}
	if c, err = c.withDefaults(); err != nil {
		return inner, c, err
	}
	n, d, err := ascent.Examples(p.X, p.Kernel, c.Bias)
	if err != nil {
		return fail("%w", err)
	}
	switch {
	case p.Y == nil && p.Sets == nil:
		return fail("no labels: need Y or Sets")
	case p.Y != nil && p.Sets != nil:
		return fail("Y and Sets, need one of them")
	}
	labels, m, err := p.labels(n, &c)
	if err != nil {
		return fail("%w", err)
	}
	if c.K >= m {
		return fail("K = %d with %d classes, need K < classes", c.K, m)
	}
	if err := ascent.CheckSizes(n, d, m, c.BlockSize); err != nil {
		return fail("%w", err)
	}
	inner = ascent.Problem[T]{
		X: p.X, Constant: T(c.Bias), Kernel: p.Kernel, Labels: labels, Outputs: m, Lambda: c.Lambda,
	}
	if inner.Loss, err = lossOf[T](c); err != nil {
		return inner, c, err
	}
	if inner.Exact, err = lossOf[float64](c); err != nil {
		return inner, c, err
	}
	why := fmt.Sprintf("Lambda = %v with %d examples", c.Lambda, n)
	if inner.Radius, err = ascent.Radii[T](1/(c.Lambda*float64(n)), why, &labels, p.Weights, c.ClassWeights,
		m); err != nil {
		return fail("%w", err)
	}
	if c.Workers, err = parallel.Cores(c.Workers, n); err != nil {
		return fail("%w", err)
	}
	return inner, c, nil
}

// labels returns the classes of the examples and their number, and sets what c leaves open about them.
func (p Problem[T]) labels(n int, c *Config) (labels ascent.Labels, m int, err error) {
	if c.Loss == 0 {
		if c.Loss = TopKHinge; p.Sets != nil {
			c.Loss = MultilabelHinge
		}
	}
	if p.Sets != nil && !losses[c.Loss-1].double.Traits().Sets {
		return labels, 0, fmt.Errorf("the loss %v with sets of classes, need one for sets, such as MultilabelHinge",
			c.Loss)
	}
	if labels.One = p.Y; p.Sets != nil {
		if labels.Sets, err = ascent.SortedSets(p.Sets); err != nil {
			return labels, 0, err
		}
	}
	if c.Classes == 0 {
		c.Classes = len(p.Names)
	}
	if m, err = labels.Classes(n, c.Classes); err != nil {
		return labels, 0, err
	}
	if err := solvers.CheckNames(p.Names, m); err != nil {
		return labels, 0, err
	}
	c.Classes = m
	return labels, m, nil
}

// settings is all that a configuration says about the steps of a training, in words. With a kernel the number of
// workers makes no difference.
func (p Problem[T]) settings(c Config) string {
	s := fmt.Sprintf("K %d, loss %v, smoothing %v, lambda %v, classes %d, bias %v, tolerance %v, seed %d, block "+
		"size %d",
		c.K, c.Loss, c.Smoothing, c.Lambda, c.Classes, c.Bias, c.Tol, c.Seed, c.BlockSize)
	if p.Kernel == nil {
		s += fmt.Sprintf(", workers %d", c.Workers)
	}
	return s
}
