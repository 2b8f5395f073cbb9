package main

import (
	"context"
	"io"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// runs trains a family's problem with a Config C, to a Result R.
type runs[T vec.Float, C, R any] struct {
	problem interface {
		Fit(context.Context, C) (*R, error)
		Resume(context.Context, io.Reader, C) (*R, error)
		Memory(C) (solvers.Memory, error)
	}
	with func(shared, C) C                               // sets what all families share
	end  func(c C, r *R, err error) (*trained[T], error) // r is not nil
}

// fit trains with the parameters of c.
func (f runs[T, C, R]) fit(c C) fitting[T] {
	return func(ctx context.Context, s shared, state io.Reader) (*trained[T], error) {
		var r *R
		var err error
		if state != nil {
			r, err = f.problem.Resume(ctx, state, f.with(s, c))
		} else {
			r, err = f.problem.Fit(ctx, f.with(s, c))
		}
		if r == nil {
			return nil, err
		}
		return f.end(c, r, err)
	}
}

// memory is what that takes.
func (f runs[T, C, R]) memory(c C) func(shared) (solvers.Memory, error) {
	return func(s shared) (solvers.Memory, error) { return f.problem.Memory(f.with(s, c)) }
}

// walk measures the points P of one path, and adds them to found: their parameters, and how to train with these.
func walk[T vec.Float, P any](found *search[T], s shared, path func(shared) ([]P, error),
	add func(P) ([]float64, solvers.Validation, fitting[T])) error {
	if found.only != nil && found.only.path != found.walked {
		found.walked++
		return nil
	}
	points, err := path(found.begin(s))
	if err != nil {
		return err
	}
	for place, at := range points {
		values, v, fit := add(at)
		found.points = append(found.points, point[T]{values, v, fit, found.walked, place})
	}
	found.end()
	return nil
}
