package loss

import (
	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// Loss is a convex loss of one example and its conjugate. s holds the scores of all m classes, a the block of dual
// variables, y the true classes, ascending: one of 0..m-1, or any number for the losses of sets. r > 0 is the weight of the example in the
// objective divided by lambda, 1/(lambda n). The package comment has the formulas.
//
// Values are safe for concurrent use; each goroutine brings its own Workspace. Nothing is allocated once that is warm.
type Loss[T vec.Float] interface {
	// Primal returns phi at the scores s.
	Primal(s []T, y []int, w *Workspace[T]) float64

	// Dual returns -r phi*(x/r), what a feasible block a adds to the dual objective, in units of lambda.
	Dual(a []T, y []int, r float64, w *Workspace[T]) float64

	// Update moves the block a to the maximum of the dual objective over it, the other blocks fixed, where s are the scores
	// before the move and h > 0 is the squared norm of the example, and sets delta to the move. It reports whether that is
	// not zero. The result is feasible in exact arithmetic but for the rounding of float64: see the package comment.
	Update(a, s []T, y []int, h T, r float64, delta []T, w *Workspace[T]) bool

	// Repair moves a block near the domain of the dual objective into it: one that was feasible for a smaller r or has been
	// converted from float32 to float64, whose entries for the true classes then are exact to float64. It changes nothing
	// beyond that where a is feasible.
	Repair(a []T, y []int, r float64, w *Workspace[T])
}

// Workspace is scratch memory for one goroutine. The zero value is ready; it grows to the largest block it has met.
type Workspace[T vec.Float] struct {
	projection project.Workspace[T]
	block      []T
	margins    []T
	places     []int32
	u          []float64 // of a Step: see asm/hinge
}

// take returns n numbers.
func (w *Workspace[T]) take(n int) []T {
	if cap(w.block) < n {
		w.block = make([]T, n)
	}
	return w.block[:n]
}
