package tracenorm

import (
	"cmp"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/nuclear"
)

// Config says what to train and how. The zero value of every field is its default.
type Config struct {
	Lambda1 float64 // weight of |W|_*, the sum of the singular values, >= 0
	// weight of |W|_F², the sum of their squares, or of |W - W0|_F² with a Prior, >= 0; default of both, if both are 0:
	// see Problem.Fit
	Lambda2 float64

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
	return cmp.Or(weight("Lambda1", c.Lambda1), weight("Lambda2", c.Lambda2), family.Count("Classes", c.Classes, 2),
		family.Count("Rank", c.Rank, 1))
}

// weight returns an error unless v is a weight of a penalty.
func weight(field string, v float64) error {
	if v == 0 || v >= 1/largest && v <= largest {
		return nil
	}
	return fmt.Errorf("%s = %v, want 0 or a positive number, %v to %v", field, v, 1/largest, largest)
}

// penalty is what W is regularized by.
func (c Config) penalty() nuclear.Penalty {
	return nuclear.Penalty{Lambda1: c.Lambda1, Lambda2: c.Lambda2}
}

// options are the fields that all families have.
func (c Config) options() solvers.Options {
	return solvers.Options{Tol: c.Tol, Epochs: c.Epochs, Seed: c.Seed, Workers: c.Workers, Progress: c.Progress,
		Checkpoint: c.Checkpoint}
}
