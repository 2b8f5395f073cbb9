package mkl

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"sync"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/mkl/internal/alternate"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// prepare returns what the machines are trained on but for their kernel, and c with all its defaults, or what is wrong.
func (p Problem[T]) prepare(c Config) (inner ascent.Problem[T], _ Config, err error) {
	if p.Bundle == nil {
		return inner, c, fmt.Errorf("no examples: need a Bundle")
	}
	if c, err = c.withDefaults(); err != nil {
		return inner, c, err
	}
	n, labels := p.Bundle.Len(), ascent.Labels{One: p.Y}
	if c.Classes == 0 {
		c.Classes = len(p.Names)
	}
	if c.Classes, err = labels.Classes(n, c.Classes); err != nil {
		return inner, c, err
	}
	if c.K >= c.Classes {
		return inner, c, fmt.Errorf("K = %d with %d classes, need K < classes", c.K, c.Classes)
	}
	if err = ascent.CheckSizes(n, 0, c.Classes, 0); err != nil {
		return inner, c, err
	}
	if err = solvers.CheckNames(p.Names, c.Classes); err != nil {
		return inner, c, err
	}
	inner = ascent.Problem[T]{Labels: labels, Outputs: c.Classes, Lambda: 1, Loss: lossOf[T](c),
		Exact: lossOf[float64](c)}
	if inner.Radius, err = ascent.Radii[T](c.C, fmt.Sprintf("C = %v", c.C), &labels, p.Weights, nil,
		c.Classes); err != nil {
		return inner, c, err
	}
	if c.Workers, err = parallel.Cores(c.Workers, n); err != nil {
		return inner, c, err
	}
	return inner, c, nil
}

// identity says what a training is of. The number of workers makes no difference to its bits.
func (p Problem[T]) identity(inner ascent.Problem[T], c Config) train.Identity {
	settings := fmt.Sprintf("p %v, C %v, loss %v, k %d, classes %d, tolerance %v, seed %d", c.P, c.C, c.Loss, c.K,
		c.Classes, c.Tol, c.Seed)
	return train.Identity{Family: "mkl", Settings: settings, Data: sync.OnceValue(func() []byte {
		h := sha256.New()
		for _, g := range p.Bundle.Groups() {
			data := inner
			data.X, data.Kernel = g.X, g.Matrix
			fmt.Fprintf(h, "%#v", g.Kernels)
			h.Write(data.Fingerprint())
		}
		return h.Sum(nil)
	})}
}

func (p Problem[T]) train(ctx context.Context, c Config, state io.Reader) (*Result[T], error) {
	r, err := p.run(ctx, c, state)
	if err != nil && r == nil {
		err = fmt.Errorf("mkl: %w", err)
	}
	return r, err
}

func (p Problem[T]) run(ctx context.Context, c Config, state io.Reader) (*Result[T], error) {
	if ctx == nil {
		return nil, fmt.Errorf("no context")
	}
	inner, c, err := p.prepare(c)
	if err != nil {
		return nil, err
	}
	s, err := p.solver(inner, c)
	if err != nil {
		return nil, err
	}
	var start func() (solvers.Certificate, error)
	if p.Start != nil {
		start = func() (solvers.Certificate, error) { return s.Start(p.Start.Duals, p.Start.Eta) }
	}
	id := p.identity(inner, c)
	end, err := ascent.Run(ctx, s, c.shared(), id, state, start, func(v train.Variables[T]) (any, error) {
		return p.model(s, v, id.Notes(nil))
	})
	if end.Status == solvers.Running {
		return nil, err
	}
	r, wrong := p.result(s, end, id)
	if wrong != nil {
		return nil, wrong
	}
	return r, err
}

// solver returns a training.
func (p Problem[T]) solver(inner ascent.Problem[T], c Config) (*alternate.Solver[T], error) {
	return alternate.New(alternate.Problem[T]{Bundle: p.Bundle, Machine: inner, P: c.P, Tol: c.Tol, Epochs: c.Epochs,
		Seed: c.Seed, Workers: c.Workers})
}

// result returns what a training ended with.
func (p Problem[T]) result(s *alternate.Solver[T], end train.Ended[T], id train.Identity) (*Result[T], error) {
	m, err := p.model(s, end.Primal, id.Notes(&end.Outcome))
	if err != nil {
		return nil, err
	}
	r := &Result[T]{Model: m, Outcome: end.Outcome, Duals: end.Dual.Matrix(p.Bundle.Len(), s.Outputs())}
	r.Steps, r.Rounds = s.Steps()
	r.weigh(s.Weights(end.Primal))
	return r, nil
}

// model returns the model of a training's variables. What its file says of it are the notes.
func (p Problem[T]) model(s *alternate.Solver[T], v train.Variables[T], notes map[string]string) (*model.Model[T],
	error) {
	eta, _ := s.Weights(v)
	coefficients := v.Matrix(p.Bundle.Len(), s.Outputs())
	m, err := kernel.NewCombination(p.Bundle, eta, coefficients, p.Names)
	if err != nil {
		return nil, err
	}
	return &model.Model[T]{Kernels: m.WithNotes(notes)}, nil
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
