package tracenorm

import (
	"fmt"
	"sync"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/nuclear"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// prepared is a problem that has been checked: what all methods begin with.
type prepared[T vec.Float] struct {
	Problem[T]
	c    Config // with all defaults but the lambdas'
	o    solvers.Options
	n, d int // d with the constant feature
}

// prepare returns p with what c asks for, or what is wrong with them.
func (p Problem[T]) prepare(c Config) (*prepared[T], error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	o, n, d, err := family.Begin(c.options(), p.X, nil, c.Bias)
	if err != nil {
		return nil, err
	}
	if p.Y == nil {
		return nil, fmt.Errorf("no labels: need Y")
	}
	labels := family.Labels{One: p.Y}
	if c.Classes, err = labels.Named(n, c.Classes, p.Names); err != nil {
		return nil, err
	}
	if err = family.CheckSizes(n, d, c.Classes, 0); err != nil {
		return nil, err
	}
	if p.Weights != nil {
		if _, err = family.Radii[T](1, "the mean loss", &labels, p.Weights, nil, c.Classes); err != nil {
			return nil, err
		}
	}
	if c.Bias != 0 {
		d++
	}
	rank := min(d, c.Classes)
	if c.Rank > rank {
		return nil, fmt.Errorf("Rank = %d, but weights of %d features for %d classes have at most %d", c.Rank, d,
			c.Classes, rank)
	}
	if c.Rank == 0 {
		c.Rank = rank
	}
	return &prepared[T]{Problem: p, c: c, o: o, n: n, d: d}, nil
}

// base returns what trainings of p have, whatever their steps are.
func (p Problem[T]) base(c Config) (*prepared[T], nuclear.Base[T], error) {
	var b nuclear.Base[T]
	t, err := p.prepare(c)
	if err != nil {
		return nil, b, err
	}
	data := risk.Data[T]{Y: p.Y, Classes: t.c.Classes, Weights: p.Weights, Bias: T(c.Bias)}
	if data.X, err = design.WithColumns(design.Sparse(p.X)); err != nil {
		return nil, b, err
	}
	if !c.Raw {
		data.Center(t.o.Workers)
	}
	b, err = nuclear.New(nuclear.Penalty{Lambda1: c.Lambda1, Lambda2: c.Lambda2}, data, t.o)
	if err == nil && c.Lambda1 == 0 && c.Lambda2 == 0 {
		lambda1 := max(b.AtZero()/2000, 1/largest)
		b.Penalty = nuclear.Penalty{Lambda1: lambda1, Lambda2: lambda1 / 10}
	}
	return t, b, err
}

// training returns the training of p that c asks for, at its start.
func (p Problem[T]) training(c Config) (*training[T], error) {
	given, b, err := p.base(c)
	if err != nil {
		return nil, err
	}
	t := newTraining(given, b)
	if p.Start != nil {
		err = t.start(p.Start)
	}
	return t, err
}

// Identity: see family.Training, as of the next ones.
func (t *training[T]) Identity() train.Identity { return t.given.identity(&t.Base) }

// identity says what a training is of.
func (p *prepared[T]) identity(b *nuclear.Base[T]) train.Identity {
	settings := fmt.Sprintf("lambda1 %v, lambda2 %v, raw %t, bias %v, rank %d, tolerance %v, seed %d, workers %d",
		b.Lambda1, b.Lambda2, p.c.Raw, p.c.Bias, p.c.Rank, p.o.Tol, p.o.Seed, p.o.Workers)
	data := family.Data[T]{X: b.Data.X, Constant: b.Data.Bias, Labels: family.Labels{One: b.Data.Y},
		Outputs: b.Data.Classes, Weights: b.Data.Weights}
	return train.Identity{Family: name, Settings: settings,
		Data: sync.OnceValue(func() []byte { return data.Fingerprint() })}
}

func (t *training[T]) Obeys() solvers.Options { return t.given.o }

func (t *training[T]) Begin() (train.Method[T], func() (solvers.Certificate, error), error) {
	return t, nil, nil
}

func (t *training[T]) Model(v train.Variables[T], notes map[string]string) (*Model[T], error) {
	return model(&t.Base, v, t.given.Names, notes)
}

func (t *training[T]) Result(m *Model[T], end train.Ended[T]) *Result[T] {
	return result(&t.Base, m, end)
}
