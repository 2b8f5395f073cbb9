package train

import (
	"context"
	"errors"
	"time"

	"github.com/dualgap/dualgap/solvers"
)

// Options are what Run obeys.
type Options struct {
	Tol        float64 // relative gap to stop at
	Epochs     int     // most passes over the data
	Epsilon    float64 // the distance from 1 to the next number of the type in use
	Rest       int     // most epochs for which a method leaves an example alone
	Progress   func(solvers.Progress)
	Checkpoint solvers.Checkpoint
	Identity   Identity // of the problem, for checkpoints
}

// patience is the number of epochs without a fall of the estimated gap by a tenth after which a certificate is due.
const patience = 64

// Run trains until there is a reason to stop. The certificate is that of the state it leaves. Where the status is
// Running there is none, for the reason that the error tells. The clock is the zero value, or that of a checkpoint.
//
// A certificate is due when the estimated gap, as a rule within a tenth of the true one, is as small as c.sure, and
// when it has not fallen by a tenth for patience epochs.
//
// A checkpoint holds what a training that never stops has between two epochs, or in the middle of one. So it is saved
// before a certificate that is due for no other reason than that the training ends.
func Run(ctx context.Context, m Method, o Options, c *Clock) (solvers.Outcome, error) {
	c.begin(o.Tol)
	start, saved := time.Now().Add(-c.elapsed), time.Now()
	tell := func(certificate solvers.Certificate, certified bool) {
		if o.Progress != nil {
			o.Progress(solvers.Progress{Epoch: c.epoch, Certificate: certificate, Certified: certified, Elapsed: time.Since(start)})
		}
	}
	save := func() error {
		if o.Checkpoint.Save == nil {
			return nil
		}
		c.elapsed, saved = time.Since(start), time.Now()
		return o.Checkpoint.Save(writeTo(o.Identity, c, m))
	}
	over := func() bool { // the passes that are allowed
		visits, n := m.Visits()
		return float64(visits) >= float64(o.Epochs)*float64(n)
	}
	certify := func(status solvers.Status) (solvers.Outcome, error) {
		certificate, err := m.Certify()
		visits, n := m.Visits()
		outcome := solvers.Outcome{
			Status: status, Certificate: certificate, Tol: o.Tol, Epochs: c.epoch, Visits: visits, Passes: float64(visits) / float64(n),
		}
		if err != nil {
			outcome.Status = solvers.Running
		} else {
			tell(certificate, true)
			if certificate.RelativeGap() <= o.Tol {
				outcome.Status = solvers.Converged
			}
		}
		return outcome, err
	}
	if c.epoch > 0 && over() {
		return certify(solvers.EpochLimit)
	}
	for {
		epoch, whole := m.Epoch(ctx)
		c.epoch = epoch
		if !whole {
			failed := save()
			outcome, err := certify(solvers.Canceled)
			switch {
			case err != nil:
				return outcome, err
			case outcome.Status == solvers.Converged:
				return outcome, failed
			}
			return outcome, errors.Join(ctx.Err(), failed)
		}
		estimate := m.Estimate()
		gap := estimate.RelativeGap()
		if gap < 0.9*c.lowest {
			c.lowest, c.since = gap, epoch
		}
		last := over()
		// An estimate that is NaN calls for a certificate too, and that ends in an error.
		if gap > c.sure && epoch < c.since+patience {
			if last {
				failed := save()
				outcome, err := certify(solvers.EpochLimit)
				return outcome, errors.Join(err, failed)
			}
			tell(estimate, false)
		} else {
			outcome, err := certify(solvers.EpochLimit)
			if err != nil || outcome.Status == solvers.Converged {
				return outcome, err
			}
			c.lowest, c.since = outcome.Certificate.RelativeGap(), epoch
			stalled := c.stalled(outcome.Certificate, o)
			if gap <= c.sure {
				c.sure *= 0.9 // the estimate was too good
			}
			m.Reconsider()
			if last || stalled {
				if stalled && !last {
					outcome.Status = solvers.Stalled
				}
				return outcome, save()
			}
		}
		if o.Checkpoint.Every > 0 && time.Since(saved) >= o.Checkpoint.Every {
			if failed := save(); failed != nil {
				outcome, err := certify(solvers.Canceled)
				return outcome, errors.Join(err, failed)
			}
		}
	}
}
