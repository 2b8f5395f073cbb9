package toprank

import (
	"context"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// prepare returns the problem without its data, or what is wrong with it.
func (p Problem[T]) prepare(c Config) (*objective, error) {
	n, _, err := ascent.Examples(p.X, p.Kernel, 0)
	if err != nil {
		return nil, err
	}
	if x, ok := p.X.(interface{ Validate() error }); ok {
		if err := x.Validate(); err != nil {
			return nil, err
		}
	}
	if c, err = c.withDefaults(); err != nil {
		return nil, err
	}
	if c.Workers, err = parallel.Cores(c.Workers); err != nil {
		return nil, err
	}
	if len(p.Positive) != n {
		return nil, fmt.Errorf("Positive of %d examples, but there are %d", len(p.Positive), n)
	}
	positives := 0
	for _, v := range p.Positive {
		if v {
			positives++
		}
	}
	switch {
	case positives == 0 || positives == n:
		return nil, fmt.Errorf("%d positive examples of %d, need at least one positive and one negative", positives, n)
	case c.K > n-positives:
		return nil, fmt.Errorf("K = %d, but there are %d negative examples", c.K, n-positives)
	case p.Start != nil && (len(p.Start.Alpha) != n || len(p.Start.Beta) != n):
		return nil, fmt.Errorf("Start of %d alphas and %d betas, but there are %d examples", len(p.Start.Alpha), len(p.Start.Beta), n)
	}
	return newObjective(c, p.Positive), nil
}

// method is a training, and what comes of it.
type method[T vec.Float] interface {
	train.Method
	start(alpha, beta []float64) (solvers.Certificate, error)
	solved() *solution[T]
}

func (s *solution[T]) solved() *solution[T] { return s }

// method returns the training for the problem.
func (p Problem[T]) method(o *objective) (method[T], error) {
	if p.Kernel != nil {
		return newTraining(o, nil, p.Kernel)
	}
	if n, d := p.X.Dims(); d <= min(n, mostFeatures) {
		return newByFeatures(o, p.X)
	}
	const budget = 1 << 30 // bytes
	k, err := kernel.New(p.X, kernel.Linear{}, budget)
	if err != nil {
		return nil, err
	}
	return newTraining(o, p.X, k)
}

// identity says what a training is of.
func (p Problem[T]) identity(o *objective) train.Identity {
	settings := fmt.Sprintf("%v, C %v, loss %v, K %d, tau %v, all %t, theta %v and %v, tolerance %v, seed %d",
		o.Method, o.C, o.Loss, o.K, o.Tau, o.All, o.Theta1, o.Theta2, o.Tol, o.Seed)
	if p.Kernel == nil {
		settings += fmt.Sprintf(", workers %d", o.Workers)
	}
	data := ascent.Problem[T]{X: p.X, Kernel: p.Kernel, Outputs: 1, Labels: ascent.Labels{One: make([]int, len(p.Positive))}}
	for i, v := range p.Positive {
		if v {
			data.Labels.One[i] = 1
		}
	}
	return train.Identity{Family: "toprank", Settings: settings, Data: sync.OnceValue(data.Fingerprint)}
}

func (p Problem[T]) train(ctx context.Context, c Config, state io.Reader) (*Result[T], error) {
	r, err := p.run(ctx, c, state)
	if err != nil && r == nil {
		err = fmt.Errorf("toprank: %w", err)
	}
	return r, err
}

func (p Problem[T]) run(ctx context.Context, c Config, state io.Reader) (*Result[T], error) {
	if ctx == nil {
		return nil, fmt.Errorf("no context")
	}
	if state != nil && p.Start != nil {
		return nil, fmt.Errorf("a state to resume from, and Start: need one of them")
	}
	o, err := p.prepare(c)
	if err != nil {
		return nil, err
	}
	m, err := p.method(o)
	if err != nil {
		return nil, err
	}
	_, _, epsilon := ascent.Limits[T]()
	options := train.Options{
		Tol: o.Tol, Epochs: o.Epochs, Epsilon: epsilon, Rest: ascent.MaxRest, Progress: o.Progress, Checkpoint: o.Checkpoint,
		Identity: p.identity(o),
	}
	var clock train.Clock
	outcome := solvers.Outcome{Status: solvers.Converged, Tol: o.Tol}
	started := false
	switch {
	case state != nil:
		err = train.Resume(state, options.Identity, &clock, m)
	case p.Start != nil:
		alpha, beta := append([]float64(nil), p.Start.Alpha...), append([]float64(nil), p.Start.Beta...)
		if err = o.check(alpha, beta); err == nil {
			outcome.Certificate, err = m.start(alpha, beta)
		}
		started = err == nil && outcome.Certificate.RelativeGap() <= o.Tol
	}
	if err != nil {
		return nil, err
	}
	if !started {
		outcome, err = train.Run(ctx, m, options, &clock)
	}
	if outcome.Status == solvers.Running {
		return nil, err
	}
	r, wrong := p.result(m.solved(), outcome, options.Identity.Settings)
	if wrong != nil {
		return nil, wrong
	}
	return r, err
}

// check returns what is wrong with dual variables to start from.
func (o *objective) check(alpha, beta []float64) error {
	for i := range alpha {
		for _, v := range []float64{alpha[i], beta[i]} {
			if !(v >= 0) || math.IsInf(v, 1) {
				return fmt.Errorf("Start has the dual variable %v of example %d, need a finite number, at least 0", v, i)
			}
		}
		switch {
		case alpha[i] > 0 && !o.positive[i]:
			return fmt.Errorf("Start has alpha = %v of example %d, which is negative", alpha[i], i)
		case !o.ranked(i):
			beta[i] = 0 // of a training with All
		}
	}
	return nil
}

// result returns the model of a solution. What its file says of it are the threshold, the settings and the outcome.
func (p Problem[T]) result(s *solution[T], outcome solvers.Outcome, settings string) (*Result[T], error) {
	m := &model.Model[T]{}
	var err error
	if p.Kernel != nil {
		m.Kernel, err = kernel.NewExpansion(p.Kernel, s.coefficients, nil)
	} else {
		m.Linear, err = linear.New(s.coefficients, nil, nil)
	}
	if err != nil {
		return nil, err
	}
	notes := map[string]string{"solver": "toprank", "settings": settings, "outcome": outcome.String()}
	return &Result[T]{Model: newModel(m, s.t, notes), Outcome: outcome, Alpha: s.alpha, Beta: s.beta}, nil
}
