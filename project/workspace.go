package project

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// Workspace is the scratch memory of projections. The zero value is ready. It grows with the vectors that it meets, and
// a vector no longer than those before it allocates nothing. It serves one goroutine at a time. Where a function takes
// a Workspace, nil is allowed and costs an allocation.
type Workspace[T vec.Float] struct {
	v       []float64 // the elements that can matter, as float64 whatever T is
	cand    []T       // what pruning leaves
	index   []int32   // and its positions
	abs     []T       // magnitudes, for the l1 ball
	again   [againTo + classes]int32
	sample  []T
	sorted  []T // what w.largest has sorted
	maxima  [classes]T
	bound   [4]float32 // for unchecked.Prune32
	placed  bool       // index has the positions of cand
	cleared bool       // dst has been cleared
	sink    [classes]T // results that nobody reads
	problem smallProblem
	items   []item // of weighted knapsacks
	pools   []pool // of permutahedra
}

// newWorkspace stands in for nil. Out of line, as a workspace on the stack is cleared by every call that might need
// one.
//
//go:noinline
func newWorkspace[T vec.Float]() *Workspace[T] { return new(Workspace[T]) }

// scratch returns an empty slice with room for n numbers, and one more.
func (w *Workspace[T]) scratch(n int) []float64 {
	if w == nil {
		return make([]float64, 0, n+1)
	}
	if cap(w.v) <= n {
		w.v = make([]float64, 0, n+1)
	}
	return w.v[:0]
}

// Thresholds are the multipliers of a projection x of a: x_i = min(max(L, a_i - T), U), where the lower bound L is zero
// unless the set has another. They are computed in float64, before x is rounded to the type of the vector.
type Thresholds struct {
	T      float64 // the shift t, in units of a
	U      float64 // the cap u on every x_i
	Lambda float64 // the multiplier of the bound on the sum, in units of a; see each set
	Counts
}

// Counts are numbers of elements. They are a struct of their own so that the compiler keeps Thresholds in registers.
type Counts struct {
	Cap int32 // |U|, the number of i with x_i = u > 0
	Mid int32 // |M|, the number of i between: 0 < x_i < u
}

// Low returns |L|, how many of d elements are at the lower bound.
func (t Thresholds) Low(d int) int { return d - int(t.Cap) - int(t.Mid) }

// kernelFrom is the dimension from which the call of a kernel pays.
const kernelFrom = 16

// write sets dst = min(max(0, a - c - t), u) and counts; kept holds all elements of a that are above c + t. T is
// c + t, kept apart because the elements between the bounds lie within u of c, so that a - c is exact where a - (c+t)
// would not be. Thresholds that are not finite (the input was not, or its sums overflow) make every element NaN.
func (w *Workspace[T]) write(dst, a, kept []T, c, t, u float64) Thresholds {
	if t-t != 0 || c-c != 0 || u != u {
		return undefined(dst)
	}
	th := Thresholds{T: c + t, U: u}
	if len(a) < kernelFrom || unchecked.Generic() {
		dst = dst[:len(a)]
		for i, ai := range a {
			x := float64(ai) - c - t
			switch {
			case x <= 0:
				x = 0
			case x >= u:
				x = u
				th.Cap++
			default:
				th.Mid++
			}
			dst[i] = T(x)
		}
		return th
	}
	th.Counts = count(kept, c, t, 0, u) // before dst, which may be a, changes
	w.spread(dst, a, kept, c, t, u)
	return th
}

// count counts the elements whose a - c - t is at least u, and those where it is between l and u. It has no branch on
// the data.
func count[T vec.Float](a []T, c, t, l, u float64) (n Counts) {
	for _, ai := range a {
		x := float64(ai) - c - t
		above, below := int32(0), int32(0)
		if x > l {
			above = 1
		}
		if x < u {
			below = 1
		}
		n.Cap += above &^ below
		n.Mid += above & below
	}
	return n
}

// negative is 1 for x < 0, and 0 for a larger number or zeros: -0 + 0 is 0.
func negative(x float64) uint64 { return math.Float64bits(x+0) >> 63 }

// clip sets dst to a - c - t within [l, u].
func clip[T vec.Float](dst, a []T, c, t, l, u float64) {
	skip := (c + t + l) - 0x1p-48*(math.Abs(c)+math.Abs(t)+math.Abs(l))
	if unchecked.Is32[T]() {
		unchecked.Clip32(dst, a, float32(roundDown[T](skip)), c, t, l, u)
	} else {
		unchecked.Clip64(dst, a, skip, c, t, l, u)
	}
}

// undefined is the answer to input that has none.
func undefined[T vec.Float](dst []T) Thresholds {
	nan := math.NaN()
	for i := range dst {
		dst[i] = T(nan)
	}
	return Thresholds{T: nan, U: nan, Lambda: nan}
}
