package topk

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// Loss is the loss of an example in terms of h_j = 1 + s_j - s_y over the classes j other than the true one, y, where s are
// the scores. For K = 1 the two are the same.
type Loss int

const (
	Alpha Loss = iota // max(0, the mean of the K largest h_j): the top-k hinge loss
	Beta              // the mean of max(0, h_j) over the K largest: the top-k loss of Usunier; at least Alpha
)

func (l Loss) String() string {
	switch l {
	case Alpha:
		return "alpha"
	case Beta:
		return "beta"
	}
	return fmt.Sprintf("Loss(%d)", int(l))
}

// Config says what to train and how. Lambda is required; the zero value of every other field is its default.
type Config struct {
	K      int     // guesses that count, 1 <= K < classes; default: 1
	Loss   Loss    // default: Alpha
	Lambda float64 // weight of the regularization, > 0

	Classes int     // number of classes m, labels are in 0..m-1; default: the largest label + 1
	Bias    float64 // value of a constant feature added to every example, regularized as the others; default: none

	Tol    float64 // relative duality gap to stop at, > 0; default: 1e-3
	Epochs int     // most epochs; default: 1000. Late epochs visit a fraction of the examples
	Seed   uint64  // of the random order. The same seed, data and CPU give the same bits

	BlockSize int // examples whose scores are computed together; default: chosen from the sizes

	// Progress is called after each epoch, if not nil, by the goroutine that called Fit.
	Progress func(solvers.Progress)
}

// withDefaults returns c with its defaults filled in but for BlockSize, or what is wrong with it.
func (c Config) withDefaults() (Config, error) {
	if c.K == 0 {
		c.K = 1
	}
	if c.Tol == 0 {
		c.Tol = 1e-3
	}
	if c.Epochs == 0 {
		c.Epochs = 1000
	}
	switch {
	case !(c.Lambda > 0) || math.IsInf(c.Lambda, 1):
		return c, fmt.Errorf("topk: Lambda = %v, need a positive number", c.Lambda)
	case c.K < 0:
		return c, fmt.Errorf("topk: K = %d, need at least 1", c.K)
	case c.Loss != Alpha && c.Loss != Beta:
		return c, fmt.Errorf("topk: Loss = %d, need Alpha or Beta", int(c.Loss))
	case !(c.Tol > 0):
		return c, fmt.Errorf("topk: Tol = %v, need a positive number", c.Tol)
	case c.Epochs < 0:
		return c, fmt.Errorf("topk: Epochs = %d, need at least 1", c.Epochs)
	case c.Classes < 0:
		return c, fmt.Errorf("topk: Classes = %d, need at least 2", c.Classes)
	case c.BlockSize < 0:
		return c, fmt.Errorf("topk: BlockSize = %d, need at least 1", c.BlockSize)
	case c.Bias-c.Bias != 0:
		return c, fmt.Errorf("topk: Bias = %v, need a finite number", c.Bias)
	}
	return c, nil
}

// lossOf returns the loss that c names, for numbers of type T.
func lossOf[T vec.Float](c Config) loss.Loss[T] {
	if c.Loss == Beta {
		return loss.TopKUsunier[T]{K: c.K}
	}
	return loss.TopKHinge[T]{K: c.K}
}
