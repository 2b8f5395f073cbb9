package train

import (
	"math"
	"time"

	"github.com/dualgap/dualgap/solvers"
)

// Clock is all that Run remembers between epochs. A checkpoint holds it beside the state of the method.
type Clock struct {
	started bool
	epoch   int           // the last one
	elapsed time.Duration // up to the last checkpoint

	sure   float64 // an estimated gap that calls for a certificate
	lowest float64 // estimated gap
	since  int     // the epoch in which that fell by a tenth for the last time

	// The last certificate that was better than those before it.
	bestDual, bestGap float64
	bestEpoch         int
}

// begin sets a clock that has not run yet.
func (c *Clock) begin(tol float64) {
	if !c.started {
		*c = Clock{started: true, sure: 0.95 * tol, lowest: math.Inf(1), bestDual: math.Inf(-1), bestGap: math.Inf(1)}
	}
}

// stalled reports whether neither the dual value nor the gap, which goes with the square root of the dual's error, have
// got better by more than rounding in half of all epochs.
func (c *Clock) stalled(now solvers.Certificate, o Options) bool {
	if now.Dual > c.bestDual+4*o.Epsilon*math.Abs(c.bestDual) || now.RelativeGap() < 0.8*c.bestGap {
		c.bestDual, c.bestGap, c.bestEpoch = max(now.Dual, c.bestDual), min(now.RelativeGap(), c.bestGap), c.epoch
		return false
	}
	return c.epoch > 2*(c.bestEpoch+o.Rest)
}
