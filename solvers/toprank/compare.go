package toprank

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// Step is where Pairs or Gradient was after some steps.
type Step struct {
	Steps        int
	Primal, Dual float64       // of Pairs those of the variables at hand; of Gradient the best so far
	Elapsed      time.Duration // in the steps alone, for Pairs without evaluations
}

// limits sets how many steps there are and how often they are told, or says what is wrong with these options.
func limits[T vec.Float](m *train.Steps[T], steps, every int) error {
	if steps < 0 || every < 0 {
		return fmt.Errorf("Steps = %d, Every = %d, need at least 0", steps, every)
	}
	m.Most = cmp.Or(steps, m.Most)
	m.Every = cmp.Or(every, m.Every, m.Most)
	m.Look = cmp.Or(m.Look, m.Every)
	return nil
}

// compare runs a method that is here for comparison. end, if not nil, changes what it ends with.
func (p Problem[T]) compare(ctx context.Context, o *objective, name string, m train.Steps[T],
	end func(*train.Ended[T]) error) (*Result[T], []Step, error) {
	m.Tol, m.Size = o.Tol, len(o.Positive)
	ended, history, stopped := m.Run(ctx)
	var steps []Step
	for _, q := range history {
		steps = append(steps, Step{q.Steps, q.Certificate.Primal, q.Certificate.Dual, q.Elapsed})
	}
	if ended.Status == solvers.Running {
		return nil, steps, fmt.Errorf("toprank: %w", stopped)
	}
	if end != nil {
		if err := end(&ended); err != nil {
			return nil, steps, fmt.Errorf("toprank: %w", err)
		}
	}
	t := &prepared[T]{p, o}
	id := t.Identity()
	id.Settings += ", " + name
	model, err := t.Model(ended.Primal, id.Notes(&ended.Outcome))
	if err != nil {
		return nil, steps, fmt.Errorf("toprank: %w", err)
	}
	return t.Result(model, ended), steps, stopped
}
