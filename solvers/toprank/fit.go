package toprank

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// prepare returns the problem in numbers, or what is wrong with it.
func (p Problem[T]) prepare(c Config) (*objective, error) {
	n, _, err := ascent.Examples(p.X, p.Kernel, 0)
	if err != nil {
		return nil, err
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
	o := newObjective(c, p.Positive)
	switch {
	case positives == 0 || positives == n:
		return nil, fmt.Errorf("%d positive examples of %d, need at least one positive and one negative", positives, n)
	case c.K > n-positives:
		return nil, fmt.Errorf("K = %d, but there are %d negative examples", c.K, n-positives)
	}
	return o, nil
}

func (p Problem[T]) train(ctx context.Context, c Config, state io.Reader) (*Result[T], error) {
	if ctx == nil {
		return nil, fmt.Errorf("toprank: no context")
	}
	o, err := p.prepare(c)
	if err != nil {
		return nil, fmt.Errorf("toprank: %w", err)
	}
	if p.X != nil {
		const budget = 1 << 30
		if p.Kernel, err = kernel.New(p.X, kernel.Linear{}, budget); err != nil {
			return nil, fmt.Errorf("toprank: %w", err)
		}
	}
	s, err := newTraining(o, p.Kernel)
	if err != nil {
		return nil, fmt.Errorf("toprank: %w", err)
	}
	_, _, epsilon := ascent.Limits[T]()
	options := train.Options{
		Tol: o.Tol, Epochs: o.Epochs, Epsilon: epsilon, Rest: 8, Progress: o.Progress, Checkpoint: o.Checkpoint,
		Identity: train.Identity{Family: "toprank", Settings: "", Data: sync.OnceValue(func() []byte { return nil })},
	}
	var clock train.Clock
	outcome, err := train.Run(ctx, s, options, &clock)
	if outcome.Status == solvers.Running {
		return nil, fmt.Errorf("toprank: %w", err)
	}
	m, wrong := kernel.NewExpansion(p.Kernel, s.certified.c, nil)
	if wrong != nil {
		return nil, fmt.Errorf("toprank: %w", wrong)
	}
	notes := map[string]string{"solver": "toprank", "outcome": outcome.String()}
	return &Result[T]{
		Model: newModel(&model.Model[T]{Kernel: m}, s.certified.t, notes), Outcome: outcome,
		Alpha: s.certified.alpha, Beta: s.certified.beta,
	}, err
}

var _ train.Method = (*training[float32])(nil)
var _ = vec.Sum[float64]
