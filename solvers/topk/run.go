package topk

import (
	"context"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// training is a solver under way: what run drives.
type training interface {
	epoch(ctx context.Context) bool // false if ctx ended before it did
	estimate() solvers.Certificate
	certify() error
	certified() (solvers.Certificate, int) // the last certificate, and the epochs so far
	bringBack()                            // called where a certificate asks for more
}

// run trains until there is a reason to stop. The certificate is that of the state it leaves. Where the status is Running
// there is none, for the reason that err tells.
//
// A certificate is due when the estimated gap, as a rule within a tenth of the true one, is as small as sure, and when it has
// not fallen by a tenth for patience epochs.
func run[T vec.Float](ctx context.Context, s training, c Config, start time.Time) (solvers.Status, error) {
	const patience = 64
	tell := func(p solvers.Progress) {
		if c.Progress != nil {
			p.Elapsed = time.Since(start)
			c.Progress(p)
		}
	}
	sure := 0.95 * c.Tol
	lowest, since := 1.0, 0
	_, _, epsilon := limits[T]()
	best := record{gap: 1} // of A = 0
	for {
		whole := s.epoch(ctx)
		_, epochs := s.certified()
		estimate := s.estimate()
		gap := estimate.RelativeGap()
		if gap < 0.9*lowest {
			lowest, since = gap, epochs
		}
		last := !whole || epochs >= c.Epochs
		// An estimate that is NaN calls for a certificate too, and that ends in an error.
		if !last && gap > sure && epochs < since+patience {
			tell(solvers.Progress{Epoch: epochs, Certificate: estimate})
			continue
		}
		if err := s.certify(); err != nil {
			return solvers.Running, err
		}
		certificate, _ := s.certified()
		tell(solvers.Progress{Epoch: epochs, Certificate: certificate, Certified: true})
		lowest, since = certificate.RelativeGap(), epochs
		switch {
		case lowest <= c.Tol:
			return solvers.Converged, nil
		case !whole:
			return solvers.Canceled, ctx.Err()
		case last:
			return solvers.EpochLimit, nil
		}
		if best.stalled(certificate, epochs, epsilon) {
			return solvers.Stalled, nil
		}
		if gap <= sure {
			sure *= 0.9 // the estimate was too good
		}
		s.bringBack()
	}
}

// record is the last certificate that was better than those before.
type record struct {
	dual, gap float64
	epoch     int
}

// stalled reports whether neither the dual value nor the gap, which goes with the square root of the dual's error, have got
// better by more than rounding in half of all epochs.
func (r *record) stalled(c solvers.Certificate, epoch int, epsilon float64) bool {
	if c.Dual > r.dual*(1+4*epsilon) || c.RelativeGap() < 0.8*r.gap {
		*r = record{max(c.Dual, r.dual), min(c.RelativeGap(), r.gap), epoch}
		return false
	}
	return epoch > 2*(r.epoch+maxWait)
}
