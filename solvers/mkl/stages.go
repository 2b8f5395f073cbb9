package mkl

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/solvers/mkl/internal/obscure"
	"github.com/dualgap/dualgap/vec"
)

// StageOptions says how the paper's two stages go.
type StageOptions struct {
	Online int     // passes over the data of stage 1; default: 1
	Batch  int     // passes of stage 2; default: none
	Eta    float64 // the step of stage 1, > 0; default: 2, as in the paper
	Every  int     // steps between two points of the history; default: a pass
}

// Stage is a point in the history of the paper's stages.
type Stage struct {
	Steps   int           // of both stages
	Moves   int           // of these, at examples with a loss
	Batch   bool          // whether it is one of stage 2
	Primal  float64       // the objective, in T
	R       float64       // (10): of stage 1 the bound of |w| that stage 2 would take; of stage 2 the one it took
	Elapsed time.Duration // of the steps alone
}

// Stages trains by the paper's own method, Algorithms 1 and 2: for comparison, since Fit is many times faster and knows
// when to end. Of c it reads P, C, Classes, Seed and, for objectives and the certificate, Workers; K > 1, another Loss,
// Weights, Start, Progress and Checkpoint are errors.
//
// It returns the history as well. The result's certificate has the dual value of what is feasible of the coefficients,
// times the best multiple: far from the primal one, as a rule. Its Status is EpochLimit, unless that is within Tol.
// When ctx ends it returns the model so far and ctx.Err(). There are no states to go on from: stages that were cut
// short begin anew.
//
// A step costs O(n F), and O(1) for each coefficient that is not 0; rows of the kernels are computed 64 at a time.
func (p Problem[T]) Stages(ctx context.Context, c Config, o StageOptions) (*Result[T], []Stage, error) {
	if ctx == nil {
		return nil, nil, fmt.Errorf("mkl: no context")
	}
	t, err := p.prepare(c)
	if err == nil {
		c = t.c
		o, err = p.stageOptions(c, o)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("mkl: %w", err)
	}
	n := p.Bundle.Len()
	best := staged[T]{primal: math.Inf(1)}
	method := obscure.New(obscure.Problem[T]{Bundle: p.Bundle, Y: p.Y, Classes: c.Classes, P: c.P,
		Lambda: 1 / (c.C * float64(n))}, c.Seed)
	b := vec.NewMatrix[T](n, c.Classes)
	var history []Stage
	now := Stage{R: math.Inf(1)}
	take := func(passes int, steps func(steps int) int) error {
		for left := passes * n; left > 0 && ctx.Err() == nil; left -= o.Every {
			count, start := min(o.Every, left), time.Now()
			now.Moves += steps(count)
			now.Elapsed += time.Since(start)
			now.Steps += count
			if now.Primal, err = p.objective(t, method, b); err != nil || now.Primal-now.Primal != 0 {
				return fmt.Errorf("numbers outgrew %T within %d steps: scale the kernels down, lower C, Eta = %v, or "+
					"use float64", T(0), now.Steps, o.Eta)
			}
			if !now.Batch {
				now.R = math.Sqrt(2 * now.Primal)
			}
			if history = append(history, now); now.Primal < best.primal {
				best = staged[T]{now.Primal, now.Steps, method.Weights(),
					vec.MatrixOf(n, c.Classes, slices.Clone(b.Data))}
			}
		}
		return nil
	}
	if err = take(o.Online, func(steps int) int { return method.Online(ctx, steps, o.Eta) }); err == nil {
		now.Batch = true
		err = take(o.Batch, func(steps int) int { return method.Batch(ctx, steps, now.R) })
	}
	if err != nil {
		return nil, nil, fmt.Errorf("mkl: %w", err)
	}
	if best.weights == nil { // no step
		best = staged[T]{0, 0, method.Weights(), b}
	}
	passes := func(steps int) int { return (steps + n - 1) / n }
	r, err := p.staged(t, best, solvers.Outcome{
		Status: solvers.EpochLimit, Tol: t.o.Tol, Epochs: passes(now.Steps), ModelEpoch: passes(best.steps),
		Visits: now.Steps,
		Passes: float64(now.Steps) / float64(n),
	})
	if err != nil {
		return nil, nil, fmt.Errorf("mkl: %w", err)
	}
	return r, history, ctx.Err()
}

// staged is a model of the stages, with its primal value in T.
type staged[T vec.Float] struct {
	primal  float64
	steps   int
	weights []float64
	b       vec.Matrix[T] // coefficients
}

// stageOptions returns o with its defaults, or what is wrong with it, or with the rest.
func (p Problem[T]) stageOptions(c Config, o StageOptions) (StageOptions, error) {
	if o.Online == 0 {
		o.Online = 1
	}
	if o.Eta == 0 {
		o.Eta = 2
	}
	if o.Every == 0 {
		o.Every = p.Bundle.Len()
	}
	switch {
	case o.Online < 0 || o.Batch < 0 || o.Every < 0:
		return o, fmt.Errorf("Online = %d, Batch = %d and Every = %d, need none below 0", o.Online, o.Batch, o.Every)
	case !(o.Eta > 0) || math.IsInf(o.Eta, 1):
		return o, fmt.Errorf("Eta = %v, need a positive number", o.Eta)
	case c.K > 1 || c.Loss != TopKHinge:
		return o, fmt.Errorf("the paper's stages with %v and K = %d: they have the multi-class hinge", c.Loss, c.K)
	case p.Weights != nil || p.Start != nil || c.Progress != nil || c.Checkpoint.Save != nil:
		return o, fmt.Errorf("the paper's stages with Weights, Start, Progress or Checkpoint: they have none")
	}
	return o, nil
}

// objective returns the primal objective of the method's model, in T.
func (p Problem[T]) objective(t *prepared[T], method *obscure.Solver[T], b vec.Matrix[T]) (float64, error) {
	method.Coefficients(b)
	model, err := kernel.NewCombination(p.Bundle, method.Weights(), b, nil)
	if err != nil {
		return 0, err
	}
	scores := vec.NewMatrix[T](b.Rows, b.Cols)
	model.ScoresOf(scores, p.Bundle, nil, nil, t.o.Workers)
	hinge, sum := lossOf[T](t.c), 0.0
	var work loss.Workspace[T]
	for i := range scores.Rows {
		sum += hinge.Primal(scores.Row(i), p.Y[i:i+1], &work)
	}
	return method.Square()/2 + t.c.C*sum, nil
}

// staged returns the best model of the method, or all weights 0, and its certificate: where a coefficient has the sign
// of a dual variable it is one, and a multiple of all of them is feasible.
func (p Problem[T]) staged(t *prepared[T], best staged[T], o solvers.Outcome) (*Result[T], error) {
	err := t.begin()
	if err != nil {
		return nil, err
	}
	s := t.solver
	a := vec.NewMatrix[T](best.b.Rows, best.b.Cols)
	for i, y := range p.Y {
		for k, v := range best.b.Row(i) {
			if k != y && v < 0 {
				a.Row(i)[k] = v
				a.Row(i)[y] -= v
			}
		}
	}
	vec.Scale(T(s.BestMultiple(a)), a.Data)
	if o.Certificate, err = s.Evaluate(best.weights, best.b, a); err != nil {
		return nil, err
	}
	primal := s.Variables(best.weights, best.b)
	if zero := s.Zero().Primal; zero <= o.Certificate.Primal {
		o.Certificate.Primal, o.ZeroModel, o.ModelEpoch, primal = zero, true, 0, train.Variables[T]{}
	}
	if o.Certificate.RelativeGap() <= t.o.Tol {
		o.Status = solvers.Converged
	}
	settings := fmt.Sprintf("the paper's stages, p %v, C %v, seed %d", t.c.P, t.c.C, t.o.Seed)
	m, err := t.Model(primal, train.Identity{Family: name, Settings: settings}.Notes(&o))
	if err != nil {
		return nil, err
	}
	r := t.Result(m, train.Ended[T]{Outcome: o, Primal: primal,
		Dual: train.Variables[T]{Matrices: []vec.Matrix[T]{a}}})
	r.Steps, r.Rounds = 0, 0
	return r, nil
}
