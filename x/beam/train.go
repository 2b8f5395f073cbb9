package beam

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// TrainOptions says how to train.
type TrainOptions struct {
	Sample int // rows that the driver holds and solves; the more, the fewer passes. Default: 10000 or all

	Tol    float64 // relative duality gap to stop at; default: 1e-3
	Passes int     // most passes over all rows; default: 50
	Epochs int     // most epochs on the sample between two passes; default: 20
	Seed   uint64  // of the sample and of the order of its rows

	Progress func(TrainProgress) // called after each pass, if not nil
}

// TrainProgress is what a training tells after a pass.
type TrainProgress struct {
	Pass        int
	Primal      float64 // P of the pass's weights
	Mu          float64 // weight of 1/2 |W - W_t|² on the sample, which grows when P has risen
	Certificate solvers.Certificate
}

func (o TrainOptions) withDefaults(n int64) (TrainOptions, error) {
	o.Sample = cmp.Or(o.Sample, int(min(n, 10000)))
	o.Tol, o.Passes, o.Epochs = cmp.Or(o.Tol, 1e-3), cmp.Or(o.Passes, 50), cmp.Or(o.Epochs, 20)
	if !(o.Tol > 0) || o.Passes < 1 || o.Epochs < 1 {
		return o, fmt.Errorf("beam: Tol %v, Passes %d, Epochs %d, want numbers above 0", o.Tol, o.Passes, o.Epochs)
	}
	return o, nil
}

// Train solves a problem with a smooth loss, or approximately with a hinge, by statistically preconditioned gradients
// without acceleration (Hendrikx, Xiao, Bubeck, Bach, Massoulié: "Statistically Preconditioned Accelerated Gradient
// Method for Distributed Optimization", ICML 2020). A pass over all rows at W_t gives P, dual terms and V = Xᵀ A of the
// dual variables that W_t names, so that the gradient of P is Lambda (W_t - V). The driver then minimises over W
//
//	the loss of the sample + <difference of the gradients at W_t, W> + Lambda/2 |W|² + Mu/2 |W - W_t|²
//
// which is the sample's problem with a prior: topk.Problem.Prior. Mu is 0 as long as P falls. The certificate is the
// least P and the bound of the dual variables of all passes, mixed.
//
// A hinge without smoothing is trained with Smoothing .1, then .01, each as long as it closes the gap. The certificate
// is the hinge's own all the time. Do not expect a gap far below 1e-2.
//
// The number of ranges or workers plays no part in the number of passes, and hardly ever in the result, to the bit: the
// training moves the beginnings of ranges back to multiples of 64 rows of their file, and sums lose next to nothing in
// whatever order a runner adds them. Blocks of CSR are not moved: of these, other ranges are other data. Not reaching
// the tolerance is a Status, not an error.
func Train(ctx context.Context, d Driver, p ProblemSpec, o TrainOptions, rows []Rows) (
	*linear.Model[float64], solvers.Outcome, error,
) {
	t, err := newSmoothTraining(ctx, d, p, o, rows)
	if err != nil {
		return nil, solvers.Outcome{}, err
	}
	defer t.clean(ctx)
	out, err := t.run(ctx)
	if err != nil {
		return nil, out, err
	}
	m, err := linear.WithConstant(t.best.w, p.Bias, p.Names)
	return m, out, err
}

// training is a Train under way.
type training struct {
	driver   Driver
	problem  ProblemSpec
	options  TrainOptions
	rows     []Rows
	solvers  []stepper // of this smoothing and those to come
	value    valuer
	name     string    // begins the names of its files
	sums     summer    // of a pass
	centring *centring // nil: rows as they are
	tallies  int       // passes before the first at weights

	best point
	gaps []float64 // of the passes with this smoothing
	mu   float64
	unit float64 // of mu: the curvature of the penalty
}

// summer returns the sums of a pass over rows: sums does.
type summer func(context.Context, Driver, ProblemSpec, Asset, []Rows) (*Sums, error)

// stepper solves the sample's problems of a training.
type stepper interface {
	// first returns the sample's own solution.
	first(ctx context.Context) (vec.Matrix[float64], error)
	// step returns the minimiser of the sample's problem whose gradient at a point is the gradient of all rows, with
	// Mu/2 |. - W|² added.
	step(ctx context.Context, at point, mu float64) (vec.Matrix[float64], error)
	// named returns ProblemSpec.Named of the passes.
	named() float64
}

// valuer says what the sums of a pass prove.
type valuer interface {
	// primal returns the value of W.
	primal(s *Sums, w vec.Matrix[float64]) float64
	// mix takes the sums in, and returns the best lower bound so far.
	mix(s *Sums) float64
}

// point is weights and what a pass has found there.
type point struct {
	w, v   vec.Matrix[float64]
	primal float64
	pass   int
}

// newSmoothTraining returns the training of Train.
func newSmoothTraining(ctx context.Context, d Driver, p ProblemSpec, o TrainOptions, rows []Rows) (*training, error) {
	t, s, err := newTraining(ctx, d, p, o, rows)
	if err != nil {
		return nil, err
	}
	t.value, t.unit = &bound{lambda: p.Lambda, most: passesKept(&p)}, p.Lambda
	t.solvers, err = newSampleSolvers(&p, s, t.options)
	return t, err
}

// newTraining draws the sample of a training, which lacks solvers, a valuer and its unit.
func newTraining(ctx context.Context, d Driver, p ProblemSpec, o TrainOptions, rows []Rows) (
	*training, *sample, error,
) {
	o, err := o.withDefaults(p.N)
	if err != nil {
		return nil, nil, err
	}
	if p.Duals != "" {
		return nil, nil, errors.New("beam: a training with dual variables of the caller")
	}
	if err := p.check(rows); err != nil {
		return nil, nil, err
	}
	if rows, err = aligned(ctx, rows); err != nil {
		return nil, nil, err
	}
	s, err := p.draw(ctx, rows, o.Sample, o.Seed)
	return &training{driver: d, problem: p, options: o, rows: rows, sums: sums, name: "weights-" + random()}, s, err
}

// clean removes the files that a training has left.
func (t *training) clean(ctx context.Context) {
	removeFiles(context.WithoutCancel(ctx), join(t.driver.Dir, t.name+"*"))
}

// run makes passes until the gap is small enough.
func (t *training) run(ctx context.Context) (out solvers.Outcome, err error) {
	out.Tol = t.options.Tol
	w, err := t.solvers[0].first(ctx)
	for pass := 1; err == nil && out.Status == solvers.Running; pass++ {
		var s *Sums
		if s, err = t.pass(ctx, w, pass); err != nil {
			break
		}
		primal, dual := t.value.primal(s, w), t.value.mix(s)
		t.take(point{w, s.V, primal, pass})
		out.Certificate = solvers.Certificate{Primal: t.best.primal, Dual: dual}
		out.Epochs, out.ModelEpoch, out.Passes = pass, t.best.pass, float64(t.tallies+pass)
		out.Visits = (t.tallies + pass) * int(t.problem.N)
		if t.options.Progress != nil {
			t.options.Progress(TrainProgress{pass, primal, t.mu, out.Certificate})
		}
		t.gaps = append(t.gaps, out.Certificate.Gap())
		switch {
		case out.Certificate.RelativeGap() <= t.options.Tol:
			out.Status = solvers.Converged
		case pass == t.options.Passes:
			out.Status = solvers.EpochLimit
		case t.rests():
			t.solvers, t.gaps, t.mu, w = t.solvers[1:], nil, 0, t.best.w
		default:
			w, err = t.solvers[0].step(ctx, t.best, t.mu)
		}
	}
	return out, err
}

// take makes a point the best if its P is the least, or if it is the best one seen with another smoothing. If not, the
// next step is to be shorter.
func (t *training) take(p point) {
	if len(t.gaps) == 0 || p.primal < t.best.primal {
		t.best = p
		return
	}
	t.mu = 4*t.mu + t.unit
}

// rests reports whether the next smoothing is due: four passes have closed less than a tenth of the gap.
func (t *training) rests() bool {
	n := len(t.gaps)
	return len(t.solvers) > 1 && n > 4 && t.gaps[n-1] > .9*t.gaps[n-5]
}

// pass sums up all rows at W.
func (t *training) pass(ctx context.Context, w vec.Matrix[float64], pass int) (*Sums, error) {
	p := t.problem
	p.Named = t.solvers[0].named()
	if t.centring == nil {
		return t.sumsAt(ctx, p, w, pass)
	}
	s, err := t.sumsAt(ctx, t.centring.problem(p), t.centring.weights(w), pass)
	if err == nil {
		t.centring.sums(s)
	}
	return s, err
}

// sumsAt writes the weights of a pass to a file of their own and sums up all rows there.
func (t *training) sumsAt(ctx context.Context, p ProblemSpec, w vec.Matrix[float64], pass int) (*Sums, error) {
	var file bytes.Buffer
	if err := dataset.WriteNPY(&file, &dataset.Dense[float64]{Matrix: w}, dataset.NPYOptions{}); err != nil {
		return nil, err
	}
	a := Asset{join(t.driver.Dir, fmt.Sprintf("%s-%d.npy", t.name, pass)), digest(file.Bytes())}
	if err := writeFile(ctx, a.Path, file.Bytes()); err != nil {
		return nil, err
	}
	s, err := t.sums(ctx, t.driver, p, a, t.rows)
	return s, errors.Join(err, removeFiles(context.WithoutCancel(ctx), a.Path))
}

// passesKept returns of how many passes the driver keeps V for the bound: 128 MB at most.
func passesKept(p *ProblemSpec) int { return max(2, min(20, 1<<24/(p.inputs()*p.Classes))) }
