package dataset

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// element is a type of numbers in a binary file.
type element struct {
	kind byte // 'i': integers; 'u': those without a sign; 'f': floating point; 'b': 0 for false, all else for true
	size int  // bytes: 1, 2, 4, 8; with 'f' 2, 4 or 8, with 'b' 1
	big  bool // the highest byte comes first
}

// nativeBig reports whether this machine has the highest byte first.
var nativeBig = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// native reports whether this machine has such numbers in memory as in the file.
func (e element) native() bool { return e.size == 1 || e.big == nativeBig }

// read sets dst to the numbers that src begins with. Integers of 8 bytes are rounded to the nearest float64.
func (e element) read(dst []float64, src []byte) {
	src = src[:len(dst)*e.size]
	if e.kind == 'f' && e.size >= 4 && e.native() {
		if e.size == 8 {
			copy(bytesOf(dst), src)
			return
		}
		if narrow, ok := view[float32](src); ok {
			vec.Convert(dst, narrow)
			return
		}
	}
	switch e.size {
	case 1:
		for i, b := range src {
			dst[i] = e.one(b)
		}
	case 2:
		for i := range dst {
			dst[i] = e.two(binary.LittleEndian.Uint16(src[2*i:]))
		}
	case 4:
		for i := range dst {
			dst[i] = e.four(binary.LittleEndian.Uint32(src[4*i:]))
		}
	default:
		for i := range dst {
			dst[i] = e.eight(binary.LittleEndian.Uint64(src[8*i:]))
		}
	}
}

// one is the number of a byte.
func (e element) one(b byte) float64 {
	switch {
	case e.kind == 'i':
		return float64(int8(b))
	case e.kind == 'b' && b != 0:
		return 1
	}
	return float64(b)
}

// two is the number of two bytes, which were read as if the lowest came first.
func (e element) two(v uint16) float64 {
	if e.big {
		v = bits.ReverseBytes16(v)
	}
	switch e.kind {
	case 'u':
		return float64(v)
	case 'i':
		return float64(int16(v))
	}
	return halfTo64(v)
}

// four is the number of four bytes, read the same way.
func (e element) four(v uint32) float64 {
	if e.big {
		v = bits.ReverseBytes32(v)
	}
	switch e.kind {
	case 'u':
		return float64(v)
	case 'i':
		return float64(int32(v))
	}
	return float64(math.Float32frombits(v))
}

// eight is the number of eight bytes, read the same way.
func (e element) eight(v uint64) float64 {
	if e.big {
		v = bits.ReverseBytes64(v)
	}
	switch e.kind {
	case 'u':
		return float64(v)
	case 'i':
		return float64(int64(v))
	}
	return math.Float64frombits(v)
}

// decoder turns the bytes of a file into numbers of type T: v becomes v scale + offset, computed in float64 and rounded
// once.
type decoder[T vec.Float] struct {
	element
	scale, offset float64
	same          bool    // the bytes are the numbers
	table         *[256]T // of a byte: its number; nil where elements have more
}

// newDecoder returns the decoder of e; a scale of 0 stands for 1.
func newDecoder[T vec.Float](e element, scale, offset float64) *decoder[T] {
	if scale == 0 {
		scale = 1
	}
	c := &decoder[T]{element: e, scale: scale, offset: offset}
	c.same = e.kind == 'f' && e.size == int(unsafe.Sizeof(T(0))) && e.native() && scale == 1 && offset == 0
	if e.size == 1 {
		c.table = new([256]T)
		for b := range c.table {
			c.table[b] = T(float64(e.one(byte(b))*scale) + offset)
		}
	}
	return c
}

// decode sets dst to the numbers that src begins with.
func (c *decoder[T]) decode(dst []T, src []byte) {
	src = src[:len(dst)*c.size]
	switch {
	case c.same:
		copy(bytesOf(dst), src)
		return
	case c.table != nil:
		lookUp(dst, src, c.table)
		return
	}
	var block [256]float64
	for len(dst) > 0 {
		part := block[:min(len(dst), len(block))]
		c.read(part, src)
		if c.scale != 1 || c.offset != 0 {
			for i, v := range part {
				part[i] = float64(v*c.scale) + c.offset
			}
		}
		vec.Convert(dst[:len(part)], part)
		dst, src = dst[len(part):], src[len(part)*c.size:]
	}
}

// lookUp sets dst[i] = table[src[i]].
func lookUp[T vec.Float](dst []T, src []byte, table *[256]T) {
	for len(src) >= 8 && len(dst) >= 8 {
		to, from := dst[:8], src[:8]
		to[0], to[1], to[2], to[3] = table[from[0]], table[from[1]], table[from[2]], table[from[3]]
		to[4], to[5], to[6], to[7] = table[from[4]], table[from[5]], table[from[6]], table[from[7]]
		dst, src = dst[8:], src[8:]
	}
	for i, b := range src {
		dst[i] = table[b]
	}
}

// view returns b as numbers, unless they would lie across the words of memory.
func view[T vec.Float](b []byte) ([]T, bool) {
	p := unsafe.Pointer(unsafe.SliceData(b))
	if uintptr(p)%unsafe.Sizeof(T(0)) != 0 {
		return nil, false
	}
	return unsafe.Slice((*T)(p), len(b)/int(unsafe.Sizeof(T(0)))), true
}

// bytesOf is the memory of x.
func bytesOf[T vec.Float](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(T(0))))
}
