package train

import (
	"math"
	"time"
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// Clock is all that Run remembers between epochs. A checkpoint holds it beside the state of the method.
type Clock[T vec.Float] struct {
	started bool
	epoch   int           // the last one
	elapsed time.Duration // up to the last checkpoint

	certifyAt float64 // an estimated gap at which a certificate is due
	lowest    float64 // estimated gap
	since     int     // the epoch in which that fell by a tenth for the last time

	owed owed // whether a certificate is due that has not been judged yet

	// The last certificate that was better than those before it.
	bestDual, bestGap float64
	bestEpoch         int

	// The best of the certificates that were due, which a training that never stops has as well, and of those that were
	// for a stop alone: what converges ends with the former.
	due, stops best[T]

	last   solvers.Certificate // the last one,
	visits int                 // and visits of examples before it; -1: there was none
}

// owed says whether a certificate is due, and why.
type owed int

const (
	notDue        owed = iota
	dueByPatience      // the estimated gap has not fallen for long, or is NaN
	dueByGap           // the estimated gap is small enough
)

// begin sets a clock that has not run yet, and what is known without an epoch.
func (c *Clock[T]) begin(tol float64, zero solvers.Certificate) {
	if !c.started {
		c.started, c.visits = true, -1
		c.certifyAt, c.lowest, c.bestDual, c.bestGap = 0.95*tol, math.Inf(1), math.Inf(-1), math.Inf(1)
	}
	c.due.begin(zero)
	c.stops.begin(zero)
}

// Beginning is what a training starts from.
type Beginning[T vec.Float] struct {
	solvers.Certificate // of the method's model and dual variables

	// Model is another model, with the primal value Primal; nil: there is none. The best model and the best dual
	// variables of a training may be of different epochs: then the model of those dual variables is another one.
	Model  *Variables[T]
	Primal float64
}

// Start takes up what a training starts from, whose certificate has just been computed. Where the best model and the
// best dual variables have a gap within tol they end it without a step.
func (c *Clock[T]) Start(from Beginning[T], tol float64, m Certified[T]) error {
	c.begin(tol, m.Zero())
	c.last, c.visits = from.Certificate, 0
	_, err := c.due.add(from.Certificate, 0, m, tol)
	if from.Model != nil && from.Primal < c.due.primal.value {
		was := c.due.primal
		c.due.primal = side[T]{value: from.Primal, off: m.Off(), vars: *from.Model}
		if c.due.doubtful(tol) {
			c.due.primal = was
		}
	}
	c.due.keep()
	return err
}

// stalled reports whether neither the dual value nor the gap, which goes with the square root of the dual's error, have
// got better by more than rounding in half of all epochs.
func (c *Clock[T]) stalled(now solvers.Certificate) bool {
	if now.Dual > c.bestDual+4*Epsilon[T]()*math.Abs(c.bestDual) || now.RelativeGap() < 0.8*c.bestGap {
		c.bestDual, c.bestGap, c.bestEpoch = max(now.Dual, c.bestDual), min(now.RelativeGap(), c.bestGap), c.epoch
		return false
	}
	return c.epoch > 2*(c.bestEpoch+MaxRest)
}

// Epsilon is the distance from 1 to the next number of T.
func Epsilon[T vec.Float]() float64 {
	if unsafe.Sizeof(T(0)) == 8 {
		return 0x1p-52
	}
	return 0x1p-23
}
