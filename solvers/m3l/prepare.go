package m3l

import (
	"cmp"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// prepared is a problem that has been checked, with how to train on it.
type prepared[T vec.Float] struct {
	ascent.Training[T]
	c Config // with its own defaults
}

// Result: see family.Training.
func (t *prepared[T]) Result(m *model.Model[T], end train.Ended[T]) *Result[T] {
	return &Result[T]{Model: m, Outcome: end.Outcome, Duals: t.Duals(end)}
}

// prepare returns the training of p that c and o ask for, or what is wrong with them. The engine maximises the dual
// (25) of (P2), 1/2 sum_lk (R⁻¹)_lk <z_l, z_k> + sum_i r_i sum_l loss_il, by one example with all its labels at a
// time.
//
// What C weighs: the paper's loss of a label, Hamming, is 2 max(0, 1 - y s). The loss of LIBLINEAR and LIBSVM, Hinge,
// is max(0, 1 - y s), and so is the engine's: r_i is 2 C for Hamming and C for the others. The command's -c is the cost
// of those programs: the C of Hinge, and twice the C of Hamming. The paper's method, package papers/smo, has alpha_il =
// y_il a_il/2 in 0..C, half of the engine's dual variables.
func (p Problem[T]) prepare(c Config, o solvers.Options) (*prepared[T], error) {
	c, err := c.check()
	if err != nil {
		return nil, err
	}
	o, n, d, err := family.Begin(o, p.X, p.Kernel, c.Bias)
	if err != nil {
		return nil, err
	}
	labels, m, err := p.labels(n, &c)
	if err != nil {
		return nil, err
	}
	if err := p.checkPrior(n, d, m, c); err != nil {
		return nil, err
	}
	prior, err := p.weightsPrior(d, m, c)
	if err != nil {
		return nil, err
	}
	scale := c.C
	if c.Loss == Hamming {
		scale = 2 * c.C
	}
	r, err := family.Radii[T](scale, fmt.Sprintf("C = %v", c.C), &labels, p.Weights, nil, m)
	if err != nil {
		return nil, err
	}
	if err := checkRange[T](p.R, c.Costs, r); err != nil {
		return nil, err
	}
	factor, exact := loss.NewFactor[T](p.P, p.Ridge), loss.NewFactor[float64](p.P, p.Ridge)
	t := &prepared[T]{c: c, Training: ascent.Training[T]{Family: name, Names: p.Names,
		Problem: ascent.Problem[T]{
			X: p.X, Constant: T(c.Bias), Kernel: p.Kernel, Labels: labels, Outputs: m, Radius: r, Lambda: 1,
			Coupling: p.R, Factor: factor, ExactFactor: exact, Prior: prior,
			Loss: lossOf(c, p.R, factor, p.Margins), Exact: lossOf(c, p.R, exact, p.Margins),
		},
		Options: ascent.Options{Options: o, BlockSize: c.BlockSize},
	}}
	t.Settings = p.settings(t)
	if p.mirrors(&labels, &c, prior) {
		t.mirror()
	}
	if p.Start != nil {
		t.Start = &ascent.Given[T]{Duals: p.Start.Duals, Model: p.Start.Model, Certificate: p.Start.Certificate}
	}
	return t, nil
}

// checkPrior returns what is wrong with R or P, with Margins or with the sizes that come of them.
func (p Problem[T]) checkPrior(n, d, m int, c Config) error {
	if err := checkFactor[T](p.P, p.Ridge, p.R, m); err != nil {
		return err
	}
	cols := loss.NewFactor[T](p.P, p.Ridge).Cols(m)
	if err := family.CheckSizes(n, d, max(m, cols), c.BlockSize); err != nil {
		return err
	}
	if err := checkCoupling(p.R, m); err != nil || p.Margins == nil {
		return err
	}
	if c.Loss != Hamming {
		return fmt.Errorf("Margins with Loss = %v: they are a loss of their own", c.Loss)
	}
	return checkMargins[T](p.Margins, n, m)
}

// weightsPrior returns the prior of the weights. With P training holds V, of which Z is V P: no V makes a given W0.
func (p Problem[T]) weightsPrior(d, m int, c Config) (vec.Matrix[float64], error) {
	prior, err := family.Prior[T](p.Prior, p.Kernel, d, m, c.Bias)
	if err == nil && prior.Rows > 0 && p.P.Rows > 0 {
		err = fmt.Errorf("Prior, %d-by-%d, with P, %d-by-%d, want R in place of P", prior.Rows, prior.Cols, p.P.Rows,
			p.P.Cols)
	}
	return prior, err
}

// labels returns the labels of the examples and their number, and sets what c leaves open about them.
func (p Problem[T]) labels(n int, c *Config) (labels family.Labels, m int, err error) {
	if labels, err = family.Either(p.Y, p.Sets); err != nil {
		return labels, 0, err
	}
	c.Labels = cmp.Or(c.Labels, len(p.Names), max(p.R.Rows, p.P.Cols))
	if m, err = labels.Outputs(n, c.Labels, "Labels"); err != nil {
		return labels, 0, err
	}
	if c.Labels == 0 {
		m = max(m, p.Prior.Cols)
	}
	if m == 0 {
		return labels, 0, fmt.Errorf("no example has a label: set Labels")
	}
	if c.Costs != nil && len(c.Costs) != m {
		return labels, 0, fmt.Errorf("%d costs for %d labels, want as many", len(c.Costs), m)
	}
	c.Labels = m
	return labels, m, solvers.CheckNames(p.Names, m)
}

// lossOf returns the loss of one label with weight 1. With Δ+ and Δ- it is max(Δ+/2, Δ-/2 - y s), or Δ+/2 + max(0,
// u - y s) with the margin u = (Δ- - Δ+)/2.
func lossOf[T vec.Float](c Config, r vec.Matrix[float64], factor *loss.Factor[T], margins marginsOf) loss.Loss[T] {
	l := &loss.Label[T]{Costs: c.Costs, Factor: factor}
	if r.Rows > 0 {
		l.Coupling = loss.NewCoupling[T](r)
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
	switch c.Loss {
	case SquaredHinge:
		return loss.SquaredHinge[T]{Label: l}
	case Logistic:
		return loss.Logistic[T]{Label: l}
	}
	return loss.LabelHinge[T]{Label: l}
}

// settings is all that a configuration says about the steps of a training, in words. With a kernel the number of
// workers makes no difference, and where labels are trained in groups neither; it is told anyway where features are.
func (p Problem[T]) settings(t *prepared[T]) string {
	c, o := t.c, t.Options
	s := fmt.Sprintf("C %v, loss %v, labels %d, bias %v, tolerance %v, seed %d, block size %d",
		c.C, c.Loss, c.Labels, c.Bias, o.Tol, o.Seed, o.BlockSize)
	if c.Costs != nil {
		s += fmt.Sprintf(", costs %v", c.Costs)
	}
	if p.Margins != nil {
		s += fmt.Sprintf(", margins %x", marginsOf(p.Margins).hash(t.Problem.Labels.Count(), c.Labels))
	}
	if p.Kernel == nil {
		s += fmt.Sprintf(", workers %d", o.Workers)
	}
	return s
}
