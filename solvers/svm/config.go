package svm

import (
	"cmp"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
)

// Loss names a loss of one score s. The zero value stands for the first loss of the problem at hand.
type Loss int

// The losses: of classes, where t is 1 for class 1 and -1 for class 0, and of targets y.
const (
	Default            Loss = iota // Hinge for classes, Insensitive for targets
	Hinge                          // max(0, 1 - t s), LIBLINEAR's -s 3 and LIBSVM's -s 0
	SquaredHinge                   // max(0, 1 - t s)², LIBLINEAR's -s 1 and -s 2
	Insensitive                    // max(0, |s - y| - Epsilon), LIBLINEAR's -s 13 and LIBSVM's -s 3
	SquaredInsensitive             // max(0, |s - y| - Epsilon)², LIBLINEAR's -s 11 and -s 12
	Logistic                       // of classes, log(1 + exp(-t s)), LIBLINEAR's -s 0 and -s 7
)

var lossNames = []string{"default", "hinge", "squared hinge", "epsilon-insensitive", "squared epsilon-insensitive",
	"logistic"}

// String returns the name of the loss in words.
func (l Loss) String() string { return family.Name("Loss", int(l), lossNames) }

// Config says what to train and how. The zero value of every field is its default.
type Config struct {
	C         float64   // weight of the losses, > 0; default: 1
	Loss      Loss      // default: its zero value
	Epsilon   float64   // how far a score may be from its target at no cost, >= 0; default: 0
	Bias      float64   // value of a constant feature added to every example, regularized as the others; default: none
	Algorithm Algorithm // default: chosen from the sizes

	Tol     float64 // relative duality gap to stop at, > 0; default: 1e-3
	Epochs  int     // most passes over the data, counted by visits of examples; default: 1000
	Seed    uint64  // of the random order. The same seed, data, Workers and CPU give the same bits
	Workers int     // goroutines; default: all cores, as far as there is work for them

	BlockSize int // examples whose scores are computed together; default: chosen from the sizes

	Progress   func(solvers.Progress) // called after each epoch, if not nil, by the goroutine that called Fit
	Checkpoint solvers.Checkpoint     // where the state goes, so that a training can be resumed; default: nowhere
}

// check returns c with its own defaults filled in, or what is wrong with it. targets says whether the examples have
// targets, otherwise classes.
func (c Config) check(targets bool) (Config, error) {
	c.C = cmp.Or(c.C, 1)
	switch {
	case c.Loss != Default:
	case targets:
		c.Loss = Insensitive
	default:
		c.Loss = Hinge
	}
	switch {
	case c.Loss < Default || c.Loss > Logistic:
		return c, fmt.Errorf("Loss = %d, want one from Default, 0, to %d", int(c.Loss), Logistic)
	case c.Loss.ofTargets() && !targets:
		return c, fmt.Errorf("Loss = %v of classes, want Hinge, SquaredHinge or Logistic, or Targets in "+
			"place of Y", c.Loss)
	case !c.Loss.ofTargets() && targets:
		return c, fmt.Errorf("Loss = %v of Targets, want Insensitive or SquaredInsensitive, or Y in place of Targets",
			c.Loss)
	case !(c.Epsilon >= 0) || math.IsInf(c.Epsilon, 1):
		return c, fmt.Errorf("Epsilon = %v, want a finite number, at least 0", c.Epsilon)
	case c.Epsilon > 0 && !targets:
		return c, fmt.Errorf("Epsilon = %v with classes, want Targets", c.Epsilon)
	}
	return c, family.Positive("C", c.C)
}

// ofTargets reports whether the loss compares scores with numbers.
func (l Loss) ofTargets() bool { return l == Insensitive || l == SquaredInsensitive }

// options are the fields that all families have.
func (c Config) options() solvers.Options {
	return solvers.Options{Tol: c.Tol, Epochs: c.Epochs, Seed: c.Seed, Workers: c.Workers, Progress: c.Progress,
		Checkpoint: c.Checkpoint}
}
