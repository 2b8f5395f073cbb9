package unchecked

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/box"
	"github.com/dualgap/dualgap/vec"
)

// BoxProblem has the labels of an example, each of whose dual variables has an interval of its own, and their loss.
type BoxProblem[T vec.Float] = box.Problem[T]

// BoxHinge32 visits an example with the hinge of each label, as box.HingeF32 in asm says: s are the scores of len(a)
// labels, at least 1, a the dual variables, inv = 1/h. It reports Rests or Moved. No two of a, s, delta and the arrays
// of p overlap.
func BoxHinge32[T vec.Float](a, s, delta []T, p *BoxProblem[T], inv T, least float64) (gap, after float64, outcome int) {
	gap, after, outcome = box.HingeF32((*float32)(unsafe.Pointer(unsafe.SliceData(a))), (*float32)(unsafe.Pointer(unsafe.SliceData(s))),
		(*float32)(unsafe.Pointer(unsafe.SliceData(delta))), len(a), (*BoxProblem[float32])(unsafe.Pointer(p)), float32(inv), least)
	return
}

// BoxHinge64 is BoxHinge32 for float64.
func BoxHinge64[T vec.Float](a, s, delta []T, p *BoxProblem[T], inv T, least float64) (gap, after float64, outcome int) {
	gap, after, outcome = box.HingeF64((*float64)(unsafe.Pointer(unsafe.SliceData(a))), (*float64)(unsafe.Pointer(unsafe.SliceData(s))),
		(*float64)(unsafe.Pointer(unsafe.SliceData(delta))), len(a), (*BoxProblem[float64])(unsafe.Pointer(p)), float64(inv), least)
	return
}

// BoxSquared32 is BoxHinge32 for the squared hinge of each label, as box.SquaredF32 in asm says: inv = 1/(h + p.Bend).
func BoxSquared32[T vec.Float](a, s, delta []T, p *BoxProblem[T], inv T, least float64) (gap, after float64, outcome int) {
	gap, after, outcome = box.SquaredF32((*float32)(unsafe.Pointer(unsafe.SliceData(a))), (*float32)(unsafe.Pointer(unsafe.SliceData(s))),
		(*float32)(unsafe.Pointer(unsafe.SliceData(delta))), len(a), (*BoxProblem[float32])(unsafe.Pointer(p)), float32(inv), least)
	return
}

// BoxSquared64 is BoxSquared32 for float64.
func BoxSquared64[T vec.Float](a, s, delta []T, p *BoxProblem[T], inv T, least float64) (gap, after float64, outcome int) {
	gap, after, outcome = box.SquaredF64((*float64)(unsafe.Pointer(unsafe.SliceData(a))), (*float64)(unsafe.Pointer(unsafe.SliceData(s))),
		(*float64)(unsafe.Pointer(unsafe.SliceData(delta))), len(a), (*BoxProblem[float64])(unsafe.Pointer(p)), float64(inv), least)
	return
}
