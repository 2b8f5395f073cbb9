package unchecked

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/entropy"
	"github.com/dualgap/dualgap/vec"
)

// EntropyProblem has the parameters of a step of the softmax loss, and what it answers.
type EntropyProblem = entropy.Problem

// EntropyRefused is what a step reports that has changed nothing but its scratch memory and EntropyProblem.Shift.
const EntropyRefused = entropy.Refused

// EntropyRows is the number of rows of the scratch memory u that the kernels of the softmax loss share, each of as many
// numbers as there are classes, rounded up to a multiple of 8: z, l, p, and one of their own. What they compute package
// asm/entropy says.
const EntropyRows = entropy.Rows

// EntropyBegin32 starts from the softmax of the scores s, times e^-shift, and the dual variables a, of the same length.
// sums has 2 numbers.
func EntropyBegin32[T vec.Float](a, s []T, u, sums *float64, shift float64) {
	entropy.BeginF32((*float32)(unsafe.Pointer(unsafe.SliceData(a))), (*float32)(unsafe.Pointer(unsafe.SliceData(s))),
		u, sums, len(a), shift)
}

// EntropyBegin64 is EntropyBegin32 for float64.
func EntropyBegin64[T vec.Float](a, s []T, u, sums *float64, shift float64) {
	entropy.BeginF64((*float64)(unsafe.Pointer(unsafe.SliceData(a))), (*float64)(unsafe.Pointer(unsafe.SliceData(s))),
		u, sums, len(a), shift)
}

// EntropyStep32 moves the dual variables a, and sets delta, of the same length, to the move. y is the true class, whose
// dual variable becomes 0, or negative.
func EntropyStep32[T vec.Float](a, delta []T, u *float64, y int, q *EntropyProblem) (outcome int) {
	return entropy.StepF32((*float32)(unsafe.Pointer(unsafe.SliceData(a))),
		(*float32)(unsafe.Pointer(unsafe.SliceData(delta))), u, len(a), y, &q.H)
}

// EntropyStep64 is EntropyStep32 for float64.
func EntropyStep64[T vec.Float](a, delta []T, u *float64, y int, q *EntropyProblem) (outcome int) {
	return entropy.StepF64((*float64)(unsafe.Pointer(unsafe.SliceData(a))),
		(*float64)(unsafe.Pointer(unsafe.SliceData(delta))), u, len(a), y, &q.H)
}
