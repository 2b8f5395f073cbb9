package l1

import (
	"cmp"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
)

// Loss names a loss of a score s, where y is 1 or -1. The zero value is SquaredHinge.
type Loss int

// The losses: LIBLINEAR's -s 5 and -s 6.
const (
	SquaredHinge Loss = iota // max(0, 1 - y s)²
	Logistic                 // log(1 + exp(-y s))
)

var lossNames = []string{"squared hinge", "logistic"}

// String returns the name of the loss in words.
func (l Loss) String() string { return family.Name("Loss", int(l), lossNames) }

// Config says what to train and how. The zero value of every field is its default.
type Config struct {
	C    float64 // weight of the losses, > 0; default: 1
	Loss Loss    // default: its zero value

	// number of classes m, labels are in 0..m-1; default: the number of names, or the largest label + 1
	Classes      int
	ClassWeights []float64 // of the losses of each class's examples; default: 1 each; not for sets
	// value of a constant feature added to every example, regularized as the others; default: none
	Bias float64

	Tol     float64 // relative duality gap to stop at, > 0; default: 1e-3
	Epochs  int     // most passes over the data, counted by visits of examples; default: 1000
	Seed    uint64  // of the random order. The same seed, data, Workers and CPU give the same bits
	Workers int     // goroutines; default: all cores, as far as there is work for them

	Progress   func(solvers.Progress) // called after each epoch, if not nil, by the goroutine that called Fit
	Checkpoint solvers.Checkpoint     // where the state goes, so that a training can be resumed; default: nowhere
}

// check returns c with its own defaults filled in but for Classes, or what is wrong with it.
func (c Config) check() (Config, error) {
	c.C = cmp.Or(c.C, 1)
	if c.Loss < SquaredHinge || c.Loss > Logistic {
		return c, fmt.Errorf("Loss = %d, want SquaredHinge, 0, or Logistic, 1", int(c.Loss))
	}
	return c, cmp.Or(family.Positive("C", c.C), family.Count("Classes", c.Classes, 2))
}

// options are the fields that all families have.
func (c Config) options() solvers.Options {
	return solvers.Options{Tol: c.Tol, Epochs: c.Epochs, Seed: c.Seed, Workers: c.Workers, Progress: c.Progress,
		Checkpoint: c.Checkpoint}
}
