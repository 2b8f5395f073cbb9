package mkl

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/mkl/internal/alternate"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// prepared is a problem that has been checked, with how to train on it.
type prepared[T vec.Float] struct {
	p       Problem[T]
	c       Config // with its own defaults
	o       solvers.Options
	machine ascent.Problem[T] // what the machines are trained on but for their kernel
	solver  *alternate.Solver[T]
}

// prepare returns the training of p that c asks for, or what is wrong with them.
func (p Problem[T]) prepare(c Config) (*prepared[T], error) {
	if p.Bundle == nil {
		return nil, fmt.Errorf("no examples: need a Bundle")
	}
	c, err := c.check()
	if err != nil {
		return nil, err
	}
	o, err := c.options().WithDefaults()
	if err != nil {
		return nil, err
	}
	n := p.Bundle.Len()
	labels := family.Labels{One: p.Y}
	if c.Classes, err = labels.Named(n, c.Classes, p.Names); err != nil {
		return nil, err
	}
	if c.K >= c.Classes {
		return nil, fmt.Errorf("K = %d with %d classes, need K < classes", c.K, c.Classes)
	}
	if err = family.CheckSizes(n, 0, c.Classes, 0); err != nil {
		return nil, err
	}
	machine := ascent.Problem[T]{Labels: labels, Outputs: c.Classes, Lambda: 1, Loss: lossOf[T](c),
		Exact: lossOf[float64](c)}
	if machine.Radius, err = family.Radii[T](c.C, fmt.Sprintf("C = %v", c.C), &labels, p.Weights, nil,
		c.Classes); err != nil {
		return nil, err
	}
	if o.Workers, err = parallel.Cores(o.Workers, n); err != nil {
		return nil, err
	}
	return &prepared[T]{p: p, c: c, o: o, machine: machine}, nil
}

// Identity: see family.Training, as of the next ones. The number of workers makes no difference to the bits.
func (t *prepared[T]) Identity() train.Identity {
	settings := fmt.Sprintf("p %v, C %v, loss %v, k %d, classes %d, tolerance %v, seed %d", t.c.P, t.c.C, t.c.Loss,
		t.c.K, t.c.Classes, t.o.Tol, t.o.Seed)
	return train.Identity{Family: name, Settings: settings, Data: sync.OnceValue(func() []byte {
		h := sha256.New()
		for _, g := range t.p.Bundle.Groups() {
			data := family.Data[T]{X: g.X, Kernel: g.Matrix, Labels: t.machine.Labels, Outputs: t.c.Classes,
				Weights: t.machine.Radius}
			fmt.Fprintf(h, "%#v", g.Kernels)
			h.Write(data.Fingerprint())
		}
		return h.Sum(nil)
	})}
}

func (t *prepared[T]) Obeys() solvers.Options { return t.o }

func (t *prepared[T]) Begin() (m train.Method[T], start func() (solvers.Certificate, error), err error) {
	if err = t.begin(); err != nil {
		return nil, nil, err
	}
	if s := t.p.Start; s != nil {
		start = func() (solvers.Certificate, error) { return t.solver.Start(s.Duals, s.Eta) }
	}
	return t.solver, start, nil
}

// begin sets the method, at its start.
func (t *prepared[T]) begin() (err error) {
	t.solver, err = alternate.New(alternate.Problem[T]{Bundle: t.p.Bundle, Machine: t.machine, P: t.c.P, Options: t.o})
	return err
}

func (t *prepared[T]) Model(v train.Variables[T], notes map[string]string) (*model.Model[T], error) {
	eta, _ := t.solver.Weights(v)
	coefficients := v.Matrix(t.p.Bundle.Len(), t.c.Classes)
	m, err := bundle.NewCombination(t.p.Bundle, eta, coefficients, t.p.Names)
	if err != nil {
		return nil, err
	}
	return &model.Model[T]{Kernels: m.WithNotes(notes)}, nil
}

func (t *prepared[T]) Result(m *model.Model[T], end train.Ended[T]) *Result[T] {
	r := &Result[T]{Model: m, Outcome: end.Outcome, Duals: end.Dual.Matrix(t.p.Bundle.Len(), t.c.Classes)}
	r.Steps, r.Rounds = t.solver.Steps()
	r.weigh(t.solver.Weights(end.Primal))
	return r
}

// weigh sets what r says of the kernels.
func (r *Result[T]) weigh(eta, norms []float64) {
	r.Eta, r.Norms, r.Shares = eta, norms, make([]float64, len(eta))
	if sum := vec.Sum(norms); sum > 0 {
		for j, v := range norms {
			r.Shares[j] = v / sum
		}
	}
}
