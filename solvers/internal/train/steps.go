package train

import (
	"context"
	"fmt"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// Steps is a method that goes by steps of its own, with a history: one that is there for comparison.
type Steps[T vec.Float] struct {
	Tol    float64 // relative gap to stop at
	Most   int     // steps at most
	Every  int     // steps between two points of the history
	Look   int     // steps between two certificates, a divisor of Every
	Visits int     // of examples in a step
	Size   int     // number of examples

	Method  Certified[T]
	Advance func(steps int) (done int) // less where the context ends before
}

// Point is a point of a history.
type Point struct {
	Steps       int
	Certificate solvers.Certificate
	Elapsed     time.Duration // in Advance alone
}

// Run goes on to the end, and returns the best. The epochs of the outcome are steps. Where a certificate is an error
// the status is Running.
func (s Steps[T]) Run(ctx context.Context) (end Ended[T], history []Point, err error) {
	var spent time.Duration
	var b best[T]
	b.begin(s.Method.Zero())
	outcome := solvers.Outcome{Tol: s.Tol}
	for done := 0; outcome.Status == solvers.Running; {
		c, err := s.Method.Certify()
		if err == nil {
			_, err = b.add(c, done, s.Method)
		}
		if err != nil {
			return end, history, fmt.Errorf("after %d steps %w", done, err)
		}
		outcome.Epochs, outcome.Visits = done, s.Visits*done
		switch {
		case b.certificate().RelativeGap() <= s.Tol:
			outcome.Status = solvers.Converged
		case done >= s.Most:
			outcome.Status = solvers.EpochLimit
		case ctx.Err() != nil:
			outcome.Status = solvers.Canceled
		}
		over := outcome.Status != solvers.Running
		if done%s.Every == 0 || over {
			history = append(history, Point{done, c, spent})
		}
		if !over {
			b.keep()
			begin := time.Now()
			done += s.Advance(min(s.Look, s.Most-done))
			spent += time.Since(begin)
		}
	}
	outcome.Passes = float64(outcome.Visits) / float64(s.Size)
	if outcome.Status == solvers.Canceled {
		err = ctx.Err()
	}
	return b.end(outcome), history, err
}
