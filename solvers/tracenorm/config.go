package tracenorm

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
)

// Config says what to train and how. The zero value of every field is its default.
type Config struct {
	Lambda1 float64 // weight of |W|_*, the sum of the singular values, >= 0
	Lambda2 float64 // weight of |W|_F², the sum of their squares, >= 0; default of both, if both are 0: see Problem.Fit

	Classes int     // number of classes m, labels are in 0..m-1; default: the number of names, or the largest label + 1
	Raw     bool    // train on the examples as they are; default: on what is left of them when their mean is taken away
	Bias    float64 // value of a constant feature added to every example, regularized as the others; default: none
	Rank    int     // columns of the factors of W, which its rank cannot exceed; default: as many as W can have

	Tol     float64 // relative duality gap to stop at, > 0; default: 1e-3
	Epochs  int     // most passes over the data, counted by visits of examples; default: 1000
	Seed    uint64  // of the random order. The same seed, data, Workers and CPU give the same bits
	Workers int     // goroutines; default: all cores, as far as there is work for them

	Progress   func(solvers.Progress) // called after each epoch, if not nil, by the goroutine that called Fit
	Checkpoint solvers.Checkpoint     // where the state goes, so that a training can be resumed; default: nowhere
}

// largest is up to where the weights go, and down to one over it, so that products of theirs are finite.
const largest = 1e100

// check returns what is wrong with c.
func (c Config) check() error {
	allowed := func(v float64) bool { return v == 0 || v >= 1/largest && v <= largest }
	switch {
	case !allowed(c.Lambda1):
		return fmt.Errorf("Lambda1 = %v, need 0 or a positive number, %v to %v", c.Lambda1, 1/largest, largest)
	case !allowed(c.Lambda2):
		return fmt.Errorf("Lambda2 = %v, need 0 or a positive number, %v to %v", c.Lambda2, 1/largest, largest)
	case c.Classes < 0:
		return fmt.Errorf("Classes = %d, need 2 at least", c.Classes)
	case c.Rank < 0:
		return fmt.Errorf("Rank = %d, need 1 at least", c.Rank)
	}
	_, err := c.options().WithDefaults()
	return err
}

// options are the fields that all families have.
func (c Config) options() solvers.Options {
	return solvers.Options{Tol: c.Tol, Epochs: c.Epochs, Seed: c.Seed, Workers: c.Workers, Progress: c.Progress,
		Checkpoint: c.Checkpoint}
}
