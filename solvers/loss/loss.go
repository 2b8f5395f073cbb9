package loss

import (
	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// Traits are what a solver must know of a loss besides its numbers.
type Traits struct {
	Name    string // as users see it: "top-k hinge"
	Sets    bool   // any number of true classes; otherwise exactly one
	AllMove bool   // a visit that moves changes every dual variable of the example, not a few
	Fused   bool   // a visit is one kernel and costs little beside the scores

	// Separable says that the loss is a sum over the classes of terms of one score each: it is then the sum of the same
	// loss over any groups of classes, with the true ones among them.
	Separable bool
}

// Loss is a convex loss of one example and its conjugate. s holds the scores of all m classes, a the block of dual
// variables, and y the true classes in ascending order: one of 0..m-1, or any number of them where Traits says Sets. r
// > 0 is the weight of the example in the objective divided by lambda: 1/(lambda n). The package comment has the
// formulas.
//
// Values are safe for concurrent use; each goroutine brings its own Workspace. Once that has grown nothing is
// allocated.
type Loss[T vec.Float] interface {
	Traits() Traits

	// With returns the loss with K guesses that count and the given smoothing, where 0 means none. The error, prefixed
	// "loss: ", says which of them the loss does not have, or what is out of range. K = 1 and smoothing = 0 fit every
	// loss.
	With(k int, smoothing float64) (Loss[T], error)

	// Primal returns phi at the scores s.
	Primal(s []T, y []int, w *Workspace[T]) float64

	// Dual returns the dual term -r phi*(x/r), which is what a feasible block a adds to the dual objective, in units of
	// lambda.
	Dual(a []T, y []int, r float64, w *Workspace[T]) float64

	// Visit computes gap = r phi(s) - term + <a,s>, where term is the dual term of a. Unless gap > least it leaves a
	// alone; so it does where gap is NaN. Otherwise it moves a to the maximum of the dual objective over this block,
	// the other blocks fixed, and sets delta to the move. s are the scores before the move and h > 0 is the squared
	// norm of the example, a normal number of T. after is the dual term of a as Visit leaves it, and moved reports
	// whether delta is not zero.
	//
	// A loss whose outputs are coupled by a matrix R, so that W = Xᵀ A R, sets delta to its move times R, which is what
	// W and the scores move by, and adds the change of the quadratic term to w.Quadratic. Where that is by a Factor it
	// sets delta to Q times its move, as many numbers as U has columns.
	//
	// The new block is feasible in exact arithmetic but for the rounding of float64. a, s and delta have m elements
	// each and do not overlap. delta may be written up to its capacity, with zeros behind the m-th element. A fused
	// visit is quicker where that capacity is m rounded up to a multiple of 8.
	Visit(a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T]) (gap, after float64, moved bool)

	// Repair moves a block that is near the domain of the dual objective into it: a block that was feasible for a
	// smaller r, or one that was converted from float32 to float64. Its entries for the true classes are then exact to
	// float64. Beyond that it changes nothing where a is feasible.
	Repair(a []T, y []int, r float64, w *Workspace[T])

	// Reach returns the largest t for which t a is in the domain for radius r, given that a is in the domain for some
	// radius. It is +Inf where every multiple is: where a = 0, and where dual variables have no bound.
	Reach(a []T, y []int, r float64) float64
}

// Parted is a separable loss that is not the same for all classes.
type Parted[T vec.Float] interface {
	// Part returns the loss of some of m classes, ascending: the whole is the sum of its parts.
	Part(classes []int, m int) Loss[T]
}

// Workspace is scratch memory for one goroutine. The zero value is ready; it grows to the largest block it has met.
type Workspace[T vec.Float] struct {
	// Quadratic grows by the change of 1/2 <A, K A R> at each visit of a loss whose outputs are coupled by a matrix R:
	// see Loss.Visit.
	Quadratic float64

	// Example is the number of the example in question, for losses that differ from example to example: see Label.
	Example int

	// Zero tells a visit that a is 0, if its caller knows, as it is for most examples of an easy problem.
	Zero bool

	projection project.Workspace[T]
	block      []T
	margins    []T
	places     []int32
	u          []float64 // of a fused visit: see asm/hinge
	softmax    softmaxMemory
	sides      sides[T]
	group      group[T]
	matrixed   matrixed[T]
	logistic   logisticMemory
	margin64   []float64
}

// take returns n numbers.
func (w *Workspace[T]) take(n int) []T {
	if cap(w.block) < n {
		w.block = make([]T, n)
	}
	return w.block[:n]
}
