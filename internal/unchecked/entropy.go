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

// LogisticRows is the number of rows of the scratch memory u of the kernels of the logistic loss, each of as many
// numbers as there are labels, rounded up to a multiple of 8: t, the weights, their inverses, the largest dual
// variables, and three of their own. What they compute package asm/entropy says.
const LogisticRows = entropy.LogisticRows

// Logistic visits an example with the logistic loss of each label, as entropy.LogisticF32 in asm says: s are the scores
// of len(a) labels, delta has as many numbers.
func Logistic[T vec.Float](a, s, delta []T, u *float64, h, term, least float64) (gap, after float64, outcome int) {
	if Is32[T]() {
		return entropy.LogisticF32(p32(a), p32(s), p32(delta), u, len(a), h, term, least)
	}
	return entropy.LogisticF64(p64(a), p64(s), p64(delta), u, len(a), h, term, least)
}

// LogisticLabel is Logistic's move of one dual variable of size x at z = -t s: it returns the size of the new one, a
// number of T of at most most, and the entropy there.
func LogisticLabel[T vec.Float](z, x, weight, inverse, most, h float64) (best, term float64) {
	return entropy.Label[T](z, x, weight, inverse, most, h)
}
