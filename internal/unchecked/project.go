package unchecked

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/proj"
	"github.com/dualgap/dualgap/vec"
)

// Classes is the number of classes of elements, by their position modulo Classes, of which Maxima and Prune32 take the
// maxima.
const Classes = 16

// Maxima sets m to the largest elements of a in each class; a class without elements has -Inf, and NaN is passed over.
func Maxima[T vec.Float](m *[Classes]T, a []T) {
	if Is32[T]() {
		proj.MaximaF32(p32(m[:]), p32(a), len(a))
	} else {
		proj.MaximaF64(p64(m[:]), p64(a), len(a))
	}
}

// Above32 copies to dst, in their order, the elements of a that are not below t, NaN among them, and returns their
// number. dst has room for len(a)+16 elements, of which all may be written; it may be a itself, which then has that
// room.
func Above32[T vec.Float](dst, a []T, t float32) int {
	return proj.AboveF32((*float32)(unsafe.Pointer(unsafe.SliceData(dst))),
		(*float32)(unsafe.Pointer(unsafe.SliceData(a))), len(a), t)
}

// Above64 is Above32 for float64.
func Above64[T vec.Float](dst, a []T, t float64) int {
	return proj.AboveF64((*float64)(unsafe.Pointer(unsafe.SliceData(dst))),
		(*float64)(unsafe.Pointer(unsafe.SliceData(a))), len(a), t)
}

// Clip32 sets dst to a - c - t within [l, u], computed in float64 and rounded once, where l <= u and c and t are
// finite. Elements up to skip, which may be -Inf, are known to come out as l. dst has the length of a and may be a. NaN
// stays NaN.
func Clip32[T vec.Float](dst, a []T, skip float32, c, t, l, u float64) {
	proj.ClipF32((*float32)(unsafe.Pointer(unsafe.SliceData(dst))), (*float32)(unsafe.Pointer(unsafe.SliceData(a))),
		len(a), skip, c, t, l, u)
}

// Clip64 is Clip32 for float64.
func Clip64[T vec.Float](dst, a []T, skip, c, t, l, u float64) {
	proj.ClipF64((*float64)(unsafe.Pointer(unsafe.SliceData(dst))), (*float64)(unsafe.Pointer(unsafe.SliceData(a))),
		len(a), skip, c, t, l, u)
}

// Prune32 copies to cand, in their order, the elements of a that are not below a bound, and their positions to index,
// both with room for len(a)+16 elements. With m the maxima as [Maxima] gives them, v the largest, c the k-th largest of
// them, k <= 16, and p = limit, x, y, z, the bound is
//
//	c - max(0, min(limit, x v + y c + z)),
//
// or limit, p[0], where k = 0. It returns the number of elements; where that is at most 16 it clears dst, which has the
// length of a, may be a, and may be nil. A tier without this kernel returns -1 and writes nothing. proj.PruneF32 in asm
// says more.
func Prune32[T vec.Float](cand []T, index *int32, m *[Classes]T, a, dst []T, k int, p *[4]float32) int {
	return proj.PruneF32((*float32)(unsafe.Pointer(unsafe.SliceData(cand))), index, (*float32)(unsafe.Pointer(m)),
		(*float32)(unsafe.Pointer(unsafe.SliceData(a))), (*float32)(unsafe.Pointer(unsafe.SliceData(dst))), len(a), k,
		&p[0])
}

// Prune64 is Prune32 for float64.
func Prune64[T vec.Float](cand []T, index *int32, m *[Classes]T, a, dst []T, k int, p *[4]float32) int {
	return proj.PruneF64((*float64)(unsafe.Pointer(unsafe.SliceData(cand))), index, (*float64)(unsafe.Pointer(m)),
		(*float64)(unsafe.Pointer(unsafe.SliceData(a))), (*float64)(unsafe.Pointer(unsafe.SliceData(dst))), len(a), k,
		&p[0])
}
