package mkl

import (
	"cmp"
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
	p      Problem[T]
	c      Config // with its own defaults
	o      solvers.Options
	svm    ascent.Problem[T] // what is trained between two steps of the weights, but for its kernel
	solver *alternate.Solver[T]
}

// prepare returns the training of p that c and o ask for, or what is wrong with them: 1/2 |w|²_{2,p} + sum_i r_i loss_i
// with r_i = C times the weight of example i, which package alternate minimises.
func (p Problem[T]) prepare(c Config, o solvers.Options) (*prepared[T], error) {
	if p.Bundle == nil {
		return nil, fmt.Errorf("no examples: want a Bundle")
	}
	c, err := c.check()
	if err != nil {
		return nil, err
	}
	if o, err = o.WithDefaults(); err != nil {
		return nil, err
	}
	n, labels := p.Bundle.Len(), family.Labels{One: p.Y}
	if c.Classes, err = labels.Named(n, c.Classes, p.Names); err != nil {
		return nil, err
	}
	if err = cmp.Or(family.Guesses(c.K, c.Classes), family.CheckSizes(n, 0, c.Classes, 0)); err != nil {
		return nil, err
	}
	r, err := family.Radii[T](c.C, fmt.Sprintf("C = %v", c.C), &labels, p.Weights, nil, c.Classes)
	if err != nil {
		return nil, err
	}
	if o.Workers, err = parallel.Cores(o.Workers, n); err != nil {
		return nil, err
	}
	return &prepared[T]{p: p, c: c, o: o, svm: ascent.Problem[T]{
		Labels: labels, Outputs: c.Classes, Radius: r, Lambda: 1, Loss: lossOf[T](c), Exact: lossOf[float64](c),
	}}, nil
}

// Identity: see family.Training, as of the next ones. The number of workers makes no difference to the bits.
func (t *prepared[T]) Identity() train.Identity {
	settings := fmt.Sprintf("p %v, C %v, loss %v, k %d, classes %d, tolerance %v, seed %d", t.c.P, t.c.C, t.c.Loss,
		t.c.K, t.c.Classes, t.o.Tol, t.o.Seed)
	return train.Identity{Family: name, Settings: settings, Data: sync.OnceValue(func() []byte {
		h := sha256.New()
		for _, g := range t.p.Bundle.Groups() {
			data := family.Data[T]{X: g.X, Kernel: g.Matrix, Labels: t.svm.Labels, Outputs: t.c.Classes,
				Weights: t.svm.Radius}
			fmt.Fprintf(h, "%#v", g.Kernels)
			h.Write(data.Fingerprint())
		}
		return h.Sum(nil)
	})}
}

func (t *prepared[T]) Obeys() solvers.Options { return t.o }

func (t *prepared[T]) Begin() (m train.Method[T], start func() (train.Beginning[T], error), err error) {
	if err = t.begin(); err != nil {
		return nil, nil, err
	}
	if s := t.p.Start; s != nil {
		start = func() (from train.Beginning[T], err error) {
			from.Certificate, err = t.solver.Start(s.Duals, s.coefficients(), s.Eta)
			return from, err
		}
	}
	return t.solver, start, nil
}

// begin sets the method, at its start.
func (t *prepared[T]) begin() (err error) {
	t.solver, err = alternate.New(alternate.Problem[T]{Bundle: t.p.Bundle, Machine: t.svm, P: t.c.P, Options: t.o})
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

// coefficients returns the model's, n-by-m: 0-by-0 where it has none.
func (r *Result[T]) coefficients() (all vec.Matrix[T]) {
	if r.Model == nil || r.Kernels == nil {
		return all
	}
	k := r.Kernels
	_, m := k.Dims()
	all = vec.NewMatrix[T](k.Len(), m)
	for q, i := range k.Support() {
		copy(all.Row(i), k.Coefficients().Row(q))
	}
	return all
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
