package loss

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Bounded is a loss whose dual variables keep their signs, of true classes being >= 0 and all others <= 0:
// so that a block can be extrapolated by a kernel.
type Bounded[T vec.Float] interface {
	// Bounds sets most[c] to the largest size of the dual variable of class c, of blocks of weight r, and reports
	// whether the domain is all blocks with such signs and sizes. Otherwise Within has more to say.
	Bounds(most []T, r float64) (all bool)

	// Within sets the entry of the true class of a block whose other signs and sizes are right as Repair does, and
	// reports whether Repair would leave the others what they are. Where it would, Within may still report false.
	Within(a []T, y []int, r float64) bool
}

// Bounds sets the upper ends of the intervals of the x_c.
func (l LabelHinge[T]) Bounds(most []T, r float64) (all bool) {
	for c := range most {
		most[c] = below[T](r * l.cost(c))
	}
	return true
}

// Within returns true.
func (LabelHinge[T]) Within([]T, []int, float64) bool { return true }

// Bounds sets +Inf: dual variables have no bound.
func (SquaredHinge[T]) Bounds(most []T, _ float64) (all bool) {
	unbounded(most)
	return true
}

// Within returns true.
func (SquaredHinge[T]) Within([]T, []int, float64) bool { return true }

// Bounds sets +Inf.
func (TopKHinge[T]) Bounds(most []T, _ float64) (all bool) { return unbounded(most) }

// Within knows blocks of K = 1.
func (l TopKHinge[T]) Within(a []T, y []int, r float64) bool {
	return l.K == 1 && withinSimplex(a, y[0], r)
}

// Bounds sets +Inf.
func (TopKUsunier[T]) Bounds(most []T, _ float64) (all bool) { return unbounded(most) }

// Within knows blocks of K = 1.
func (l TopKUsunier[T]) Within(a []T, y []int, r float64) bool {
	return l.K == 1 && withinSimplex(a, y[0], r)
}

// Bounds sets +Inf.
func (TopKEntropy[T]) Bounds(most []T, _ float64) (all bool) { return unbounded(most) }

// Within knows blocks of K = 1.
func (l TopKEntropy[T]) Within(a []T, y []int, r float64) bool {
	return l.K == 1 && withinSimplex(a, y[0], r)
}

func unbounded[T vec.Float](most []T) bool {
	for c := range most {
		most[c] = T(math.Inf(1))
	}
	return false
}

// withinSimplex is Within for the blocks x >= 0, <1,x> <= r. The sum is repair's to the bit. Settle lowers no element
// that does not exceed the sum rounded down, which none does where T holds the sum or rounds it down itself.
func withinSimplex[T vec.Float](a []T, y int, r float64) bool {
	total := -sumWithout(a, y)
	largest := T(total)
	a[y] = largest
	if !(total <= float64(roundDown[T](r))) {
		return false
	}
	if float64(largest) <= total {
		return true
	}
	largest = roundDown[T](total)
	for j, v := range a {
		if j != y && -v > largest {
			return false
		}
	}
	return true
}

// sumWithout is the sum of all elements but a[y], in the order that sum has where there is no such element.
func sumWithout[T vec.Float](a []T, y int) float64 {
	var s0, s1, s2, s3 float64
	var four [4]T // around y
	head := y &^ 3
	n := copy(four[:], a[head:y])
	more := copy(four[n:], a[y+1:])
	tail := a[y+1+more:]
	for x := a[:head]; len(x) >= 4; x = x[4:] {
		s0 += float64(x[0])
		s1 += float64(x[1])
		s2 += float64(x[2])
		s3 += float64(x[3])
	}
	if n+more < 4 {
		for _, v := range four[:n+more] {
			s0 += float64(v)
		}
		return (s0 + s1) + (s2 + s3)
	}
	s0 += float64(four[0])
	s1 += float64(four[1])
	s2 += float64(four[2])
	s3 += float64(four[3])
	for ; len(tail) >= 4; tail = tail[4:] {
		s0 += float64(tail[0])
		s1 += float64(tail[1])
		s2 += float64(tail[2])
		s3 += float64(tail[3])
	}
	for _, v := range tail {
		s0 += float64(v)
	}
	return (s0 + s1) + (s2 + s3)
}
