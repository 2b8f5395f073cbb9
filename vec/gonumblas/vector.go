package gonumblas

import "github.com/dualgap/dualgap/vec"

// chunk is how many elements of a strided vector are worked on at a time: two chunks stay in the L1 cache beside the
// rows of a matrix, and the copying is a small part of the work that a chunk makes.
const chunk = 128

// strided is a vector of n elements inc apart. With inc < 0 the first element is the last of data, as in the BLAS.
type strided[T vec.Float] struct {
	n, inc int
	data   []T
}

// step is the number of elements to take at once: all where no copy is needed.
func (v strided[T]) step() int {
	if v.inc == 1 {
		return v.n
	}
	return chunk
}

func (v strided[T]) at(i int) int {
	if v.inc < 0 {
		return (i - v.n + 1) * v.inc
	}
	return i * v.inc
}

// load returns elements [lo, hi): where they lie, if they lie next to each other, or else copied to room.
func (v strided[T]) load(lo, hi int, room *[chunk]T) []T {
	if v.inc == 1 {
		return v.data[lo:hi]
	}
	for i := range hi - lo {
		room[i] = v.data[v.at(lo+i)]
	}
	return room[:hi-lo]
}

// store puts back what load returned for a range that starts at lo.
func (v strided[T]) store(lo int, x []T) {
	if v.inc == 1 {
		return
	}
	for i, e := range x {
		v.data[v.at(lo+i)] = e
	}
}

// scale multiplies the vector by beta; with beta = 0 what was there does not matter.
func (v strided[T]) scale(beta T) {
	switch {
	case beta == 1:
	case v.inc == 1 && beta == 0:
		clear(v.data[:v.n])
	case v.inc == 1:
		vec.Scale(beta, v.data[:v.n])
	default:
		for i := range v.n {
			at := v.at(i)
			if beta == 0 {
				v.data[at] = 0
			} else {
				v.data[at] *= beta
			}
		}
	}
}

// A sum of squares at least this large has lost nothing that counts to terms that underflowed: each of them errs by at
// most half the smallest denormal, 2⁻¹⁵⁰ or 2⁻¹⁰⁷⁵, so that 2³¹ of them change the sum by less than 2⁻²⁶ or 2⁻⁷⁴ of it.
const (
	safeSquare32 = 0x1p-93
	safeSquare64 = 0x1p-970
)
