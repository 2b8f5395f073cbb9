package topk

import (
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

// prepare returns the training of p that c and o ask for, or what is wrong with them. The engine maximises the dual of
// Lambda (1/2 |W|² + sum_i r_i loss(Wᵀx_i, y_i)), r_i = v_i/(Lambda n), by Algorithm 1 of the paper.
func (p Problem[T]) prepare(c Config, o solvers.Options) (*prepared[T], error) {
	c, err := c.check()
	if err != nil {
		return nil, err
	}
	o, n, d, err := family.Begin(o, p.X, p.Kernel, c.Bias)
	if err != nil {
		return nil, err
	}
	labels, err := p.labels(n, &c)
	if err != nil {
		return nil, err
	}
	if err := family.CheckSizes(n, d, c.Classes, c.BlockSize); err != nil {
		return nil, err
	}
	prior, err := family.Prior[T](p.Prior, p.Kernel, d, c.Classes, c.Bias)
	if err != nil {
		return nil, err
	}
	own, exact, err := p.losses(c)
	if err != nil {
		return nil, err
	}
	why := fmt.Sprintf("Lambda = %v with %d examples", c.Lambda, n)
	r, err := family.Radii[T](1/(c.Lambda*float64(n)), why, &labels, p.Weights, c.ClassWeights, c.Classes)
	if err != nil {
		return nil, err
	}
	t := &prepared[T]{c: c, Training: ascent.Training[T]{Family: name, Names: p.Names,
		Problem: ascent.Problem[T]{
			X: p.X, Constant: T(c.Bias), Kernel: p.Kernel, Labels: labels, Outputs: c.Classes, Radius: r,
			Lambda: c.Lambda, Loss: own, Exact: exact, Prior: prior,
		},
		Options: ascent.Options{Options: o, BlockSize: c.BlockSize},
	}}
	t.Settings = t.settings()
	if p.Start != nil {
		t.Start = &ascent.Given[T]{Duals: p.Start.Duals, Model: p.Start.Model, Certificate: p.Start.Certificate}
	}
	return t, nil
}

// labels returns the classes of the examples, and sets what c leaves open about them.
func (p Problem[T]) labels(n int, c *Config) (labels family.Labels, err error) {
	if labels, err = family.Either(p.Y, p.Sets); err != nil {
		return labels, err
	}
	traits := p.traits(c)
	if p.Sets != nil && !traits.Sets {
		return labels, fmt.Errorf("the loss %s with sets of classes, want one for sets, such as MultilabelHinge",
			traits.Name)
	}
	open := c.Classes == 0 && p.Names == nil
	if c.Classes, err = labels.Named(n, c.Classes, p.Names); err != nil {
		return labels, err
	}
	if open {
		c.Classes = max(c.Classes, p.Prior.Cols)
	}
	return labels, family.Guesses(c.K, c.Classes)
}

// traits returns the traits of the loss, and sets it where c leaves it open.
func (p Problem[T]) traits(c *Config) loss.Traits {
	if p.Loss != nil {
		return p.Loss.Traits()
	}
	if c.Loss == 0 {
		c.Loss = TopKHinge
		if p.Sets != nil {
			c.Loss = MultilabelHinge
		}
	}
	return c.Loss.traits()
}

// losses returns the loss for steps, and the same for certificates.
func (p Problem[T]) losses(c Config) (own loss.Loss[T], exact loss.Loss[float64], err error) {
	if p.Loss == nil {
		if p.Exact != nil {
			return nil, nil, fmt.Errorf("Exact without Loss")
		}
		if own, err = listed[T](c); err == nil {
			exact, err = listed[float64](c)
		}
		return own, exact, err
	}
	if c.Loss != 0 || c.K != 1 || c.Smoothing != 0 {
		return nil, nil, fmt.Errorf("Loss = %v, K = %d, Smoothing = %v of Config with a Loss of the Problem, which "+
			"has its own", c.Loss, c.K, c.Smoothing)
	}
	exact = p.Exact
	if exact == nil {
		exact, _ = any(p.Loss).(loss.Loss[float64])
	}
	if exact == nil {
		return nil, nil, fmt.Errorf("Loss of %T without Exact, the same in float64 for certificates", T(0))
	}
	if a, b := p.Loss.Traits(), exact.Traits(); a.Sets != b.Sets || a.Separable != b.Separable {
		return nil, nil, fmt.Errorf("Loss %q and Exact %q are not the same", a.Name, b.Name)
	}
	return p.Loss, exact, nil
}

// settings is all that a configuration says about the steps of a training, in words. With a kernel the number of
// workers makes no difference.
func (t *prepared[T]) settings() string {
	c, o, name := t.c, t.Options, t.c.Loss.String()
	if c.Loss == 0 {
		name = fmt.Sprintf("of the caller, %q", t.Problem.Loss.Traits().Name)
	}
	s := fmt.Sprintf("K %d, loss %v, smoothing %v, lambda %v, classes %d, bias %v, tolerance %v, seed %d, "+
		"block size %d",
		c.K, name, c.Smoothing, c.Lambda, c.Classes, c.Bias, o.Tol, o.Seed, o.BlockSize)
	if t.Problem.Kernel == nil {
		s += fmt.Sprintf(", workers %d", o.Workers)
	}
	return s
}
