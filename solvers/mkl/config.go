package mkl

import (
	"cmp"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// Loss names a loss of package loss, with h_j = 1 + s_j - s_y over the classes j other than the true one, y. The zero
// value is TopKHinge, which for K = 1 is the multi-class hinge.
type Loss int

// The losses.
const (
	TopKHinge   Loss = iota // max(0, the mean of the K largest h_j)
	TopKUsunier             // the mean of max(0, h_j) over the K largest; at least TopKHinge
)

var lossNames = []string{"top-k hinge", "top-k hinge of Usunier"}

// String returns the name of the loss in words.
func (l Loss) String() string { return family.Name("Loss", int(l), lossNames) }

// Config says what to train and how. The zero value of every field is its default.
type Config struct {
	P    float64 // the norm over the kernels, 1 < P <= 2: the nearer to 1, the fewer kernels have a part; default: 1.25
	C    float64 // weight of the losses, > 0; default: 1
	Loss Loss    // default: its zero value
	K    int     // guesses that count, 1 <= K < classes; default: 1

	Classes int // number of classes m, labels are in 0..m-1; default: the number of names, or the largest label + 1

	Tol     float64 // relative duality gap to stop at, > 0; default: 1e-3
	Epochs  int     // most passes over the data, counted by visits of examples; default: 1000
	Seed    uint64  // of the random order. The same seed, data, Workers and CPU give the same bits
	Workers int     // goroutines; default: all cores, as far as there is work for them

	Progress   func(solvers.Progress) // called after each epoch, if not nil, by the goroutine that called Fit
	Checkpoint solvers.Checkpoint     // where the state goes, so that a training can be resumed; default: nowhere
}

// check returns c with its own defaults filled in but for Classes, or what is wrong with it.
func (c Config) check() (Config, error) {
	c.P, c.C, c.K = cmp.Or(c.P, 1.25), cmp.Or(c.C, 1), cmp.Or(c.K, 1)
	switch {
	case !(c.P > 1 && c.P <= 2):
		return c, fmt.Errorf("P = %v, want a number above 1, at most 2", c.P)
	case c.Loss != TopKHinge && c.Loss != TopKUsunier:
		return c, fmt.Errorf("Loss = %d, want TopKHinge, 0, or TopKUsunier, 1", int(c.Loss))
	}
	return c, cmp.Or(family.Positive("C", c.C), family.Count("K", c.K, 1), family.Count("Classes", c.Classes, 2))
}

// options are the fields that all families have.
func (c Config) options() solvers.Options {
	return solvers.Options{Tol: c.Tol, Epochs: c.Epochs, Seed: c.Seed, Workers: c.Workers, Progress: c.Progress,
		Checkpoint: c.Checkpoint}
}

// lossOf returns the loss that c names, for numbers of type T.
func lossOf[T vec.Float](c Config) loss.Loss[T] {
	if c.Loss == TopKUsunier {
		return loss.TopKUsunier[T]{K: c.K}
	}
	return loss.TopKHinge[T]{K: c.K}
}
