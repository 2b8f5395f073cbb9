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
	Offset    bool      // an offset of the scores that is not regularized, as LIBSVM's; in place of Bias
	Nu        float64   // of one class: most of the examples, by weight, that may be outside, in (0, 1]; default: .5
	Algorithm Algorithm // default: chosen from the sizes

	Tol     float64 // relative duality gap to stop at, > 0; default: 1e-3
	Epochs  int     // most passes over the data, counted by visits of examples; default: 1000
	Seed    uint64  // of the random order. The same seed, data, Workers and CPU give the same bits
	Workers int     // goroutines; default: all cores, as far as there is work for them

	BlockSize int // examples whose scores are computed together; default: chosen from the sizes

	Progress   func(solvers.Progress) // called after each epoch, if not nil, by the goroutine that called Fit
	Checkpoint solvers.Checkpoint     // where the state goes, so that a training can be resumed; default: nowhere
}

// check returns c with its own defaults filled in, or what is wrong with it for what is learned.
func (c Config) check(of task) (Config, error) {
	if of == oneClass {
		return c.checkOneClass()
	}
	targets := of == regression
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
	case c.Nu != 0:
		return c, fmt.Errorf("Nu = %v with Y or Targets, want OneClass", c.Nu)
	case c.Offset && c.Bias != 0:
		return c, fmt.Errorf("Bias = %v and Offset, want one of them", c.Bias)
	}
	return c, family.Positive("C", c.C)
}

// checkOneClass is check of one class. Its costs are 1: others would make each weight and the offset larger by the same
// factor.
func (c Config) checkOneClass() (Config, error) {
	c.Nu = cmp.Or(c.Nu, .5)
	switch {
	case !(c.Nu > 0 && c.Nu <= 1):
		return c, fmt.Errorf("Nu = %v, want a number above 0, at most 1", c.Nu)
	case c.C != 0:
		return c, fmt.Errorf("C = %v with OneClass, where it changes no answer: want Nu", c.C)
	case c.Loss != Default:
		return c, fmt.Errorf("Loss = %v with OneClass, want Default", c.Loss)
	case c.Epsilon != 0:
		return c, fmt.Errorf("Epsilon = %v with OneClass, want Targets", c.Epsilon)
	case c.Bias != 0:
		return c, fmt.Errorf("Bias = %v with OneClass, which has an offset", c.Bias)
	}
	c.C, c.Offset = 1, true
	return c, nil
}

// ofTargets reports whether the loss compares scores with numbers.
func (l Loss) ofTargets() bool { return l == Insensitive || l == SquaredInsensitive }

// options are the fields that all families have.
func (c Config) options() solvers.Options {
	return solvers.Options{Tol: c.Tol, Epochs: c.Epochs, Seed: c.Seed, Workers: c.Workers, Progress: c.Progress,
		Checkpoint: c.Checkpoint}
}
