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
func BoxHinge32[T vec.Float](a, s, delta []T, p *BoxProblem[T], inv T, least float64) (gap, after float64,
	outcome int) {
	gap, after, outcome = box.HingeF32((*float32)(unsafe.Pointer(unsafe.SliceData(a))),
		(*float32)(unsafe.Pointer(unsafe.SliceData(s))),
		(*float32)(unsafe.Pointer(unsafe.SliceData(delta))), len(a), (*BoxProblem[float32])(unsafe.Pointer(p)),
		float32(inv), least)
	return
}

// BoxHinge64 is BoxHinge32 for float64.
func BoxHinge64[T vec.Float](a, s, delta []T, p *BoxProblem[T], inv T, least float64) (gap, after float64,
	outcome int) {
	gap, after, outcome = box.HingeF64((*float64)(unsafe.Pointer(unsafe.SliceData(a))),
		(*float64)(unsafe.Pointer(unsafe.SliceData(s))),
		(*float64)(unsafe.Pointer(unsafe.SliceData(delta))), len(a), (*BoxProblem[float64])(unsafe.Pointer(p)),
		float64(inv), least)
	return
}

// BoxSquared32 is BoxHinge32 for the squared hinge of each label, as box.SquaredF32 in asm says: inv = 1/(h + p.Bend).
func BoxSquared32[T vec.Float](a, s, delta []T, p *BoxProblem[T], inv T, least float64) (gap, after float64,
	outcome int) {
	gap, after, outcome = box.SquaredF32((*float32)(unsafe.Pointer(unsafe.SliceData(a))),
		(*float32)(unsafe.Pointer(unsafe.SliceData(s))),
		(*float32)(unsafe.Pointer(unsafe.SliceData(delta))), len(a), (*BoxProblem[float32])(unsafe.Pointer(p)),
		float32(inv), least)
	return
}

// BoxSquared64 is BoxSquared32 for float64.
func BoxSquared64[T vec.Float](a, s, delta []T, p *BoxProblem[T], inv T, least float64) (gap, after float64,
	outcome int) {
	gap, after, outcome = box.SquaredF64((*float64)(unsafe.Pointer(unsafe.SliceData(a))),
		(*float64)(unsafe.Pointer(unsafe.SliceData(s))),
		(*float64)(unsafe.Pointer(unsafe.SliceData(delta))), len(a), (*BoxProblem[float64])(unsafe.Pointer(p)),
		float64(inv), least)
	return
}

// BoxCoupled has what labels, their loss and the matrix that couples them are, whatever the example.
type BoxCoupled[T vec.Float] = box.Coupled[T]

// BoxCoupledHinge visits an example whose labels are coupled, with the hinge of each, as box.CoupledHingeF32 in asm
// says: s are the scores of len(a) labels, at least 1, of which y has a bit each, set where it is true. delta has room
// for as many numbers, rounded up to a multiple of 64 bytes. It reports Rests or Moved.
func BoxCoupledHinge[T vec.Float](a, s, delta []T, y []uint64, p *BoxCoupled[T], h T, least float64) (gap, term,
	quadratic float64, outcome int) {
	if Is32[T]() {
		return box.CoupledHingeF32(p32(a), p32(s), p32(delta), len(a), unsafe.SliceData(y),
			(*BoxCoupled[float32])(unsafe.Pointer(p)), float32(h), least)
	}
	return box.CoupledHingeF64(p64(a), p64(s), p64(delta), len(a), unsafe.SliceData(y),
		(*BoxCoupled[float64])(unsafe.Pointer(p)), float64(h), least)
}

// BoxCoupledSquared is BoxCoupledHinge for the squared hinge of each label.
func BoxCoupledSquared[T vec.Float](a, s, delta []T, y []uint64, p *BoxCoupled[T], h T, least float64) (gap, term,
	quadratic float64, outcome int) {
	if Is32[T]() {
		return box.CoupledSquaredF32(p32(a), p32(s), p32(delta), len(a), unsafe.SliceData(y),
			(*BoxCoupled[float32])(unsafe.Pointer(p)), float32(h), least)
	}
	return box.CoupledSquaredF64(p64(a), p64(s), p64(delta), len(a), unsafe.SliceData(y),
		(*BoxCoupled[float64])(unsafe.Pointer(p)), float64(h), least)
}

// BoxGroup has what up to BoxGroupSize labels and their loss have in common.
type BoxGroup[T vec.Float] = box.Group[T]

// BoxGroupSize is the number of labels that a visit of a group has room for.
const BoxGroupSize = box.GroupSize

// BoxGroupHinge is the whole visit of the sparse vector (idx, val) with the hinge of each label of a group, as
// box.GroupHingeF32 in asm says: the rows of w that idx names and a have BoxGroupSize numbers each, bit l of y is set
// where label l is true, inv = 1/h. It reports Rests or Moved. Nothing overlaps.
func BoxGroupHinge[T vec.Float](w *vec.Matrix[T], idx []int32, val, a []T, y int, p *BoxGroup[T], inv T,
	least float64) (gap, after float64, outcome int) {
	if Is32[T]() {
		return box.GroupHingeF32(p32(w.Data), unsafe.SliceData(idx), p32(val), len(idx), p32(a), y,
			(*BoxGroup[float32])(unsafe.Pointer(p)), float32(inv), least)
	}
	return box.GroupHingeF64(p64(w.Data), unsafe.SliceData(idx), p64(val), len(idx), p64(a), y,
		(*BoxGroup[float64])(unsafe.Pointer(p)), float64(inv), least)
}

// BoxGroupSquared is BoxGroupHinge for the squared hinge of each label: inv = 1/(h + p.Bend).
func BoxGroupSquared[T vec.Float](w *vec.Matrix[T], idx []int32, val, a []T, y int, p *BoxGroup[T], inv T,
	least float64) (gap, after float64, outcome int) {
	if Is32[T]() {
		return box.GroupSquaredF32(p32(w.Data), unsafe.SliceData(idx), p32(val), len(idx), p32(a), y,
			(*BoxGroup[float32])(unsafe.Pointer(p)), float32(inv), least)
	}
	return box.GroupSquaredF64(p64(w.Data), unsafe.SliceData(idx), p64(val), len(idx), p64(a), y,
		(*BoxGroup[float64])(unsafe.Pointer(p)), float64(inv), least)
}

// BoxOne is a visit of a sparse example with one output.
type BoxOne = box.One

// BoxOneAhead is how many visits ahead rows are asked for.
const BoxOneAhead = box.OneAhead

// BoxOneHinge visits sparse examples with one output and the hinge, one after the other, as box.OneHingeF32 in asm
// says: their rows lie in idx and val, bias is the weight of a constant feature. The last BoxOneAhead of v are not
// visited.
func BoxOneHinge[T vec.Float](v []BoxOne, idx []int32, val, w []T, bias *T, constant T, least float64) {
	visits, n, b := (*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)-BoxOneAhead, unsafe.Pointer(bias)
	if Is32[T]() {
		box.OneHingeF32(visits, n, unsafe.SliceData(idx), p32(val), p32(w), (*float32)(b), float32(constant), least)
	} else {
		box.OneHingeF64(visits, n, unsafe.SliceData(idx), p64(val), p64(w), (*float64)(b), float64(constant), least)
	}
}

// BoxOneSquared is BoxOneHinge for the squared hinge.
func BoxOneSquared[T vec.Float](v []BoxOne, idx []int32, val, w []T, bias *T, constant T, least float64) {
	visits, n, b := (*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)-BoxOneAhead, unsafe.Pointer(bias)
	if Is32[T]() {
		box.OneSquaredF32(visits, n, unsafe.SliceData(idx), p32(val), p32(w), (*float32)(b), float32(constant), least)
	} else {
		box.OneSquaredF64(visits, n, unsafe.SliceData(idx), p64(val), p64(w), (*float64)(b), float64(constant), least)
	}
}

// BoxOneLogistic is BoxOneHinge for the logistic loss.
func BoxOneLogistic[T vec.Float](v []BoxOne, idx []int32, val, w []T, bias *T, constant T, least float64) {
	visits, n, b := (*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)-BoxOneAhead, unsafe.Pointer(bias)
	if Is32[T]() {
		box.OneLogisticF32(visits, n, unsafe.SliceData(idx), p32(val), p32(w), (*float32)(b), float32(constant), least)
	} else {
		box.OneLogisticF64(visits, n, unsafe.SliceData(idx), p64(val), p64(w), (*float64)(b), float64(constant), least)
	}
}

// What ExtrapolateRows reports of a row.
const (
	Still   = box.Still
	Inside  = box.Inside
	Clipped = box.Clipped
)

// Extrapolate goes on from last to w and beyond, as box.ExtrapolateF32 in asm says, and returns the sums of the squares
// of w before and after. The two are as long and do not overlap.
func Extrapolate[T vec.Float](w, last []T, beta T) (before, after float64) {
	if Is32[T]() {
		return box.ExtrapolateF32(p32(w), p32(last), len(w), float32(beta))
	}
	return box.ExtrapolateF64(p64(w), p64(last), len(w), float64(beta))
}

// ExtrapolateRows extrapolates len(moved) rows of len(most) numbers each, at least 1, lda and ldl apart, until one is
// clipped, as box.ExtrapolateRowsF32 in asm says. Nothing overlaps.
func ExtrapolateRows[T vec.Float](a, last, free []T, lda, ldl int, beta T, most []T, moved []uint8) (rows int) {
	if Is32[T]() {
		return box.ExtrapolateRowsF32(p32(a), p32(last), p32(free), lda, ldl, len(most), len(moved), float32(beta),
			p32(most), unsafe.SliceData(moved))
	}
	return box.ExtrapolateRowsF64(p64(a), p64(last), p64(free), lda, ldl, len(most), len(moved), float64(beta),
		p64(most), unsafe.SliceData(moved))
}
