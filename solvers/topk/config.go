package topk

import (
	"cmp"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// Loss names a loss of package loss, which has the formulas. a_j = s_j - s_y over the classes j other than the true
// one, y, where s are the scores, and h_j = 1 + a_j. The zero value is the default: TopKHinge, or MultilabelHinge for
// Problem.Sets.
type Loss int

// The losses. A new one is a file in package loss, a line in its table of names, and its name here.
var (
	// max(0, the mean of the K largest h_j)
	TopKHinge = list("top-k hinge")
	// the mean of max(0, h_j) over the K largest; at least TopKHinge
	TopKUsunier = list("top-k Usunier")
	// for K = 1 the softmax loss, log(1 + sum_j exp a_j)
	TopKEntropy = list("top-k entropy")
	// for sets: max(0, 1 + the largest score of a false class - the smallest of a true one)
	MultilabelHinge = list("multilabel hinge")
	// for sets: log sum_j exp s_j - the mean score of the true classes
	MultilabelSoftmax = list("multilabel softmax")
	// for sets, one against all: sum over classes of max(0, 1 - t s)², t = 1 for true classes and -1 for others
	SquaredHinge = list("squared hinge")
)

// losses are the names of the losses, by which loss.Named has them.
var losses []string

// list makes a loss known.
func list(name string) Loss {
	losses = append(losses, name)
	return Loss(len(losses))
}

func (l Loss) known() bool { return l > 0 && int(l) <= len(losses) }

// String returns the name of the loss in words, by which [loss.Named] has it.
func (l Loss) String() string {
	switch {
	case l == 0:
		return "default"
	case !l.known():
		return fmt.Sprintf("Loss(%d)", int(l))
	}
	return losses[l-1]
}

// Config says what to train and how. Lambda is required; the zero value of every other field is its default.
type Config struct {
	K         int     // guesses that count, 1 <= K < classes; default: 1
	Loss      Loss    // default: its zero value
	Smoothing float64 // of TopKHinge and TopKUsunier: their conjugates gain Smoothing/2 |u|²; default: 0, none
	Lambda    float64 // weight of the regularization, > 0

	// number of classes m, labels are in 0..m-1; default: the number of names, or the largest label + 1
	Classes      int
	ClassWeights []float64 // of the losses of each class's examples; default: 1 each; not for sets
	// value of a constant feature added to every example, regularized as the others; default: none
	Bias float64

	Tol     float64 // relative duality gap to stop at, > 0; default: 1e-3
	Epochs  int     // most passes over the data, counted by visits of examples; default: 1000
	Seed    uint64  // of the random order. The same seed, data, Workers and CPU give the same bits
	Workers int     // goroutines; default: all cores, as far as there is work for them

	BlockSize int // examples whose scores are computed together; default: chosen from the sizes

	Progress   func(solvers.Progress) // called after each epoch, if not nil, by the goroutine that called Fit
	Checkpoint solvers.Checkpoint     // where the state goes, so that a training can be resumed; default: nowhere
}

// check returns c with its own defaults filled in but for Loss and Classes, or what is wrong with it.
func (c Config) check() (Config, error) {
	c.K = cmp.Or(c.K, 1)
	if c.Loss != 0 && !c.Loss.known() {
		return c, fmt.Errorf("Loss = %d, want one from TopKHinge, 1, to %d", int(c.Loss), len(losses))
	}
	return c, cmp.Or(family.Positive("Lambda", c.Lambda), family.Count("K", c.K, 1),
		family.Count("Classes", c.Classes, 2))
}

// options are the fields that all families have.
func (c Config) options() solvers.Options {
	return solvers.Options{Tol: c.Tol, Epochs: c.Epochs, Seed: c.Seed, Workers: c.Workers, Progress: c.Progress,
		Checkpoint: c.Checkpoint}
}

// traits returns the traits of a listed loss, whose name package loss knows.
func (l Loss) traits() loss.Traits {
	listed, _ := loss.Named[float64](l.String(), 1, 0)
	return listed.Traits()
}

// listed returns the loss that c names, for numbers of type T.
func listed[T vec.Float](c Config) (loss.Loss[T], error) {
	return loss.Named[T](c.Loss.String(), c.K, c.Smoothing)
}
