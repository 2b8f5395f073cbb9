// Package train is the loop of every iterative solver: epochs, estimates, certificates, patience, progress,
// checkpoints, and of all certificates the best model and the best dual variables.
package train

import (
	"context"
	"errors"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// Method is a training under way. Run calls its methods, one at a time.
type Method[T vec.Float] interface {
	Certified[T]

	// Epoch trains for an epoch, or for what is left of one that the end of a context cut short, and returns its
	// number, from 1. whole is false if ctx, or the passes of a method that counts them, ended before it did; what is
	// left then belongs to the state.
	Epoch(ctx context.Context) (epoch int, whole bool)

	// Visits returns the examples visited so far and how many make a pass over the data.
	Visits() (visits, n int)

	// Estimate returns a certificate from what the epochs saw, at no cost. It may be too good.
	Estimate() solvers.Certificate

	// Partial reports whether Estimate knows some of the examples alone: a sample, or the active ones.
	Partial() bool

	// Reconsider follows a certificate that asks for more: what was set aside is looked at again. It reports whether
	// there is anything left to do: rounding may allow no further step.
	Reconsider() bool

	// Save writes all that the next epoch depends on, and Load reads it: a training resumed from it takes the same
	// steps to the bit. Errors stay in w and r.
	Save(w *container.Writer)
	Load(r *container.Reader)
}

// Certified is what a training offers to those who look for its best model.
type Certified[T vec.Float] interface {
	// Zero returns the certificate of weights and dual variables that are all 0, in float64 from the data.
	Zero() solvers.Certificate

	// Certify computes the certificate in float64, over all examples. It is an error if numbers are not finite. One
	// that wraps ErrRounding ends the training as stalled, with the best of the certificates before.
	Certify() (solvers.Certificate, error)

	// Off is how far rounding may take the last certificate: see Trust.
	Off() float64

	// PrimalVariables returns the model as it is: after Certify the certificate's. Later epochs may change the numbers.
	PrimalVariables() (Variables[T], error)

	// DualVariables returns the dual variables of the last certificate, likewise; nil where the dual value never falls
	// but by rounding, so that the last ones are the best.
	DualVariables() *Variables[T]

	// Fits reports whether variables that a state holds have the sizes of this training.
	Fits(primal, dual Variables[T]) bool
}

// Bounded is a Method without DualVariables that knows what the last certificate's dual variables are worth at least
// where rounding has it refused: its dual value less what rounding may be of that, or -Inf where that is all there is.
// Then they count as 0.
type Bounded interface{ Bound() float64 }

// ErrRounding says that the numbers of a problem are beyond float64.
var ErrRounding = errors.New("rounding allows no more")
