package m3l

import (
	"cmp"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
)

// Loss names a loss of one label with the score s, where y is 1 or -1. The zero value is Hamming.
type Loss int

// The losses. Each label by itself with SquaredHinge is LIBLINEAR's SVM with L2-loss, with Hinge its SVM with L1-loss
// and LIBSVM's without a constant, and with Logistic LIBLINEAR's L2-regularised logistic regression, C being theirs.
const (
	Hamming      Loss = iota // 2 max(0, 1 - y s): the paper's bound on twice the number of wrong labels
	Hinge                    // max(0, 1 - y s)
	SquaredHinge             // max(0, 1 - y s)²
	Logistic                 // log(1 + exp(-y s))
)

var lossNames = []string{"hamming", "hinge", "squared hinge", "logistic"}

// String returns the name of the loss in words.
func (l Loss) String() string { return family.Name("Loss", int(l), lossNames) }

// Config says what to train and how. The zero value of every field is its default.
type Config struct {
	C    float64 // weight of the losses, > 0; default: 1
	Loss Loss    // default: its zero value

	// number of labels L; the examples' are in 0..L-1; default: the number of names, of rows of R or columns of P, or
	// the largest label + 1, or as many as a Prior has columns, if these are more
	Labels int
	Costs  []float64 // of each label's losses, > 0; default: 1 each
	Bias   float64   // value of a constant feature added to every example, regularized as the others; default: none

	Tol     float64 // relative duality gap to stop at, > 0; default: 1e-3
	Epochs  int     // most passes over the data, counted by visits of examples; default: 1000
	Seed    uint64  // of the random order. The same seed, data, Workers and CPU give the same bits
	Workers int     // goroutines; default: all cores, as far as there is work for them

	BlockSize int // examples whose scores are computed together; default: chosen from the sizes

	Progress   func(solvers.Progress) // called after each epoch, if not nil, by the goroutine that called Fit
	Checkpoint solvers.Checkpoint     // where the state goes, so that a training can be resumed; default: nowhere
}

// check returns c with its own defaults filled in but for Labels, or what is wrong with it.
func (c Config) check() (Config, error) {
	c.C = cmp.Or(c.C, 1)
	if c.Loss < Hamming || c.Loss > Logistic {
		return c, fmt.Errorf("Loss = %d, want one from Hamming, 0, to %d", int(c.Loss), Logistic)
	}
	for l, v := range c.Costs {
		if family.Positive("", v) != nil {
			return c, fmt.Errorf("cost %v of label %d, want a positive number", v, l)
		}
	}
	return c, cmp.Or(family.Positive("C", c.C), family.Count("Labels", c.Labels, 1))
}

// options are the fields that all families have.
func (c Config) options() solvers.Options {
	return solvers.Options{Tol: c.Tol, Epochs: c.Epochs, Seed: c.Seed, Workers: c.Workers, Progress: c.Progress,
		Checkpoint: c.Checkpoint}
}
