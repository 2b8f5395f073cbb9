package train

import (
	"context"
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
	var stopped error // the context ended, or a checkpoint was not saved
	for {
		if stopped == nil {
			var whole bool
			if c.epoch, whole = m.Epoch(ctx); !whole {
				// The state is saved before a certificate changes it: a training that never stops has none here.
				if stopped = save(); stopped == nil {
					stopped = ctx.Err()
				}
			}
		}
		estimate := m.Estimate()
		gap := estimate.RelativeGap()
		if gap < 0.9*c.lowest {
			c.lowest, c.since = gap, c.epoch
		}
		visits, n := m.Visits()
		last := stopped != nil || float64(visits) >= float64(o.Epochs)*float64(n)
		// An estimate that is NaN calls for a certificate too, and that ends in an error.
		if !last && gap > c.sure && c.epoch < c.since+patience {
			tell(estimate, false)
		} else {
			certificate, err := m.Certify()
			outcome := solvers.Outcome{Certificate: certificate, Tol: o.Tol, Epochs: c.epoch, Visits: visits}
			if err != nil {
				return outcome, err
			}
			tell(certificate, true)
			switch c.lowest, c.since = certificate.RelativeGap(), c.epoch; {
			case c.lowest <= o.Tol:
				outcome.Status = solvers.Converged
				return outcome, nil
			case stopped != nil:
				outcome.Status = solvers.Canceled
				return outcome, stopped
			case last:
				outcome.Status = solvers.EpochLimit
				return outcome, nil
			case c.stalled(certificate, o):
				outcome.Status = solvers.Stalled
				return outcome, nil
			}
			if gap <= c.sure {
				c.sure *= 0.9 // the estimate was too good
			}
			m.Reconsider()
		}
		if o.Checkpoint.Every > 0 && time.Since(saved) >= o.Checkpoint.Every {
			stopped = save()
		}
	}
}
