package vec

import "unsafe"

// Float is the element of vectors and matrices.
type Float interface{ float32 | float64 }

// isF32 is a constant in each instance, so that the branch on it costs nothing.
func isF32[T Float]() bool { return unsafe.Sizeof(*new(T)) == 4 }

// as32 and as64 are x itself, in an instance where T is that type.

func as32[T Float](x []T) []float32 { return *(*[]float32)(unsafe.Pointer(&x)) }
func as64[T Float](x []T) []float64 { return *(*[]float64)(unsafe.Pointer(&x)) }

func ptr32[T Float](x []T) *float32 { return (*float32)(unsafe.Pointer(unsafe.SliceData(x))) }
func ptr64[T Float](x []T) *float64 { return (*float64)(unsafe.Pointer(unsafe.SliceData(x))) }
