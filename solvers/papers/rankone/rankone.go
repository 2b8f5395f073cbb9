// Package rankone has the trace-norm paper's own method, rank-one descent, Algorithm 4.1: W = sum_i theta_i u_i v_iᵀ,
// theta >= 0, is a list of atoms of rank one, whose weights' sum takes the place of |W|_*. A step adds an atom, the top
// pair of singular vectors of the gradient, by a line search, or finds the best weights of all atoms, (8), by a
// quasi-Newton method with bounds, and drops those with none. Package tracenorm has the problem and the paper's name.
package rankone

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/nuclear"
	"github.com/dualgap/dualgap/solvers/internal/optim"
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
	papers.Options         // Steps are 1000 by default, and Every is 10
	Tol            float64 // a certificate with this relative gap ends it; default: 1e-3
	Workers        int     // goroutines; default: all cores
}

// Result is where the method ended: a model of the rank that its certificate is of, the last one. The Count of an entry
// of the history is how many atoms have a weight, which the rank cannot exceed.
type Result[T vec.Float] struct {
	*linear.LowRank[T]
	papers.End
	Spectrum []float64     // the singular values of W, descending
	Duals    vec.Matrix[T] // as in package tracenorm
}

// Solve runs the method. The paper stops where its conditions C1 and C2 hold with some epsilon; here these halve
// epsilon, and a certificate stops. When ctx ends it returns the result so far and ctx.Err().
func Solve[T vec.Float](ctx context.Context, p Problem[T], o Options) (*Result[T], error) {
	d, o, err := begin(ctx, p, o)
	if err != nil {
		return nil, fmt.Errorf("rankone: %w", err)
	}
	end, stopped := papers.Run(ctx, d, o.Options, o.Tol)
	if end.Status == solvers.Running {
		return nil, fmt.Errorf("rankone: %w", stopped)
	}
	m, err := linear.NewLowRank(d.U, d.V, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("rankone: %w", err)
	}
	return &Result[T]{m, end, d.Spectrum, d.Dual.A}, stopped
}

// begin returns the method at its start and o with its defaults, or what is wrong with p or o.
func begin[T vec.Float](ctx context.Context, p Problem[T], o Options) (*descent[T], Options, error) {
	n, _, err := design.Validate(p.X)
	if err != nil {
		return nil, o, err
	}
	switch {
	case ctx == nil:
		return nil, o, fmt.Errorf("no context")
	case p.Classes < 2:
		return nil, o, fmt.Errorf("Classes = %d, want at least 2", p.Classes)
	case !(p.Lambda1 >= 0 && p.Lambda2 >= 0 && p.Lambda1+p.Lambda2 > 0) || math.IsInf(p.Lambda1+p.Lambda2, 1):
		return nil, o, fmt.Errorf("Lambda1 = %v, Lambda2 = %v, want none below 0 and one above", p.Lambda1, p.Lambda2)
	case !(o.Tol >= 0):
		return nil, o, fmt.Errorf("Tol = %v, want a positive number", o.Tol)
	}
	labels := family.Labels{One: p.Y}
	if _, err := labels.Outputs(n, p.Classes, "Classes"); err != nil {
		return nil, o, err
	}
	o.Tol = cmp.Or(o.Tol, 1e-3)
	if o.Options, err = o.Options.WithDefaults(1000, 10); err != nil {
		return nil, o, err
	}
	if o.Workers, err = parallel.Cores(o.Workers, n); err != nil {
		return nil, o, err
	}
	data := risk.Data[T]{Y: p.Y, Classes: p.Classes}
	if data.X, err = design.WithColumns(design.Sparse(p.X)); err != nil {
		return nil, o, err
	}
	b, err := nuclear.New(nuclear.Penalty{Lambda1: p.Lambda1, Lambda2: p.Lambda2}, data,
		solvers.Options{Tol: o.Tol, Workers: o.Workers})
	if err != nil {
		return nil, o, err
	}
	return newDescent(b), o, nil
}

// descent is Algorithm 4.1. What it minimises is I(theta) = lambda1 sum_i theta_i + R(W), where R is the risk and
// lambda2 |W|².
type descent[T vec.Float] struct {
	nuclear.Base[T]
	theta   []float64
	u, v    [][]T         // of the atoms, of length 1
	h       vec.Matrix[T] // the gradient of R at W
	epsilon float64       // of the conditions C1 and C2; it is halved where they hold
	length  float64       // of the last step
	added   int           // atoms since the weights were the best ones
}

// newDescent returns the method at W = 0.
func newDescent[T vec.Float](b nuclear.Base[T]) *descent[T] {
	d := &descent[T]{Base: b, h: risk.Padded[T](b.D, b.M), length: 1}
	d.Sample = risk.New(d.Data, d.Workers)
	d.evaluate(d.theta)
	d.epsilon = spectral.Values(d.h)[0]
	return d
}

func (d *descent[T]) Take(ctx context.Context, steps int) (done int) {
	for ; done < steps && ctx.Err() == nil; done++ {
		d.step()
	}
	return done
}

func (d *descent[T]) Look() (s papers.Step, err error) {
	s.Certificate, err = d.Certify()
	s.Count, s.Passes = len(d.theta), float64(d.Visited)/float64(d.N)
	return s, err
}

// step adds an atom, or finds the best weights of those there are, (8), or where C1 and C2 hold halves epsilon. C1 is
// that no atom has a slope of I below -epsilon, C2 that those with a weight have none above it.
func (d *descent[T]) step() {
	u, v, sigma, ok := spectral.Decompose(spectral.Float64(d.h))
	const regular = 10 // "on a regular basis" the paper finds the best weights besides
	switch {
	case !ok || len(sigma) == 0:
		d.epsilon = 0
	case d.added < regular && d.Lambda1-sigma[0] <= -d.epsilon/2 && d.add(unit[T](u, -1), unit[T](v, 1)):
		// the slope along the top pair of -H
	case d.added > 0 || d.slope() > d.epsilon:
		d.weigh(sigma[0] - d.Lambda1)
	default:
		d.epsilon /= 2
	}
	penalty := d.Lambda2 * d.Squares()
	for _, t := range d.theta {
		penalty += d.Lambda1 * t
	}
	d.Value = d.Loss + penalty
	d.Base.Look(context.Background(), penalty)
}

// unit returns the first column of a, of length 1 or, with the sign, -1.
func unit[T vec.Float](a vec.Matrix[float64], sign float64) []T {
	column := make([]T, a.Rows)
	long := 0.0
	for i := range column {
		long += a.Row(i)[0] * a.Row(i)[0]
	}
	for i := range column {
		column[i] = T(sign * a.Row(i)[0] / math.Sqrt(long))
	}
	return column
}

// evaluate returns R at the weights theta.
func (d *descent[T]) evaluate(theta []float64) float64 {
	for j := range d.D {
		clear(d.W.Row(j))
	}
	for i, t := range theta {
		vec.Ger(T(t), d.u[i], d.v[i], d.W)
	}
	d.Loss = d.Sample.Evaluate(d.G, d.W)
	d.Visited += d.N
	for j := range d.D {
		copy(d.h.Row(j), d.G.Row(j))
		vec.Axpy(T(2*d.Lambda2), d.W.Row(j), d.h.Row(j))
	}
	return d.Loss + d.Lambda2*d.Squares()
}

// along returns the slope of R along atom i.
func (d *descent[T]) along(i int) (slope float64) {
	for j, u := range d.u[i] {
		slope += float64(u) * float64(vec.Dot(d.h.Row(j), d.v[i]))
	}
	return slope
}

// slope returns the largest magnitude of the slopes of I along the atoms with a weight.
func (d *descent[T]) slope() (most float64) {
	for i := range d.theta {
		most = max(most, math.Abs(d.Lambda1+d.along(i)))
	}
	return most
}

// add takes a step along a new atom, with the decrease that Armijo's rule asks for: twice the last one, and shorter
// ones. It reports whether there was one that is good enough.
func (d *descent[T]) add(u, v []T) bool {
	const armijo = 0.1
	now := d.Loss + d.Lambda2*d.Squares()
	d.u, d.v, d.theta = append(d.u, u), append(d.v, v), append(d.theta, 0)
	last := len(d.theta) - 1
	slope := d.Lambda1 + d.along(last)
	for length := 2 * d.length; length > 1e-12; length /= 2 {
		d.theta[last] = length
		if d.evaluate(d.theta)+d.Lambda1*length <= now+armijo*length*slope {
			d.length = length
			d.added++
			return true
		}
	}
	d.u, d.v, d.theta = d.u[:last], d.v[:last], d.theta[:last]
	d.evaluate(d.theta)
	return false
}

// weigh finds the best weights, well below the slope of a new atom and epsilon, and drops atoms whose weight is 0.
func (d *descent[T]) weigh(slope float64) {
	const most = 50 // evaluations
	tol := d.epsilon
	if slope > 0 {
		tol = min(tol, slope/10)
	}
	optim.Nonnegative(d.theta, func(g, theta []float64) float64 {
		value := d.evaluate(theta)
		for i, t := range theta {
			g[i] = d.Lambda1 + d.along(i)
			value += d.Lambda1 * t
		}
		return value
	}, tol, most)
	kept := 0
	d.added = 0
	for i, t := range d.theta {
		if t > 0 {
			d.theta[kept], d.u[kept], d.v[kept] = t, d.u[i], d.v[i]
			kept++
		}
	}
	d.theta = d.theta[:kept]
	d.u, d.v = slices.Delete(d.u, kept, len(d.u)), slices.Delete(d.v, kept, len(d.v))
	d.evaluate(d.theta)
}
