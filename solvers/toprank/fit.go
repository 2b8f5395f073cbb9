package toprank

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/toploss"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// objective is a problem without its features, with how to train it.
type objective struct {
	*toploss.Objective
	config Config
	groups int // of the problem, with those that have no part in it
}

// prepare returns the problem without its features, or what is wrong with it.
func (p Problem[T]) prepare(c Config) (*objective, error) {
	n, _, err := ascent.Examples(p.X, p.Kernel, 0)
	if err != nil {
		return nil, err
	}
	if c, err = c.withDefaults(); err != nil {
		return nil, err
	}
	if c.Workers, err = parallel.Cores(c.Workers, n); err != nil {
		return nil, err
	}
	if len(p.Positive) != n {
		return nil, fmt.Errorf("Positive of %d examples, but there are %d", len(p.Positive), n)
	}
	positives := count(p.Positive)
	switch {
	case positives == 0 || positives == n:
		return nil, fmt.Errorf("%d positive examples of %d, need at least one positive and one negative", positives, n)
	case p.Groups != nil && c.Method == PatMat:
		return nil, fmt.Errorf("PatMat with Groups: TopPush alone ranks within queries")
	case p.Groups == nil && c.K > n-positives:
		return nil, fmt.Errorf("K = %d, but there are %d negative examples", c.K, n-positives)
	case p.Start != nil && (len(p.Start.Alpha) != n || len(p.Start.Beta) != n):
		return nil, fmt.Errorf("Start of %d alphas and %d betas, but there are %d examples", len(p.Start.Alpha),
			len(p.Start.Beta), n)
	}
	queries, groups, err := p.queries(n)
	if err != nil {
		return nil, err
	}
	return &objective{toploss.New(toploss.Objective{
		PatMat: c.Method == PatMat, Hinge: c.Loss == Hinge, All: c.All, K: c.K,
		C: c.C, Tau: c.Tau, Theta1: c.Theta1, Theta2: c.Theta2, Positive: p.Positive,
		Queries: queries,
	}), c, groups}, nil
}

// classes returns 1 of each positive example and 0 of the others.
func classes(positive []bool) []int {
	y := make([]int, len(positive))
	for i, v := range positive {
		if v {
			y[i] = 1
		}
	}
	return y
}

// count returns how many are true.
func count(positive []bool) (n int) {
	for _, v := range positive {
		if v {
			n++
		}
	}
	return n
}

// method is a training, and what comes of it.
type method[T vec.Float] interface {
	train.Method[T]
	start(alpha, beta []float64) (solvers.Certificate, error)
}

// budget is how many bytes rows of K may take where the problem has features, and no kernel.
const budget = 1 << 30

// method returns the training for the problem.
func (p Problem[T]) method(o *objective) (method[T], error) {
	if p.Kernel == nil && !p.visits {
		if n, d := p.X.Dims(); d <= min(n, mostFeatures) {
			return newByFeatures(o, p.X)
		}
	}
	if p.Groups != nil && (p.visits || len(o.Members()) > mostFactored) {
		return newByQueries(o, p.X, p.Kernel)
	}
	k := p.Kernel
	if k == nil {
		var err error
		if k, err = kernel.New(p.X, kernel.Linear{}, budget); err != nil {
			return nil, err
		}
	}
	if p.Groups != nil {
		return newByFactor(o, p.X, k)
	}
	return newTraining(o, p.X, k)
}

// identity says what a training is of.
func (p Problem[T]) identity(c Config) train.Identity {
	settings := fmt.Sprintf("%v, C %v, loss %v, K %d, tau %v, all %t, theta %v and %v, tolerance %v, seed %d",
		c.Method, c.C, c.Loss, c.K, c.Tau, c.All, c.Theta1, c.Theta2, c.Tol, c.Seed)
	if p.Kernel == nil {
		settings += fmt.Sprintf(", workers %d", c.Workers)
	}
	if p.Groups != nil {
		settings += ", within queries"
	}
	data := ascent.Problem[T]{X: p.X, Kernel: p.Kernel, Outputs: 1, Labels: ascent.Labels{One: p.labels()}}
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
	o, err := p.prepare(c)
	if err != nil {
		return nil, err
	}
	m, err := p.method(o)
	if err != nil {
		return nil, err
	}
	var start func() (solvers.Certificate, error)
	if p.Start != nil {
		start = func() (c solvers.Certificate, err error) {
			alpha, beta := slices.Clone(p.Start.Alpha), slices.Clone(p.Start.Beta)
			if err = o.Check(alpha, beta); err == nil {
				c, err = m.start(alpha, beta)
			}
			return c, err
		}
	}
	id := p.identity(o.config)
	end, err := ascent.Run(ctx, m, o.config.shared(), id, state, start, func(v train.Variables[T]) (any, error) {
		return p.model(o, v, id.Notes(nil))
	})
	if end.Status == solvers.Running {
		return nil, err
	}
	r, wrong := p.result(o, end, id)
	if wrong != nil {
		return nil, wrong
	}
	return r, err
}

// result returns what a training ended with.
func (p Problem[T]) result(o *objective, end train.Ended[T], id train.Identity) (*Result[T], error) {
	m, err := p.model(o, end.Primal, id.Notes(&end.Outcome))
	if err != nil {
		return nil, err
	}
	n, duals := len(p.Positive), end.Dual.Numbers
	if duals == nil {
		duals = make([]float64, 2*n)
	}
	r := &Result[T]{Model: m, Outcome: end.Outcome, Alpha: duals[:n:n], Beta: duals[n:]}
	if p.Groups != nil {
		r.Queries, r.Idle = len(o.Queries), o.groups-len(o.Queries)
	}
	return r, nil
}

// model returns the model with its threshold.
func (p Problem[T]) model(o *objective, v train.Variables[T], notes map[string]string) (*Model[T], error) {
	n, d, err := ascent.Examples(p.X, p.Kernel, 0)
	if err != nil {
		return nil, err
	}
	if p.Kernel == nil {
		n = d
	}
	m, err := ascent.ModelOf(p.Kernel, v.Matrix(n, 1), 0, nil, notes)
	switch {
	case err != nil:
		return nil, err
	case p.Groups != nil:
		return within(m), nil
	case v.None():
		_, t := o.Primal(make([]float64, len(p.Positive)), 0)
		return withThreshold(m, t), nil
	}
	return withThreshold(m, v.Numbers[0]), nil
}
