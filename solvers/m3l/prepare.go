package m3l

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// prepare returns the problem as the engine takes it and c with all its defaults, or what is wrong with them. The
// engine's loss is that of one label with weight 1, so that the r_i are 2 C for Hamming.
func (p Problem[T]) prepare(c Config) (inner ascent.Problem[T], _ Config, err error) {
	if c, err = c.withDefaults(); err != nil {
		return inner, c, err
	}
	n, d, err := ascent.Examples(p.X, p.Kernel, c.Bias)
	if err != nil {
		return inner, c, err
	}
	labels, m, err := p.labels(n, &c)
	if err != nil {
		return inner, c, err
	}
	if err := ascent.CheckFactor[T](p.P, p.Ridge, p.R, m); err != nil {
		return inner, c, err
	}
	factor, exact := loss.NewFactor[T](p.P, p.Ridge), loss.NewFactor[float64](p.P, p.Ridge)
	if err := ascent.CheckSizes(n, d, max(m, factor.Cols(m)), c.BlockSize); err != nil {
		return inner, c, err
	}
	if err := ascent.CheckCoupling(p.R, m); err != nil {
		return inner, c, err
	}
	if p.Margins != nil {
		if c.Loss != Hamming {
			return inner, c, fmt.Errorf("Margins with Loss = %v: they are a loss of their own", c.Loss)
		}
		if err := ascent.CheckMargins[T](p.Margins, n, m); err != nil {
			return inner, c, err
		}
	}
	inner = ascent.Problem[T]{
		X: p.X, Constant: T(c.Bias), Kernel: p.Kernel, Labels: labels, Outputs: m, Lambda: 1,
		Coupling: p.R, Factor: factor, ExactFactor: exact,
		Loss: lossOf(c, p.R, factor, p.Margins), Exact: lossOf(c, p.R, exact, p.Margins),
	}
	scale, why := c.C, fmt.Sprintf("C = %v", c.C)
	if c.Loss == Hamming {
		scale *= 2
	}
	if inner.Radius, err = ascent.Radii[T](scale, why, &labels, p.Weights, nil, m); err != nil {
		return inner, c, err
	}
	if err := ascent.CheckRange[T](p.R, c.Costs, inner.Radius); err != nil {
		return inner, c, err
	}
	if c.Workers, err = parallel.Cores(c.Workers, n); err != nil {
		return inner, c, err
	}
	return inner, c, nil
}

// labels returns the labels of the examples and their number, and sets what c leaves open about them.
func (p Problem[T]) labels(n int, c *Config) (labels ascent.Labels, m int, err error) {
	switch {
	case p.Y == nil && p.Sets == nil:
		return labels, 0, fmt.Errorf("no labels: need Sets or Y")
	case p.Y != nil && p.Sets != nil:
		return labels, 0, fmt.Errorf("Y and Sets, need one of them")
	}
	if labels.One = p.Y; p.Sets != nil {
		if labels.Sets, err = ascent.SortedSets(p.Sets); err != nil {
			return labels, 0, err
		}
	}
	if c.Labels == 0 {
		if c.Labels = len(p.Names); c.Labels == 0 {
			c.Labels = max(p.R.Rows, p.P.Cols)
		}
	}
	if m, err = labels.Outputs(n, c.Labels, "Labels"); err != nil {
		return labels, 0, err
	}
	if m == 0 {
		return labels, 0, fmt.Errorf("no example has a label: set Labels")
	}
	if c.Costs != nil && len(c.Costs) != m {
		return labels, 0, fmt.Errorf("%d costs for %d labels, need as many", len(c.Costs), m)
	}
	c.Labels = m
	return labels, m, solvers.CheckNames(p.Names, m)
}

// lossOf returns the loss of one label with weight 1. Δ+ and Δ- make it max(Δ+/2, Δ-/2 - y s), which is Δ+/2 + max(0, u
//   - y
//
// s) with the margin u = (Δ- - Δ+)/2.
func lossOf[T vec.Float](c Config, r vec.Matrix[float64], factor *loss.Factor[T], margins ascent.Margins) loss.Loss[T] {
	l := &loss.Label[T]{Costs: c.Costs, Factor: factor}
	if r.Rows > 0 {
		l.Coupling = vec.NewMatrix[T](r.Rows, r.Cols)
		for k := range r.Rows {
			vec.Convert(l.Coupling.Row(k), r.Row(k))
		}
	}
	if margins != nil {
		l.Margins = func(i int, u, least []float64) {
			margins(i, least, u)
			for k, plus := range least {
				least[k], u[k] = plus/2, (u[k]-plus)/2
			}
		}
	}
	if c.Costs == nil && r.Rows == 0 && factor == nil && margins == nil {
		l = nil
	}
	if c.Loss == SquaredHinge {
		return loss.SquaredHinge[T]{Label: l}
	}
	return loss.LabelHinge[T]{Label: l}
}

// settings is all that a configuration says about the steps of a training, in words. With a kernel the number of
// workers makes no difference, and where labels are trained in groups neither; it is told anyway where features are.
func (p Problem[T]) settings(inner *ascent.Problem[T], c Config) string {
	s := fmt.Sprintf("C %v, loss %v, labels %d, bias %v, tolerance %v, seed %d, block size %d",
		c.C, c.Loss, c.Labels, c.Bias, c.Tol, c.Seed, c.BlockSize)
	if c.Costs != nil {
		s += fmt.Sprintf(", costs %v", c.Costs)
	}
	if p.Margins != nil {
		s += fmt.Sprintf(", margins %x", ascent.Margins(p.Margins).Hash(inner.Labels.Count(), c.Labels))
	}
	if p.Kernel == nil {
		s += fmt.Sprintf(", workers %d", c.Workers)
	}
	return s
}
