package toprank

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/train"
)

// Step is where Pairs or Gradient was after some steps.
type Step struct {
	Steps        int
	Primal, Dual float64       // of Pairs those of the variables at hand; of Gradient the best so far
	Elapsed      time.Duration // in the steps alone, for Pairs without evaluations
}

// limits sets how many steps there are and how often they are told, or says what is wrong with these options.
func limits(m *train.Steps, steps, every int) error {
	if steps < 0 || every < 0 {
		return fmt.Errorf("Steps = %d, Every = %d, need at least 0", steps, every)
	}
	m.Most = cmp.Or(steps, m.Most)
	m.Every = cmp.Or(every, m.Every, m.Most)
	m.Look = cmp.Or(m.Look, m.Every)
	return nil
}

// compare runs a method that is here for comparison. end returns the training with its solution, and may set what the
// outcome says of that.
func (p Problem[T]) compare(ctx context.Context, o *objective, name string, m train.Steps,
	end func(*solvers.Outcome) (*base[T], error)) (*Result[T], []Step, error) {
	m.Tol, m.Size = o.config.Tol, len(o.Positive)
	outcome, history, stopped := m.Run(ctx)
	var steps []Step
	for _, q := range history {
		steps = append(steps, Step{q.Steps, q.Certificate.Primal, q.Certificate.Dual, q.Elapsed})
	}
	if outcome.Status == solvers.Running {
		return nil, steps, fmt.Errorf("toprank: %w", stopped)
	}
	id := p.identity(o.config)
	id.Settings += ", " + name
	s, err := end(&outcome)
	if err != nil {
		return nil, steps, fmt.Errorf("toprank: %w", err)
	}
	r, err := p.result(s, outcome, id)
	if err != nil {
		return nil, steps, fmt.Errorf("toprank: %w", err)
	}
	return r, steps, stopped
}
