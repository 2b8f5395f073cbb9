package tracenorm

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/vec"
)

// TestEndAnywhere: wherever the context of a training ends, a state is saved from which training goes on to the same
// bits.
func TestEndAnywhere(t *testing.T) { prove.Both(t, testEndAnywhere[float32], testEndAnywhere[float64]) }

func testEndAnywhere[T vec.Float](t *testing.T) {
	for k, r := range resumables[T](t) {
		p, c := r.make(t), r.c
		c.Workers = 1 + k%2
		holds := statetest.Anywhere(t, fmt.Sprintf("%s, %d workers", r.name, c.Workers), 8,
			func(ctx context.Context, s statetest.Stop) (string, *solvers.Outcome, error) {
				c.Epochs, c.Checkpoint = s.Epochs, s.Checkpoint
				var r *Result[T]
				var err error
				if s.State == nil {
					r, err = p.Fit(ctx, c)
				} else {
					r, err = p.Resume(ctx, s.State, c)
				}
				if r == nil {
					return "", nil, err
				}
				u, v := r.Factors()
				return statetest.End(r.Outcome, r.Spectrum, r.Duals.Data, u.Data, v.Data), &r.Outcome, err
			})
		if holds < 10 {
			t.Errorf("%s: %d looks before work that takes long", r.name, holds)
		}
	}
}

// TestLooksOften: between two looks at the context a training asks for no examples at all: what it does takes long.
func TestLooksOften(t *testing.T) {
	s := draw(23, 2400, 5, 3)
	for name, x := range forms[float64](t, s) {
		looks := statetest.EndAt(0)
		p := Problem[float64]{X: statetest.Counted[float64]{Matrix: x, Looks: looks}, Y: s.y}
		c := Config{Lambda1: .01, Lambda2: .001, Tol: 1e-5, Workers: 1}
		c.Checkpoint.Save = func(func(io.Writer) error) error { return nil }
		if r, err := p.Fit(looks, c); err != nil || looks.Most() > 0 {
			t.Errorf("%s: %s, %v, %d rows between two looks, want none", name, told(r), err, looks.Most())
		}
	}
}
