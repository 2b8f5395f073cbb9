package tracenorm

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/tracenorm/internal/rankone"
	"github.com/dualgap/dualgap/vec"
)

// RankOneOptions says how RankOne goes. The zero value of each field is its default.
type RankOneOptions struct {
	Steps int // at most; default: 1000
	Every int // steps between two certificates; default: 10
}

// Step is where RankOne was after some steps.
type Step struct {
	Steps, Atoms int           // atoms: those with a weight, which the rank cannot exceed
	Primal, Dual float64       // of the certificate, in float64
	Passes       float64       // over the data
	Elapsed      time.Duration // in the steps alone
}

// RankOne runs the paper's own method, rank-one descent, Algorithm 4.1: a step adds an atom, the top pair of singular
// vectors of the gradient, by a line search, or finds the best weights of all atoms, (8), by a quasi-Newton method with
// bounds, and drops those with none. It is here to repeat the paper's figures, and for comparison; to train, use Fit.
//
// The paper stops where its conditions C1 and C2 hold with some epsilon. Here these halve epsilon, and the certificate
// stops: the Status is Converged where one finds the relative gap within Config.Tol, else EpochLimit behind the last
// step. Start, Checkpoint and Progress are not used.
func (p Problem[T]) RankOne(ctx context.Context, c Config, options RankOneOptions) (*Result[T], []Step, error) {
	if ctx == nil {
		return nil, nil, fmt.Errorf("%s: no context", name)
	}
	t, b, err := p.base(c)
	if err == nil && (options.Steps < 0 || options.Every < 0) {
		err = fmt.Errorf("Steps = %d, Every = %d, need at least 0", options.Steps, options.Every)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("tracenorm: %w", err)
	}
	d := rankone.New(b)
	s := train.Steps[T]{Tol: b.Tol, Size: d.N, Most: cmp.Or(options.Steps, 1000), Every: cmp.Or(options.Every, 10)}
	s.Look = s.Every
	var steps []Step
	s.Method = logged[T]{d, func() {
		steps = append(steps, Step{Atoms: d.Atoms(), Passes: float64(d.Visited) / float64(d.N)})
	}}
	s.Advance = func(count int) (done int) {
		for ; done < count && ctx.Err() == nil; done++ {
			d.Step()
		}
		return done
	}
	end, history, stopped := s.Run(ctx)
	for q, h := range history {
		steps[q].Steps, steps[q].Primal, steps[q].Dual, steps[q].Elapsed = h.Steps, h.Certificate.Primal,
			h.Certificate.Dual, h.Elapsed
	}
	if end.Status == solvers.Running {
		return nil, steps, fmt.Errorf("tracenorm: %w", stopped)
	}
	end.Visits, end.Passes = d.Visited, float64(d.Visited)/float64(d.N)
	id := t.identity(&d.Base)
	id.Settings += ", rank-one descent"
	m, err := model(&d.Base, end.Primal, p.Names, id.Notes(&end.Outcome))
	if err != nil {
		return nil, steps, fmt.Errorf("tracenorm: %w", err)
	}
	return result(&d.Base, m, end), steps, stopped
}

// logged is a descent that tells of its certificates.
type logged[T vec.Float] struct {
	*rankone.Descent[T]
	tell func()
}

func (t logged[T]) Certify() (solvers.Certificate, error) {
	defer t.tell()
	return t.Descent.Certify()
}
