package container

import (
	"encoding/binary"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// typeOf is the type of a section of T.
func typeOf[T vec.Float]() byte {
	if size[T]() == 4 {
		return typeFloat32
	}
	return typeFloat64
}

// size is the number of bytes of a T.
func size[T vec.Float]() int {
	if _, ok := any(T(0)).(float32); ok {
		return 4
	}
	return 8
}

func putFloats[T vec.Float](w *Writer, v []T) {
	switch v := any(v).(type) {
	case []float32:
		inPieces(w, v, 4, func(b []byte, v float32) { binary.LittleEndian.PutUint32(b, math.Float32bits(v)) })
	case []float64:
		inPieces(w, v, 8, func(b []byte, v float64) { binary.LittleEndian.PutUint64(b, math.Float64bits(v)) })
	}
}

// getFloats reads count numbers, the body of a section.
func getFloats[T vec.Float](r *Reader, count uint64) (v []T) {
	switch v := any(&v).(type) {
	case *[]float32:
		*v = fromPieces(r, count, 4, func(b []byte) float32 {
			return math.Float32frombits(binary.LittleEndian.Uint32(b))
		})
	case *[]float64:
		*v = fromPieces(r, count, 8, func(b []byte) float64 {
			return math.Float64frombits(binary.LittleEndian.Uint64(b))
		})
	}
	return v
}
