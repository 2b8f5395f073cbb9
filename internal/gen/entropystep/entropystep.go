// Package entropystep has what the generators of asm/entropy's Step agree on.
package entropystep

// The numbers behind q, in the order of entropy.Problem.
const (
	H = iota
	Plus
	C
	Total
	Top
	Near
	Scale
	Small
	Shrunk
	Sum
	Logs
	Shift
)

// Steps are as many as Step takes.
const Steps = 12
