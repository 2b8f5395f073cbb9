package obscure

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/vec"
)

// Problem is what the method solves.
type Problem[T vec.Float] struct {
	Bundle  *bundle.Bundle[T] // F kernels of n examples
	Y       []int             // the class of each example, in 0..Classes-1
	Classes int
	P       float64 // in (1, 2]; default: 1.25
	C       float64 // weight of the losses, > 0; default: 1
}

// Options says how the method goes.
type Options struct {
	// Steps are by default the steps of all passes, and Every is a pass. A stage ends with an entry of the history.
	papers.Options

	Online  int     // passes over the data of stage 1; default: 1
	Batch   int     // passes of stage 2; default: none
	Eta     float64 // the step of stage 1, > 0; default: 2, as in the paper
	Seed    uint64  // draws the order of the examples
	Workers int     // goroutines for the objectives of the history; default: all cores
}

// Result is the best model of the history, and how it got there. In the history Primal is the objective of package mkl,
// in T, Dual is 0, which is below all objectives, and Count is at how many examples a step found a loss and moved.
type Result[T vec.Float] struct {
	*bundle.Combination[T]
	papers.End

	// R is the bound of |w|, (10), that stage 2 took: the root of twice the objective where stage 1 ended.
	R float64
}

// Solve runs both stages. When ctx ends it returns the result so far and ctx.Err(). It is an error that says so where
// numbers outgrow T.
//
// A step costs O(n F), and O(1) for each coefficient that is not 0; rows of the kernels are computed 64 at a time.
func Solve[T vec.Float](ctx context.Context, p Problem[T], o Options) (*Result[T], error) {
	p, o, err := p.check(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("obscure: %w", err)
	}
	s := &stages[T]{method: begin(p, o.Seed), o: o, best: math.Inf(1)}
	end, stopped := papers.Run(ctx, s, o.Options, 0)
	if end.Status == solvers.Running {
		return nil, fmt.Errorf("obscure: %w", stopped)
	}
	return &Result[T]{s.model, end, s.bound}, stopped
}

// check returns p and o with their defaults, or what is wrong with them.
func (p Problem[T]) check(ctx context.Context, o Options) (Problem[T], Options, error) {
	p.P, p.C = cmp.Or(p.P, 1.25), cmp.Or(p.C, 1)
	o.Online, o.Eta = cmp.Or(o.Online, 1), cmp.Or(o.Eta, 2)
	switch {
	case ctx == nil:
		return p, o, fmt.Errorf("no context")
	case p.Bundle == nil:
		return p, o, fmt.Errorf("no Bundle")
	case p.Classes < 2:
		return p, o, fmt.Errorf("Classes = %d, want at least 2", p.Classes)
	case !(p.P > 1 && p.P <= 2):
		return p, o, fmt.Errorf("P = %v, want a number above 1 and at most 2", p.P)
	case o.Online < 0 || o.Batch < 0:
		return p, o, fmt.Errorf("Online = %d and Batch = %d, want none below 0", o.Online, o.Batch)
	}
	n, labels := p.Bundle.Len(), family.Labels{One: p.Y}
	_, err := labels.Outputs(n, p.Classes, "Classes")
	if err = cmp.Or(err, family.Positive("C", p.C), family.Positive("Eta", o.Eta)); err != nil {
		return p, o, err
	}
	if o.Options, err = o.Options.WithDefaults((o.Online+o.Batch)*n, n); err == nil {
		o.Workers, err = parallel.Cores(o.Workers, n)
	}
	return p, o, err
}

// stages are the two of them, one after the other, and the best model of all looks.
type stages[T vec.Float] struct {
	*method[T]
	o           Options
	done, moves int
	bound       float64 // sqrt(2 P) at the last look of stage 1
	best        float64 // the objective of
	model       *bundle.Combination[T]
}

func (s *stages[T]) Take(ctx context.Context, steps int) (done int) {
	moves := 0
	if rest := s.o.Online*s.n - s.done; rest > 0 {
		done, moves = s.online(ctx, min(steps, rest), s.o.Eta)
	} else {
		done, moves = s.batch(ctx, steps, s.bound)
	}
	s.done, s.moves = s.done+done, s.moves+moves
	return done
}

// Look computes the objective of the model as it is.
func (s *stages[T]) Look() (now papers.Step, err error) {
	b, sum := vec.NewMatrix[T](s.n, s.p.Classes), 0.0
	s.coefficients(b)
	model, err := bundle.NewCombination(s.p.Bundle, s.weights(), b, nil)
	if err == nil {
		scores := vec.NewMatrix[T](b.Rows, b.Cols)
		model.ScoresOf(scores, s.p.Bundle, nil, nil, s.o.Workers)
		for i, y := range s.p.Y {
			most := math.Inf(-1) // of the wrong classes
			for k, v := range scores.Row(i) {
				if k != y {
					most = max(most, float64(v))
				}
			}
			sum += max(0, 1-float64(scores.Row(i)[y])+most)
		}
		now.Primal = s.square()/2 + s.p.C*sum
	}
	if err != nil || now.Primal-now.Primal != 0 {
		return now, fmt.Errorf("numbers outgrew %T: scale the kernels down, lower C, Eta = %v, or use float64", T(0),
			s.o.Eta)
	}
	now.Count, now.Passes = s.moves, float64(s.done)/float64(s.n)
	if s.done <= s.o.Online*s.n {
		s.bound = math.Sqrt(2 * now.Primal)
	}
	if now.Primal < s.best {
		s.best, s.model = now.Primal, model
	}
	return now, nil
}
