// Package train is the loop of every iterative solver: epochs, estimates, certificates, patience, progress,
// checkpoints.
package train

import (
	"context"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
)

// Method is a training under way. Run calls its methods, one at a time.
type Method interface {
	// Epoch trains for an epoch, or for what is left of one that the end of a context cut short, and returns its
	// number, from 1. whole is false if ctx ended before it did; what is left then belongs to the state.
	Epoch(ctx context.Context) (epoch int, whole bool)

	// Visits returns the examples visited so far and how many make a pass over the data.
	Visits() (visits, n int)

	// Estimate returns a certificate from what the epochs saw, at no cost. It may be too good.
	Estimate() solvers.Certificate

	// Certify computes the certificate in float64, over all examples. It is an error if numbers are not finite.
	Certify() (solvers.Certificate, error)

	// Reconsider follows a certificate that asks for more: what was set aside is looked at again.
	Reconsider()

	// Save writes all that the next epoch depends on, and Load reads it: a training resumed from it takes the same
	// steps to the bit. Errors stay in w and r.
	Save(w *container.Writer)
	Load(r *container.Reader)
}
