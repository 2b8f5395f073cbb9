package unchecked

import (
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// Is32 reports whether T is float32: a constant in each instance, so that the branch on it costs nothing.
func Is32[T vec.Float]() bool { return unsafe.Sizeof(T(0)) == 4 }

// p32 and p64 are the address of x[0], in an instance where T is that type.

func p32[T vec.Float](x []T) *float32 { return (*float32)(unsafe.Pointer(unsafe.SliceData(x))) }
func p64[T vec.Float](x []T) *float64 { return (*float64)(unsafe.Pointer(unsafe.SliceData(x))) }
