// Package pages asks the system for huge pages: of memory in small ones, a program that reads here and there finds
// hardly any in the table of addresses that the CPU has at hand.
package pages

import "unsafe"

// size is the size of a huge page on most systems. Memory of less than two of them is left as it is.
const size = 2 << 20

// Huge asks for huge pages in memory, which the caller has just been given and not written yet. It is a wish: what the
// system does not know or not grant changes nothing but speed.
func Huge[T any](memory []T) {
	p, bytes := unsafe.Pointer(unsafe.SliceData(memory)), uintptr(len(memory))*unsafe.Sizeof(*new(T))
	if bytes < 2*size {
		return
	}
	if from, to := inside(uintptr(p), bytes); from < to {
		advise(unsafe.Slice((*byte)(unsafe.Add(p, from)), to-from))
	}
}

// inside returns the part of a range of memory that is whole huge pages, relative to its address.
func inside(address, bytes uintptr) (from, to uintptr) {
	from = -address % size
	return from, from + (bytes-from)/size*size
}
