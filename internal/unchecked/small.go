package unchecked

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/proj"
	"github.com/dualgap/dualgap/vec"
)

// SmallProblem is a projection of few elements: the parameters, and what the kernel answers. Its layout is the layout
// of the last argument of proj.SmallF32.
type SmallProblem struct {
	R, Rho, K, Limit, Share float64 // parameters: the radius, rho, k, the cap, k + rho k²
	C, Shift                float64 // answer: T = C + Shift
	T, U, Lambda            float64 // thresholds
	Cap, Mid                int32   // numbers of elements at the cap, and between the bounds
	_                       [16 + 3]float64
}

var _ [8 * proj.SmallParams]byte = [unsafe.Sizeof(SmallProblem{})]byte{}

// Kinds of small problems, x_i = min(max(0, a_i - T), u) with the sum of x
const (
	SmallSimplex  = iota // min(T/rho, r) where u = r
	SmallCapped          // min(T/rho, r)
	SmallTopK            // of the top-k simplex
	SmallKnapsack        // r, where K is r/u rounded up
	SmallEqual           // r, where u = r
)

// SmallMost is the largest number of elements that the kernel takes: eight vectors.
func SmallMost[T vec.Float]() uint { return 8 * 64 / uint(unsafe.Sizeof(T(0))) }

// Small32 projects a onto dst, of the same length, 1 to SmallMost; 1 <= k <= len(a). The parameters that the kind has
// are set in p. Other than 0 it returns when the problem is solved, and the answer is in p. Otherwise it has left the
// problem to others, for the reasons that proj.SmallF32 in asm gives, and dst alone. dst may be a.
func Small32[T vec.Float](dst, a []T, k, kind int, p *SmallProblem) (solved int) {
	return proj.SmallF32((*float32)(unsafe.Pointer(unsafe.SliceData(dst))),
		(*float32)(unsafe.Pointer(unsafe.SliceData(a))), len(a), k, kind, &p.R)
}

// Small64 is Small32 for float64.
func Small64[T vec.Float](dst, a []T, k, kind int, p *SmallProblem) (solved int) {
	return proj.SmallF64((*float64)(unsafe.Pointer(unsafe.SliceData(dst))),
		(*float64)(unsafe.Pointer(unsafe.SliceData(a))), len(a), k, kind, &p.R)
}
