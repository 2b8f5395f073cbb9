package tracenorm

import (
	"context"
	"fmt"
	"io"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/nuclear"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/solvers/internal/train"
)

// prepare returns the data as a risk takes them and c with all defaults but those of the lambdas, or what is wrong.
func (p Problem[T]) prepare(c Config) (Config, risk.Data[T], error) {
	none := risk.Data[T]{}
	n, d, err := ascent.Examples(p.X, nil, c.Bias)
	if err != nil {
		return c, none, err
	}
	if c, err = c.withDefaults(); err != nil {
		return c, none, err
	}
	if c.Workers, err = parallel.Cores(c.Workers, n); err != nil {
		return c, none, err
	}
	if p.Y == nil {
		return c, none, fmt.Errorf("no labels: need Y")
	}
	if c.Classes == 0 {
		c.Classes = len(p.Names)
	}
	labels := ascent.Labels{One: p.Y}
	if c.Classes, err = labels.Classes(n, c.Classes); err != nil {
		return c, none, err
	}
	if err = ascent.CheckSizes(n, d, c.Classes, 0); err != nil {
		return c, none, err
	}
	if err = solvers.CheckNames(p.Names, c.Classes); err != nil {
		return c, none, err
	}
	if p.Weights != nil {
		if _, err = ascent.Radii[T](1, "the mean loss", &labels, p.Weights, nil, c.Classes); err != nil {
			return c, none, err
		}
	}
	rank := min(d, c.Classes)
	if c.Bias != 0 {
		rank = min(d+1, c.Classes)
	}
	if c.Rank > rank {
		return c, none, fmt.Errorf("Rank = %d, but weights of %d features for %d classes have at most %d", c.Rank, d,
			c.Classes, rank)
	}
	if c.Rank == 0 {
		c.Rank = rank
	}
	data := risk.Data[T]{Y: p.Y, Classes: c.Classes, Weights: p.Weights, Bias: T(c.Bias)}
	if data.X, err = design.WithColumns(design.Sparse(p.X)); err != nil {
		return c, none, err
	}
	if !c.Raw {
		data.Center(c.Workers)
	}
	return c, data, nil
}

func (p Problem[T]) train(ctx context.Context, c Config, state io.Reader) (*Result[T], error) {
	r, err := p.run(ctx, c, state)
	if err != nil && r == nil {
		err = fmt.Errorf("tracenorm: %w", err)
	}
	return r, err
}

func (p Problem[T]) run(ctx context.Context, c Config, state io.Reader) (*Result[T], error) {
	t, err := p.training(ctx, c, state)
	if err != nil {
		return nil, err
	}
	return p.finish(ctx, t, state)
}

// training returns the training for the problem, at its start.
func (p Problem[T]) training(ctx context.Context, c Config, state io.Reader) (*training[T], error) {
	if state != nil && p.Start != nil {
		return nil, fmt.Errorf("a state to resume from, and Start: need one of them")
	}
	c, b, err := p.base(ctx, c)
	if err != nil {
		return nil, err
	}
	t := newTraining(c, b)
	if p.Start != nil {
		err = t.start(p.Start)
	}
	return t, err
}

// base returns c with all defaults and what trainings have whatever their steps are.
func (p Problem[T]) base(ctx context.Context, c Config) (Config, nuclear.Base[T], error) {
	var b nuclear.Base[T]
	if ctx == nil {
		return c, b, fmt.Errorf("no context")
	}
	c, data, err := p.prepare(c)
	if err != nil {
		return c, b, err
	}
	b, err = nuclear.New(nuclear.Penalty{Lambda1: c.Lambda1, Lambda2: c.Lambda2}, data, c.Tol, c.Workers)
	if err == nil && c.Lambda1 == 0 && c.Lambda2 == 0 {
		c.Lambda1 = max(b.AtZero()/2000, 1/largest)
		c.Lambda2 = c.Lambda1 / 10
		b.Penalty = nuclear.Penalty{Lambda1: c.Lambda1, Lambda2: c.Lambda2}
	}
	return c, b, err
}

// finish runs a training to its end.
func (p Problem[T]) finish(ctx context.Context, t *training[T], state io.Reader) (*Result[T], error) {
	id, shared := identity(t.Config, t.Data), ascent.Shared{Tol: t.Tol, Epochs: t.Epochs, Progress: t.Progress,
		Checkpoint: t.Checkpoint}
	end, err := ascent.Run(ctx, t, shared, id, state, nil, func(v train.Variables[T]) (any, error) {
		m, err := model(&t.Base, v, p.Names)
		if err != nil {
			return nil, err
		}
		return m.WithNotes(id.Notes(nil)), nil
	})
	if end.Status == solvers.Running {
		return nil, err
	}
	r, wrong := result(&t.Base, p.Names, id, end)
	if wrong != nil {
		return nil, wrong
	}
	return r, err
}
