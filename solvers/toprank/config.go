package toprank

import (
	"cmp"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
)

// Method says what the threshold t is. The zero value is TopPush.
type Method int

// The methods.
const (
	// t is the mean of the K largest scores of negative examples: TopPush with K = 1, else TopPushK
	TopPush Method = iota
	PatMat         // Pat&Mat: t is the smallest with sum_j l2(f_j - t) <= Tau n
)

// Loss names the surrogates l1 and l2. The zero value is Quadratic.
type Loss int

// The surrogates.
const (
	Quadratic Loss = iota // max(0, 1 + theta s)²
	Hinge                 // max(0, 1 + theta s)
)

var (
	methodNames = []string{"toppush", "patmat"}
	lossNames   = []string{"quadratic", "hinge"}
)

// String returns the name of the method in words.
func (m Method) String() string { return family.Name("Method", int(m), methodNames) }

// String returns the name of the loss in words.
func (l Loss) String() string { return family.Name("Loss", int(l), lossNames) }

// Config says what to train and how. The zero value of every field is its default.
type Config struct {
	Method Method  // default: its zero value, TopPush
	C      float64 // weight of the losses, > 0; default: 1
	Loss   Loss    // default: its zero value

	K int // of TopPush: how many negative examples the threshold is the mean of; default: 1
	// of PatMat: part of the negative examples that may pass the threshold, in (0, 1); default: .05
	Tau float64
	// of PatMat: the threshold is over all examples, positive ones included, and so is the part Tau
	All            bool
	Theta1, Theta2 float64 // scale of the losses of positive examples, and of PatMat's threshold, > 0; default: 1

	Tol     float64 // relative duality gap to stop at, > 0; default: 1e-3
	Epochs  int     // most passes over the data, counted by visits of examples; default: 1000
	Seed    uint64  // of the random order. The same seed, data, Workers and CPU give the same bits
	Workers int     // goroutines; default: all cores, as far as there is work for them

	Progress   func(solvers.Progress) // called after each epoch, if not nil, by the goroutine that called Fit
	Checkpoint solvers.Checkpoint     // where the state goes, so that a training can be resumed; default: nowhere
}

// check returns c with its own defaults filled in, or what is wrong with it.
func (c Config) check() (Config, error) {
	c.C, c.Theta1, c.Theta2 = cmp.Or(c.C, 1), cmp.Or(c.Theta1, 1), cmp.Or(c.Theta2, 1)
	switch {
	case c.Method == TopPush && c.K == 0:
		c.K = 1
	case c.Method == PatMat && c.Tau == 0:
		c.Tau = 0.05
	}
	switch {
	case c.Method != TopPush && c.Method != PatMat:
		return c, fmt.Errorf("Method = %d, want TopPush, 0, or PatMat, 1", int(c.Method))
	case c.Loss != Quadratic && c.Loss != Hinge:
		return c, fmt.Errorf("Loss = %d, want Quadratic, 0, or Hinge, 1", int(c.Loss))
	case c.Method == PatMat && c.K > 0:
		return c, fmt.Errorf("K = %d with PatMat: it belongs to TopPush, and PatMat has Tau", c.K)
	case c.Method == TopPush && (c.Tau != 0 || c.All):
		return c, fmt.Errorf("Tau = %v, All = %t with TopPush: they belong to PatMat, and TopPush has K", c.Tau, c.All)
	case c.Method == PatMat && !(c.Tau > 0 && c.Tau < 1):
		return c, fmt.Errorf("Tau = %v, want a number above 0 and below 1", c.Tau)
	}
	return c, cmp.Or(moderate("C", c.C), moderate("Theta1", c.Theta1), moderate("Theta2", c.Theta2),
		family.Count("K", c.K, 1))
}

// moderate returns an error unless products of v with others of its kind are finite, and not 0.
func moderate(field string, v float64) error {
	const largest = 1e100
	if !(v >= 1/largest && v <= largest) {
		return fmt.Errorf("%s = %v, want a positive number, %v to %v", field, v, 1/largest, largest)
	}
	return nil
}

// options are the fields that all families have.
func (c Config) options() solvers.Options {
	return solvers.Options{Tol: c.Tol, Epochs: c.Epochs, Seed: c.Seed, Workers: c.Workers, Progress: c.Progress,
		Checkpoint: c.Checkpoint}
}
