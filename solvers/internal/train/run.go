package train

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// Options are what Run obeys.
type Options[T vec.Float] struct {
	solvers.Options
	Identity Identity                        // of the problem, for checkpoints
	Model    func(Variables[T]) (any, error) // makes the model that Progress may ask for
}

// Ended is how a training ended: with the model of the least primal value and the dual variables of the largest dual
// value of all its certificates, weights and dual variables of 0 included.
type Ended[T vec.Float] struct {
	solvers.Outcome
	Primal Variables[T]
	Dual   Variables[T] // none where DualVariables has none
}

// MaxRest is the most epochs for which a method may leave an example alone.
const MaxRest = 128

// patience is the number of epochs without a fall of the estimated gap by a tenth after which a certificate is due.
const patience = 64

// Run trains until there is a reason to stop. The clock is the zero value, or a checkpoint's.
//
//	reason                                status      its certificate             the state is saved
//	the context ends                      Canceled    for the stop alone          at once, before it, and after it
//	the gap is within Tol                 Converged   was due                     no more
//	passes are over                       EpochLimit  was due, or as of Canceled  after it, or as of Canceled
//	no progress, or nothing left to do    Stalled     was due                     after it
//	a checkpoint cannot be saved          Canceled    for the stop alone          no more
//	a certificate is an error             Running     none, for that reason       no more
//	one that wraps ErrRounding            Stalled     the best before             no more
//
// A certificate is due when the estimated gap, as a rule within a tenth of the true one, is as small as c.certifyAt,
// and when it has not fallen by a tenth for patience epochs. All gaps that decide something are of due certificates.
//
// A checkpoint holds what a training that never stops has between two epochs, or in the middle of one: the method as it
// was before a certificate for the stop alone. What that finds is beside it, for the next stop.
//
// A context that ends while a method works and does not look, or while a certificate that is due is computed, is not
// waited for: see Hold. The state is then as before that work, which a training that goes on from it does again.
func Run[T vec.Float](ctx context.Context, m Method[T], o Options[T], c *Clock[T]) (Ended[T], error) {
	c.begin(o.Tol, m.Zero())
	r := &run[T]{m: m, o: o, c: c, start: time.Now().Add(-c.elapsed), saved: time.Now()}
	ctx = r.holding(ctx)
	defer r.fingerprint()()
	switch {
	case c.visits == 0 && c.due.certificate().RelativeGap() <= o.Tol:
		return r.end(solvers.Converged, nil, nil)
	case c.owed == notDue && c.epoch > 0 && r.over():
		return r.stop(solvers.EpochLimit, nil, nil)
	}
	for {
		whole := true
		if c.owed == notDue {
			c.epoch, whole = m.Epoch(ctx)
		}
		switch due := whole && r.due(); {
		case !whole && ctx.Err() == nil: // passes are over
			return r.stop(solvers.EpochLimit, nil, nil)
		case !whole:
			return r.stop(solvers.Canceled, ctx.Err(), nil)
		case due:
			if status, err, failed := r.judge(ctx); status != solvers.Running || err != nil {
				return r.end(status, err, failed)
			}
		case r.over():
			return r.stop(solvers.EpochLimit, nil, nil)
		default:
			r.tell(m.Estimate(), false)
		}
		if o.Checkpoint.Every > 0 && time.Since(r.saved) >= o.Checkpoint.Every {
			if failed := r.save(m.Save); failed != nil {
				r.o.Checkpoint.Save = nil
				return r.stop(solvers.Canceled, nil, failed)
			}
		}
	}
}

// run is one call of Run.
type run[T vec.Float] struct {
	m Method[T]
	o Options[T]
	c *Clock[T]

	start, saved time.Time
	calls        sync.Mutex // of Progress and Save: one at a time, by whatever goroutine
}

// over reports whether there have been as many passes as allowed.
func (r *run[T]) over() bool {
	visits, n := r.m.Visits()
	return float64(visits) >= float64(r.o.Epochs)*float64(n)
}

// due reports whether a certificate is. Where an estimate is NaN one is due too, which may end in an error.
func (r *run[T]) due() bool {
	c, gap := r.c, r.m.Estimate().RelativeGap()
	if c.owed != notDue { // by the state that training goes on from
		return true
	}
	if gap < 0.9*c.lowest {
		c.lowest, c.since = gap, c.epoch
	}
	switch {
	case gap <= c.certifyAt:
		c.owed = dueByGap
	case !(gap > c.certifyAt) || c.epoch >= c.since+patience:
		c.owed = dueByPatience
	}
	return c.owed != notDue
}

// judge computes a certificate that is due, and decides by it whether the training ends; if it does not, the status is
// Running. failed is why the state could not be saved.
func (r *run[T]) judge(ctx context.Context) (status solvers.Status, err, failed error) {
	release := Hold(ctx)
	status, err = r.decide()
	release()
	if status == solvers.EpochLimit || status == solvers.Stalled && err == nil {
		failed = r.save(r.m.Save)
	}
	return status, err, failed
}

// decide is judge but for the state.
func (r *run[T]) decide() (status solvers.Status, err error) {
	c := r.c
	now, _, err := r.certify(&c.due)
	switch {
	case errors.Is(err, ErrRounding):
		return solvers.Stalled, nil
	case err != nil:
		return solvers.Running, err
	case c.due.certificate().RelativeGap() <= r.o.Tol: // of now alone it may be less where D is below 0
		return solvers.Converged, nil
	}
	c.lowest, c.since = now.RelativeGap(), c.epoch
	stalled := c.stalled(now)
	if c.owed == dueByGap {
		c.certifyAt *= 0.9 // the estimate was too good
	}
	c.owed = notDue
	more := r.m.Reconsider()
	switch {
	case r.over():
		return solvers.EpochLimit, nil
	case stalled || !more:
		return solvers.Stalled, nil
	}
	c.due.keep()
	return solvers.Running, nil
}

// stop ends a training for a reason that asks for a certificate, and which is an error unless why is nil.
func (r *run[T]) stop(status solvers.Status, why, failed error) (Ended[T], error) {
	var held container.Sections
	if r.o.Checkpoint.Save != nil {
		if held, failed = container.Hold(r.m.Save); failed == nil {
			failed = r.save(held.Append)
		}
	}
	if visits, _ := r.m.Visits(); visits == r.c.visits { // the certificate that was due is of this state
		return r.end(status, why, failed)
	}
	_, better, err := r.certify(&r.c.stops)
	switch {
	case errors.Is(err, ErrRounding):
	case err != nil:
		return r.end(solvers.Running, err, failed)
	case better && held != nil && failed == nil:
		failed = r.save(held.Append)
	}
	return r.end(status, why, failed)
}

// end returns the best, and why that is not converged, or why the state could not be saved.
func (r *run[T]) end(status solvers.Status, why, failed error) (Ended[T], error) {
	b := r.c.due
	if status != solvers.Converged {
		if all := b.or(r.c.stops); !all.doubtful(r.o.Tol) {
			b = all
		}
	}
	if r.m.DualVariables() == nil && r.c.visits >= 0 { // the last ones are the best but for rounding
		b.dual.value = r.c.last.Dual
	}
	if status != solvers.Running && b.certificate().RelativeGap() <= r.o.Tol {
		status, why = solvers.Converged, nil
	}
	visits, n := r.m.Visits()
	return b.end(solvers.Outcome{
		Status: status, Tol: r.o.Tol, Epochs: r.c.epoch, Visits: visits, Passes: float64(visits) / float64(n),
	}), errors.Join(why, failed)
}

// certify computes a certificate, and adds what it finds to b.
func (r *run[T]) certify(b *best[T]) (now solvers.Certificate, better bool, err error) {
	if now, err = r.m.Certify(); err != nil {
		if m, ok := r.m.(Bounded); ok && errors.Is(err, ErrRounding) {
			r.c.visits, _ = r.m.Visits()
			if r.c.last.Dual = m.Bound(); math.IsInf(r.c.last.Dual, -1) {
				r.c.last.Dual = r.m.Zero().Dual
			}
		}
		return now, false, err
	}
	r.c.last = now
	r.c.visits, _ = r.m.Visits()
	if better, err = b.add(now, r.c.epoch, r.m, r.o.Tol); err == nil {
		r.tell(now, true)
	}
	return now, better, err
}

// tell tells Progress where the training is.
func (r *run[T]) tell(certificate solvers.Certificate, certified bool) {
	if r.o.Progress == nil {
		return
	}
	off := 0.0
	if certified {
		off = r.m.Off()
	}
	r.calls.Lock()
	defer r.calls.Unlock()
	r.o.Progress(solvers.Progress{
		Epoch: r.c.epoch, Certificate: certificate, Certified: certified, Rounding: off,
		Partial: !certified && r.m.Partial(), Elapsed: time.Since(r.start),
		Model: func() (any, error) {
			v, err := r.m.PrimalVariables()
			if err != nil {
				return nil, err
			}
			return r.o.Model(v)
		},
	})
}

// save saves the state, of which the given function writes what is the method's.
func (r *run[T]) save(method func(*container.Writer)) error {
	if r.o.Checkpoint.Save == nil {
		return nil
	}
	r.c.elapsed, r.saved = time.Since(r.start), time.Now()
	return r.o.Checkpoint.Save(writeTo(r.o.Identity, r.c, method))
}
