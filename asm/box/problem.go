package box

// Problem has the labels of an example, and its loss.
type Problem[T float32 | float64] struct {
	C      *T // of each label what its dual variable counts in the dual: t margin, t being +1 for a true label, else -1
	Lo, Hi *T // the interval of its dual variable: no NaN, Lo[l] <= Hi[l]
	Bend   T  // of the squared hinge: 1/(2r)
	R      T  // of the squared hinge: its cost r
}

// Coupled has what does not depend on the example of m labels, their loss and the matrix R that couples them: see
// CoupledHingeF32.
type Coupled[T float32 | float64] struct {
	U, Hi    *T // margins, and where the intervals of t times the dual variables end; no NaN, Hi at least 0
	Coupling *T // R, whose rows begin at cache lines at best
	Own      *T // its diagonal
	Stride   int
	Floor    T // of a curvature, above 0: the least that divides safely
	Bend, R  T // of the squared hinge
}

// What a visit reports.
const (
	Rests = 0 // a is what it was: gap was not above least, and after is 0; or it was, and delta is 0
	Moved = 1 // a has changed, by delta
)

// What an extrapolation reports of a row.
const (
	Still   = 0 // it does not differ from its last one, and nothing is written
	Inside  = 1 // it is what extrapolation makes it, but for 2^-22 of each number at most; 2^-51 of a float64
	Clipped = 2 // a number has been clipped by more
)

// GroupSize is the number of labels of a Group: a line of memory of float32 numbers.
const GroupSize = 16

// Group has what does not depend on the example of up to 16 labels and their loss: see GroupHingeF32.
type Group[T float32 | float64] struct {
	U       [GroupSize]T // margins
	Hi      [GroupSize]T // where the interval of t times the dual variable ends; no NaN, at least 0
	Bend, R T            // of the squared hinge
}
