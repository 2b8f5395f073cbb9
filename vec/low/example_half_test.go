package low_test

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/vec/low"
)

func ExampleNewBFloat16() {
	b := low.NewBFloat16(3.14159)
	fmt.Printf("%#04x %v\n", uint16(b), b.Float32())
	// Output: 0x4049 3.140625
}

func ExampleNewFloat16() {
	h := low.NewFloat16(3.14159)
	fmt.Printf("%#04x %v\n", uint16(h), h.Float32())
	// Output: 0x4248 3.140625
}

func ExampleBFloat16_Float32() {
	fmt.Println(low.BFloat16(0x3f80).Float32())
	// Output: 1
}

func ExampleFloat16_Float32() {
	fmt.Println(low.Float16(0x3c00).Float32())
	// Output: 1
}

// bfloats and floats are numbers in 16 bits.
func bfloats(x ...float32) []low.BFloat16 {
	b := make([]low.BFloat16, len(x))
	low.ToBFloat16(b, x)
	return b
}

func floats(x ...float32) []low.Float16 {
	h := make([]low.Float16, len(x))
	low.ToFloat16(h, x)
	return h
}

func ExampleToBFloat16() {
	b := make([]low.BFloat16, 3)
	low.ToBFloat16(b, []float32{1, -2.5, 1000.5})
	x := make([]float32, 3)
	low.FromBFloat16(x, b)
	fmt.Println(x)
	// Output: [1 -2.5 1000]
}

func ExampleToFloat16() {
	h := make([]low.Float16, 3)
	low.ToFloat16(h, []float32{1, -2.5, 70000})
	x := make([]float32, 3)
	low.FromFloat16(x, h)
	fmt.Println(x)
	// Output: [1 -2.5 +Inf]
}

func ExampleFromBFloat16() {
	x := make([]float32, 2)
	low.FromBFloat16(x, []low.BFloat16{0x3f80, 0xc000})
	fmt.Println(x)
	// Output: [1 -2]
}

func ExampleFromFloat16() {
	x := make([]float32, 2)
	low.FromFloat16(x, []low.Float16{0x3c00, 0xc000})
	fmt.Println(x)
	// Output: [1 -2]
}

func ExampleDotBFloat16() {
	fmt.Println(low.DotBFloat16(bfloats(1, 2, 3), bfloats(4, 5, 6)))
	// Output: 32
}

func ExampleDotFloat16() {
	fmt.Println(low.DotFloat16(floats(1, 2, 3), floats(4, 5, 6)))
	// Output: 32
}

func ExampleSquaredDistanceBFloat16() {
	fmt.Println(low.SquaredDistanceBFloat16(bfloats(1, 2, 3), bfloats(4, 6, 3)))
	// Output: 25
}

func ExampleSquaredDistanceFloat16() {
	fmt.Println(low.SquaredDistanceFloat16(floats(1, 2, 3), floats(4, 6, 3)))
	// Output: 25
}

func ExampleCosineBFloat16() {
	fmt.Println(low.CosineBFloat16(bfloats(3, 4), bfloats(4, 3)))
	// Output: 0.96
}

func ExampleCosineFloat16() {
	fmt.Println(low.CosineFloat16(floats(3, 4), floats(4, 3)))
	// Output: 0.96
}

func ExampleMulVecBFloat16() {
	x := vec.MatrixOf(2, 3, bfloats(1, 2, 3, 4, 5, 6))
	y := make([]float32, 2)
	low.MulVecBFloat16(y, x, bfloats(1, 0, -1))
	fmt.Println(y)
	// Output: [-2 -2]
}

func ExampleMulVecFloat16() {
	x := vec.MatrixOf(2, 3, floats(1, 2, 3, 4, 5, 6))
	y := make([]float32, 2)
	low.MulVecFloat16(y, x, floats(1, 0, -1))
	fmt.Println(y)
	// Output: [-2 -2]
}

func ExampleMulVecBFloat16Float32() {
	x := vec.MatrixOf(2, 3, bfloats(1, 2, 3, 4, 5, 6))
	y := make([]float32, 2)
	low.MulVecBFloat16Float32(y, x, []float32{1, 0, -1.0009765625})
	fmt.Println(y)
	// Output: [-2.0029297 -2.0058594]
}

func ExampleMulVecFloat16Float32() {
	x := vec.MatrixOf(2, 3, floats(1, 2, 3, 4, 5, 6))
	y := make([]float32, 2)
	low.MulVecFloat16Float32(y, x, []float32{1, 0, -1})
	fmt.Println(y)
	// Output: [-2 -2]
}

func ExampleSquaredNormsBFloat16() {
	norms := make([]float32, 2)
	low.SquaredNormsBFloat16(norms, vec.MatrixOf(2, 2, bfloats(3, 4, 0, 1)))
	fmt.Println(norms)
	// Output: [25 1]
}

func ExampleSquaredNormsFloat16() {
	norms := make([]float32, 2)
	low.SquaredNormsFloat16(norms, vec.MatrixOf(2, 2, floats(3, 4, 0, 1)))
	fmt.Println(norms)
	// Output: [25 1]
}

func ExampleDotsBFloat16() {
	x, y := vec.MatrixOf(1, 2, bfloats(1, 2)), vec.MatrixOf(3, 2, bfloats(1, 0, 0, 1, 1, 1))
	d := vec.NewMatrix[float32](1, 3)
	low.DotsBFloat16(d, x, y)
	fmt.Println(d.Data)
	// Output: [1 2 3]
}

func ExampleDotsBFloat16Workers() {
	x, y := vec.MatrixOf(1, 2, bfloats(1, 2)), vec.MatrixOf(3, 2, bfloats(1, 0, 0, 1, 1, 1))
	d := vec.NewMatrix[float32](1, 3)
	low.DotsBFloat16Workers(d, x, y, 0) // by all cores
	fmt.Println(d.Data)
	// Output: [1 2 3]
}

func ExampleDotsFloat16() {
	x, y := vec.MatrixOf(1, 2, floats(1, 2)), vec.MatrixOf(3, 2, floats(1, 0, 0, 1, 1, 1))
	d := vec.NewMatrix[float32](1, 3)
	low.DotsFloat16(d, x, y)
	fmt.Println(d.Data)
	// Output: [1 2 3]
}

func ExampleDotsFloat16Workers() {
	x, y := vec.MatrixOf(1, 2, floats(1, 2)), vec.MatrixOf(3, 2, floats(1, 0, 0, 1, 1, 1))
	d := vec.NewMatrix[float32](1, 3)
	low.DotsFloat16Workers(d, x, y, 0) // by all cores
	fmt.Println(d.Data)
	// Output: [1 2 3]
}
