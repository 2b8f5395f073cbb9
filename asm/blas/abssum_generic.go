package blas

import (
	"math"
	"unsafe"
)

func abssumGeneric[T float](x *T, n int) T {
	xs := unsafe.Slice(x, n)
	var s0, s1, s2, s3 T
	i := 0
	for ; i+4 <= n; i += 4 {
		a := xs[i : i+4 : i+4]
		s0 += abs(a[0])
		s1 += abs(a[1])
		s2 += abs(a[2])
		s3 += abs(a[3])
	}
	for ; i < n; i++ {
		s0 += abs(xs[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// abs clears the sign; compilers make it one instruction, without a branch.
func abs[T float](v T) T { return T(math.Abs(float64(v))) }

func abssumF32Generic(x *float32, n int) float32 { return abssumGeneric(x, n) }
func abssumF64Generic(x *float64, n int) float64 { return abssumGeneric(x, n) }
