// Package rankone has the trace-norm paper's own method, rank-one descent, Algorithm 4.1, line by line. With
//
//	W = sum_i theta_i u_i v_iᵀ,   theta >= 0,   |u_i| = |v_i| = 1
//
// it minimises (7), the objective with sum_i theta_i in the place of |W|_*, which is the least such sum:
//
//	I(theta) = lambda1 sum_i theta_i + R(W),   R(W) = lambda2 |W|_F² + 1/n sum_i L(Wᵀ x_i, y_i)
//
// It stops by the paper's conditions with its epsilon, of all matrices u vᵀ of unit vectors and of those with a weight:
//
//	(C1)  uᵀ grad R(W) v >= -lambda1 - epsilon,   that is |grad R(W)|_op <= lambda1 + epsilon
//	(C2)  |u_iᵀ grad R(W) v_i + lambda1| <= epsilon
//
// A step costs one product with all examples, Xᵀ A, and one with a vector, X u: the scores X W are kept, and change by
// matrices of rank one. Package tracenorm has the problem and the paper's name, and a method that reaches small gaps.
package rankone

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/nuclear"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/vec"
)

// Problem is lambda1 |W|_* + lambda2 |W|_F² + 1/n sum_i L(Wᵀ x_i, y_i), for examples as they are.
type Problem[T vec.Float] struct {
	X                design.Matrix[T]
	Y                []int // the class of each example, in 0..Classes-1
	Classes          int
	Lambda1, Lambda2 float64 // one of them above 0
}

// Options says how the method goes.
type Options struct {
	papers.Options         // Steps are 200 by default, as in the paper's experiments, and Every is 10
	Epsilon        float64 // of (C1) and (C2), in the unit of lambda1, > 0; default: .035, the paper's
	Tol            float64 // a certificate with this relative gap ends it too; default: none does
	Workers        int     // goroutines; default: all cores
}

// Result is where the method ended: a model of the rank that its certificate is of, the last one. The Status is
// Converged where (C1) and (C2) hold, or with Tol where the gap is small enough, and Stalled where neither an atom nor
// other weights lower I in this precision. The Count of an entry of the history is how many atoms have a weight, which
// the rank cannot exceed. Passes are scores and gradient of all examples: a gradient is a half, X u a half over m.
type Result[T vec.Float] struct {
	*linear.LowRank[T]
	papers.End
	Spectrum []float64     // the singular values of W, descending
	Duals    vec.Matrix[T] // as in package tracenorm
}

// Solve runs the method from W = 0. When ctx ends it returns the result so far and ctx.Err(). A step takes O(n d m),
// and O(n m) for each length that its line search tries; the weights of s atoms take O(n m s) an evaluation. Memory
// beside the examples: O((n + d) (m + s)).
func Solve[T vec.Float](ctx context.Context, p Problem[T], o Options) (*Result[T], error) {
	results, err := Path(ctx, p, []float64{p.Lambda1}, o)
	if results == nil {
		return nil, err
	}
	return results[0], err
}

// Path is the paper's regularization path: it runs the method for each lambda1, in the order given, which in the paper
// descends geometrically, lambda1 = l0 aᵏ with a < 1. Each but the first begins at the atoms and weights where the one
// before has ended. p.Lambda1 is not read. The history of a result begins at 0 steps, passes and time. When ctx ends
// Path returns the results so far, the last one of them canceled, and ctx.Err().
func Path[T vec.Float](ctx context.Context, p Problem[T], lambda1 []float64, o Options) ([]*Result[T], error) {
	d, o, err := begin(ctx, p, lambda1, o)
	if err != nil {
		return nil, fmt.Errorf("rankone: %w", err)
	}
	var results []*Result[T]
	for _, l := range lambda1 {
		d.restart(l)
		end, stopped := papers.Run(ctx, d, o.Options, cmp.Or(o.Tol, math.Inf(-1)))
		if end.Status == solvers.Running {
			return nil, fmt.Errorf("rankone: Lambda1 = %v: %w", l, stopped)
		}
		m, err := linear.NewLowRank(d.U, d.V, nil, nil)
		if err != nil {
			return nil, fmt.Errorf("rankone: Lambda1 = %v: %w", l, err)
		}
		results = append(results, &Result[T]{m, end, d.Spectrum, d.best.Copy().A})
		if stopped != nil {
			return results, stopped
		}
	}
	return results, nil
}

// begin returns the method at its start and o with its defaults, or what is wrong with p, lambda1 or o.
func begin[T vec.Float](ctx context.Context, p Problem[T], lambda1 []float64, o Options) (*descent[T], Options, error) {
	n, _, err := design.Validate(p.X)
	if err != nil {
		return nil, o, err
	}
	switch {
	case ctx == nil:
		return nil, o, fmt.Errorf("no context")
	case p.Classes < 2:
		return nil, o, fmt.Errorf("Classes = %d, want at least 2", p.Classes)
	case len(lambda1) == 0:
		return nil, o, fmt.Errorf("0 numbers Lambda1, want at least 1")
	case !(o.Epsilon >= 0) || math.IsInf(o.Epsilon, 1):
		return nil, o, fmt.Errorf("Epsilon = %v, want a positive number", o.Epsilon)
	case !(o.Tol >= 0):
		return nil, o, fmt.Errorf("Tol = %v, want a positive number", o.Tol)
	}
	for _, l := range lambda1 {
		if !(l >= 0 && p.Lambda2 >= 0 && l+p.Lambda2 > 0) || math.IsInf(l+p.Lambda2, 1) {
			return nil, o, fmt.Errorf("Lambda1 = %v, Lambda2 = %v, want none below 0 and one above", l, p.Lambda2)
		}
	}
	labels := family.Labels{One: p.Y}
	if _, err := labels.Outputs(n, p.Classes, "Classes"); err != nil {
		return nil, o, err
	}
	o.Epsilon = cmp.Or(o.Epsilon, .035)
	if o.Options, err = o.Options.WithDefaults(200, 10); err != nil {
		return nil, o, err
	}
	if o.Workers, err = parallel.Cores(o.Workers, n); err != nil {
		return nil, o, err
	}
	data := risk.Data[T]{Y: p.Y, Classes: p.Classes}
	if data.X, err = design.WithColumns(design.Sparse(p.X)); err != nil {
		return nil, o, err
	}
	b, err := nuclear.New(nuclear.Penalty{Lambda1: lambda1[0], Lambda2: p.Lambda2}, data,
		solvers.Options{Tol: cmp.Or(o.Tol, 1e-3), Workers: o.Workers}) // which the rank of W goes by
	if err != nil {
		return nil, o, err
	}
	return newDescent(b, o.Epsilon), o, nil
}
