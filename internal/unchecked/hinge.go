package unchecked

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/hinge"
	"github.com/dualgap/dualgap/vec"
)

// What a step of the hinge loss reports.
const (
	Rests   = hinge.Rests   // a is what it was
	Moved   = hinge.Moved   // a has changed, by delta
	Refused = hinge.Refused // only u has been written: the numbers are so hostile that rounding leaves the domain
)

// HingeStep32 visits an example of the hinge loss of Crammer and Singer, as hinge.StepF32 in asm says: s are the scores
// of len(a) classes, at least 2, a the dual variables, y the true class, inv = 1/h. delta and u have room for len(a)
// elements rounded up to a multiple of 8, all of which may be written. No two of a, s, delta and u overlap.
func HingeStep32[T vec.Float](a, s, delta []T, y int, u *float64, inv, r, term, least float64) (gap, after float64,
	outcome int) {
	gap, after, outcome = hinge.StepF32((*float32)(unsafe.Pointer(unsafe.SliceData(a))),
		(*float32)(unsafe.Pointer(unsafe.SliceData(s))),
		(*float32)(unsafe.Pointer(unsafe.SliceData(delta))), len(a), y, u, inv, r, term, least)
	return
}

// HingeStep64 is HingeStep32 for float64.
func HingeStep64[T vec.Float](a, s, delta []T, y int, u *float64, inv, r, term, least float64) (gap, after float64,
	outcome int) {
	gap, after, outcome = hinge.StepF64((*float64)(unsafe.Pointer(unsafe.SliceData(a))),
		(*float64)(unsafe.Pointer(unsafe.SliceData(s))),
		(*float64)(unsafe.Pointer(unsafe.SliceData(delta))), len(a), y, u, inv, r, term, least)
	return
}

// LowerBlock sets x to its numbers lowered to most, which is 0 or more, and returns their sum.
func LowerBlock[T vec.Float](x []T, most T) (sum float64) {
	if Is32[T]() {
		return hinge.LowerF32(p32(x), len(x), float32(most))
	}
	return hinge.LowerF64(p64(x), len(x), float64(most))
}

// MoveBlock moves a to -x, sets delta to the moves, and returns the sum of x and whether one of them is not 0. x and
// delta have the length of a.
func MoveBlock[T vec.Float](a, x, delta []T) (sum float64, moved bool) {
	some := 0
	if Is32[T]() {
		sum, some = hinge.MoveF32(p32(a), p32(x), p32(delta), len(a))
	} else {
		sum, some = hinge.MoveF64(p64(a), p64(x), p64(delta), len(a))
	}
	return sum, some != 0
}

// SumBlock returns the sum of x in float64.
func SumBlock[T vec.Float](x []T) float64 {
	if Is32[T]() {
		return hinge.SumF32(p32(x), len(x))
	}
	return hinge.SumF64(p64(x), len(x))
}

// TargetBlock sets b[j] = (s[j] + margin) inv - rho a[j] + sum. b and s have the length of a; b overlaps neither.
func TargetBlock[T vec.Float](b, a, s []T, margin, inv, rho, sum T) {
	if Is32[T]() {
		hinge.TargetF32(p32(b), p32(a), p32(s), len(a), float32(margin), float32(inv), float32(rho), float32(sum))
	} else {
		hinge.TargetF64(p64(b), p64(a), p64(s), len(a), float64(margin), float64(inv), float64(rho), float64(sum))
	}
}
