package topk

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// Loss is the loss of an example in terms of a_j = s_j - s_y over the classes j other than the true one, y, where s are
// the scores, and of h_j = 1 + a_j. The last two are for sets of true classes, see [FitSets], and have no K.
type Loss int

const (
	Alpha   Loss = iota // max(0, the mean of the K largest h_j): the top-k hinge loss
	Beta                // the mean of max(0, h_j) over the K largest: the top-k loss of Usunier; at least Alpha
	Entropy             // the top-k entropy loss; for K = 1 the softmax loss, log(1 + sum_j exp a_j)

	MultilabelHinge   // max(0, 1 + the largest score of a false class - the smallest of a true one)
	MultilabelSoftmax // log sum_j exp s_j - the mean score of the true classes
)

var lossNames = [...]string{"alpha", "beta", "entropy", "multilabel hinge", "multilabel softmax"}

func (l Loss) String() string {
	if l < 0 || int(l) >= len(lossNames) {
		return fmt.Sprintf("Loss(%d)", int(l))
	}
	return lossNames[l]
}

// sets reports whether the loss is for sets of true classes.
func (l Loss) sets() bool { return l == MultilabelHinge || l == MultilabelSoftmax }

// allMove reports whether a move changes every dual variable of an example, not a few.
func (l Loss) allMove() bool { return l == Entropy || l == MultilabelSoftmax }

// Config says what to train and how. Lambda is required; the zero value of every other field is its default.
type Config struct {
	K      int     // guesses that count, 1 <= K < classes; default: 1
	Loss   Loss    // default: Alpha
	Gamma  float64 // smooths Alpha and Beta: their conjugates gain Gamma/2 |u|²; default: 0, not smooth
	Lambda float64 // weight of the regularization, > 0

	Classes int     // number of classes m, labels are in 0..m-1; default: the largest label + 1
	Bias    float64 // value of a constant feature added to every example, regularized as the others; default: none

	Weights      []float64 // of the losses of the n examples, >= 0; default: 1 each
	ClassWeights []float64 // of the losses of each class's examples, times those; default: 1 each; not with FitSets

	Tol     float64 // relative duality gap to stop at, > 0; default: 1e-3
	Epochs  int     // most epochs; default: 1000. Late epochs visit a fraction of the examples
	Seed    uint64  // of the random order. The same seed, data, Workers and CPU give the same bits
	Workers int     // goroutines; default: 1

	BlockSize int // examples whose scores are computed together; default: chosen from the sizes

	// Progress is called after each epoch, if not nil, by the goroutine that called Fit.
	Progress func(solvers.Progress)
}

// withDefaults returns c with its defaults filled in but for BlockSize, or what is wrong with it.
func (c Config) withDefaults() (Config, error) {
	c.K = orDefault(c.K, 1)
	c.Tol = orDefault(c.Tol, 1e-3)
	c.Epochs = orDefault(c.Epochs, 1000)
	c.Workers = orDefault(c.Workers, 1)
	switch {
	case !(c.Lambda > 0) || math.IsInf(c.Lambda, 1):
		return c, fmt.Errorf("topk: Lambda = %v, need a positive number", c.Lambda)
	case c.K < 0:
		return c, fmt.Errorf("topk: K = %d, need at least 1", c.K)
	case c.Loss < 0 || int(c.Loss) >= len(lossNames):
		return c, fmt.Errorf("topk: Loss = %d, need one from Alpha, 0, to MultilabelSoftmax, %d", int(c.Loss), len(lossNames)-1)
	case !(c.Gamma >= 0) || math.IsInf(c.Gamma, 1):
		return c, fmt.Errorf("topk: Gamma = %v, need a finite number of at least 0", c.Gamma)
	case c.Gamma > 0 && c.Loss != Alpha && c.Loss != Beta:
		return c, fmt.Errorf("topk: Gamma = %v with the loss %v, need Alpha or Beta", c.Gamma, c.Loss)
	case c.K > 1 && c.Loss.sets():
		return c, fmt.Errorf("topk: K = %d with the loss %v, which has none", c.K, c.Loss)
	case !(c.Tol > 0):
		return c, fmt.Errorf("topk: Tol = %v, need a positive number", c.Tol)
	case c.Epochs < 0:
		return c, fmt.Errorf("topk: Epochs = %d, need at least 1", c.Epochs)
	case c.Workers < 0:
		return c, fmt.Errorf("topk: Workers = %d, need at least 1", c.Workers)
	case c.Classes < 0:
		return c, fmt.Errorf("topk: Classes = %d, need at least 2", c.Classes)
	case c.BlockSize < 0:
		return c, fmt.Errorf("topk: BlockSize = %d, need at least 1", c.BlockSize)
	case c.Bias-c.Bias != 0:
		return c, fmt.Errorf("topk: Bias = %v, need a finite number", c.Bias)
	}
	return c, nil
}

func orDefault[N int | float64](v, otherwise N) N {
	if v == 0 {
		return otherwise
	}
	return v
}

// lossOf returns the loss that c names, for numbers of type T.
func lossOf[T vec.Float](c Config) loss.Loss[T] {
	switch c.Loss {
	case Beta:
		return loss.TopKUsunier[T]{K: c.K, Gamma: c.Gamma}
	case Entropy:
		return loss.TopKEntropy[T]{K: c.K}
	case MultilabelHinge:
		return loss.MultilabelHinge[T]{}
	case MultilabelSoftmax:
		return loss.MultilabelSoftmax[T]{}
	}
	return loss.TopKHinge[T]{K: c.K, Gamma: c.Gamma}
}
