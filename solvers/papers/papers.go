package papers

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/dualgap/dualgap/solvers"
)

// Options says how long a method runs and how often it tells where it is.
type Options struct {
	Steps int // at most; default: what the method says
	Every int // steps between two entries of the history; default: what the method says
}

// Step is an entry of the history: where a method was after some steps.
type Step struct {
	Steps int

	// What the method knows of the optimum: Primal is +Inf, and Dual -Inf, where it knows nothing.
	solvers.Certificate

	Count   int           // what the method counts besides steps: see there
	Passes  float64       // over the data
	Elapsed time.Duration // in the steps alone
}

// End is how a method ended: Converged, EpochLimit behind the last step, Stalled where numbers of this precision allow
// no more progress, or Canceled, with its history from the start to the end.
type End struct {
	Status solvers.Status
	Steps  []Step
}

// Last returns the last entry of the history.
func (e End) Last() Step { return e.Steps[len(e.Steps)-1] }

// WithDefaults returns o with defaults for what is 0 in it, or what is wrong with it.
func (o Options) WithDefaults(steps, every int) (Options, error) {
	if o.Steps < 0 || o.Every < 0 {
		return o, fmt.Errorf("Steps = %d, Every = %d, want at least 0", o.Steps, o.Every)
	}
	return Options{cmp.Or(o.Steps, steps), cmp.Or(o.Every, every)}, nil
}

// Method is a method under way.
type Method interface {
	// Take takes steps and returns how many: fewer than asked for, but at least one, where a part of the method is
	// over, and any number where ctx ends.
	Take(ctx context.Context, steps int) (done int)

	// Look returns where the method is, but for Steps and Elapsed.
	Look() (Step, error)
}

// Stopper is a method with a stop of its own.
type Stopper interface {
	Method

	// Stopped returns Running until the method has ended, and how it ended then.
	Stopped() solvers.Status
}

// Run takes o.Steps steps, or fewer where one of its looks, each o.Every steps, finds a relative gap of tol, or where
// it is a Stopper and stops. The error is what Look returns, or ctx.Err().
func Run(ctx context.Context, m Method, o Options, tol float64) (end End, err error) {
	var spent time.Duration
	for done := 0; ; {
		now, err := m.Look()
		if err != nil {
			return end, fmt.Errorf("after %d steps %w", done, err)
		}
		now.Steps, now.Elapsed = done, spent
		end.Steps = append(end.Steps, now)
		switch {
		case now.RelativeGap() <= tol:
			end.Status = solvers.Converged
			return end, nil
		case stopped(m) != solvers.Running:
			end.Status = stopped(m)
			return end, nil
		case done >= o.Steps:
			end.Status = solvers.EpochLimit
			return end, nil
		case ctx.Err() != nil:
			end.Status = solvers.Canceled
			return end, ctx.Err()
		}
		begin := time.Now()
		taken := m.Take(ctx, min(o.Every, o.Steps-done))
		if taken == 0 {
			end.Status = solvers.Canceled
			return end, ctx.Err()
		}
		done, spent = done+taken, spent+time.Since(begin)
	}
}

func stopped(m Method) solvers.Status {
	if s, ok := m.(Stopper); ok {
		return s.Stopped()
	}
	return solvers.Running
}
