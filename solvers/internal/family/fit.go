// Package family is what families of solvers share around their methods: how a Fit runs, examples and labels that are
// checked, memory that is told.
package family

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// Training is a problem that a family has checked, with how to train on it to a model M and a result R.
type Training[T vec.Float, M, R any] interface {
	Identity() train.Identity
	Obeys() solvers.Options // with all defaults

	// Begin returns the method at its start, all 0. start, where it is not nil, sets the method to what the training is
	// to start from, and returns the certificate of that: one that is good enough ends the training without a step.
	Begin() (m train.Method[T], start func() (train.Beginning[T], error), err error)

	// Model returns the model of variables. What its file says of it are the notes. Result is what Fit returns.
	Model(v train.Variables[T], notes map[string]string) (M, error)
	Result(m M, end train.Ended[T]) *R
}

// Fit is the Fit of a family: prepare makes a training of a Config and its Options. Where there is a result and an
// error, that is why the training ended: the context, or a checkpoint that could not be saved.
func Fit[T vec.Float, C, M, R any, P Training[T, M, R]](ctx context.Context, family string,
	prepare func(C, solvers.Options) (P, error), c C, o solvers.Options) (*R, error) {
	return fit(ctx, family, nil, prepare, c, o)
}

// Resume is the Resume of a family.
func Resume[T vec.Float, C, M, R any, P Training[T, M, R]](ctx context.Context, family string, state io.Reader,
	prepare func(C, solvers.Options) (P, error), c C, o solvers.Options) (*R, error) {
	if state == nil {
		return nil, fmt.Errorf("%s: no state to resume from", family)
	}
	return fit(ctx, family, state, prepare, c, o)
}

func fit[T vec.Float, C, M, R any, P Training[T, M, R]](ctx context.Context, family string, state io.Reader,
	prepare func(C, solvers.Options) (P, error), c C, o solvers.Options) (*R, error) {
	if ctx == nil {
		return nil, fmt.Errorf("%s: no context", family)
	}
	t, err := prepare(c, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", family, err)
	}
	r, err := Run(ctx, t, state)
	if r == nil {
		err = fmt.Errorf("%s: %w", family, err)
	}
	return r, err
}

// Run runs a training from its start, or from state if that is not nil.
func Run[T vec.Float, M, R any](ctx context.Context, t Training[T, M, R], state io.Reader) (*R, error) {
	m, start, err := t.Begin()
	if err != nil {
		return nil, err
	}
	o, id, clock := t.Obeys(), t.Identity(), train.Clock[T]{}
	switch {
	case state != nil && start != nil:
		err = fmt.Errorf("a state to resume from, and Start: want one of them")
	case state != nil:
		err = train.Resume(state, id, &clock, m)
	case start != nil:
		var from train.Beginning[T]
		switch from, err = start(); {
		case err == nil:
			err = clock.Start(from, o.Tol, m)
		case errors.Is(err, train.ErrRounding): // training goes on from there, and what it finds is not known yet
			err = nil
		}
	}
	if err != nil {
		return nil, err
	}
	end, err := train.Run(ctx, m, train.Options[T]{Options: o, Identity: id,
		Model: func(v train.Variables[T]) (any, error) { return t.Model(v, id.Notes(nil)) }}, &clock)
	if end.Status == solvers.Running { // there is no certificate
		return nil, err
	}
	model, wrong := t.Model(end.Primal, id.Notes(&end.Outcome))
	if wrong != nil {
		return nil, wrong
	}
	return t.Result(model, end), err
}
