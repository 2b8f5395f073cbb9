package low_test

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/vec/low"
)

// ones is a matrix in which all numbers are one, as T has it.
func ones[T low.BFloat16 | low.Float16](rows, cols int, one T) vec.Matrix[T] {
	a := vec.NewMatrix[T](rows, cols)
	for i := range a.Data {
		a.Data[i] = one
	}
	return a
}

func BenchmarkDotBFloat16(b *testing.B) {
	for _, n := range []int{128, 768, 1536} {
		x := ones[low.BFloat16](1, n, 0x3f80)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				low.DotBFloat16(x.Data, x.Data)
			}
		})
	}
}

func BenchmarkMulVecBFloat16(b *testing.B) {
	for _, n := range []int{128, 768, 1536} {
		x, y := ones[low.BFloat16](1000, n, 0x3f80), make([]float32, 1000)
		b.Run(fmt.Sprintf("m=1000/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				low.MulVecBFloat16(y, x, x.Row(0))
			}
		})
	}
}

func BenchmarkMulVecFloat16(b *testing.B) {
	for _, n := range []int{128, 768, 1536} {
		x, y := ones[low.Float16](1000, n, 0x3c00), make([]float32, 1000)
		b.Run(fmt.Sprintf("m=1000/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				low.MulVecFloat16(y, x, x.Row(0))
			}
		})
	}
}

func BenchmarkDotsBFloat16(b *testing.B) {
	for _, k := range []int{128, 768} {
		x, y := ones[low.BFloat16](256, k, 0x3f80), ones[low.BFloat16](960, k, 0x3f80)
		d := vec.NewMatrix[float32](256, 960)
		b.Run(fmt.Sprintf("m=256/n=960/k=%d", k), func(b *testing.B) {
			for b.Loop() {
				low.DotsBFloat16(d, x, y)
			}
		})
	}
}
