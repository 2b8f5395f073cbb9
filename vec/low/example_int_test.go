package low_test

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/vec/low"
)

func ExampleDotInt8() {
	fmt.Println(low.DotInt8([]int8{1, -128, 3}, []int8{2, -128, 4}))
	// Output: 16398
}

func ExampleDotUint8() {
	fmt.Println(low.DotUint8([]uint8{1, 255, 3}, []uint8{2, 255, 4}))
	// Output: 65039
}

func ExampleSquaredDistanceInt8() {
	fmt.Println(low.SquaredDistanceInt8([]int8{127, 1}, []int8{-128, 3}))
	// Output: 65029
}

func ExampleSquaredDistanceUint8() {
	fmt.Println(low.SquaredDistanceUint8([]uint8{0, 1}, []uint8{255, 3}))
	// Output: 65029
}

func ExampleCosineInt8() {
	fmt.Println(low.CosineInt8([]int8{3, 4}, []int8{-6, -8}), low.CosineInt8([]int8{3, 4}, []int8{0, 0}))
	// Output: -1 0
}

func ExampleCosineUint8() {
	fmt.Println(low.CosineUint8([]uint8{3, 4}, []uint8{4, 3}))
	// Output: 0.96
}

var rows = vec.MatrixOf(2, 3, []int8{1, 2, 3, -4, 5, 6})

func ExampleMulVecInt8() {
	dst := make([]int32, 2)
	low.MulVecInt8(dst, rows, []int8{1, 0, -1})
	fmt.Println(dst)
	// Output: [-2 -10]
}

func ExampleMulVecUint8() {
	dst := make([]int32, 2)
	low.MulVecUint8(dst, vec.MatrixOf(2, 2, []uint8{255, 0, 1, 2}), []uint8{2, 1})
	fmt.Println(dst)
	// Output: [510 4]
}

func ExampleMulVecUint8Int8() {
	dst := make([]int32, 2)
	low.MulVecUint8Int8(dst, vec.MatrixOf(2, 2, []uint8{255, 0, 1, 2}), []int8{-2, 1})
	fmt.Println(dst)
	// Output: [-510 0]
}

// Squared distances of a vector to all rows, from norms that are computed once.
func ExampleSquaredNormsInt8() {
	norms, dst := make([]int32, 2), make([]int32, 2)
	low.SquaredNormsInt8(norms, rows)
	q := []int8{1, 2, 0}
	low.MulVecInt8(dst, rows, q)
	for i := range dst {
		fmt.Println(int64(norms[i]) + low.DotInt8(q, q) - 2*int64(dst[i]))
	}
	// Output:
	// 9
	// 70
}

func ExampleSquaredNormsUint8() {
	norms := make([]int32, 2)
	low.SquaredNormsUint8(norms, vec.MatrixOf(2, 2, []uint8{255, 0, 1, 2}))
	fmt.Println(norms)
	// Output: [65025 5]
}

func ExampleDotsInt8() {
	dst := vec.NewMatrix[int32](2, 2)
	low.DotsInt8(dst, rows, rows)
	fmt.Println(dst.Row(0), dst.Row(1))
	// Output: [14 24] [24 77]
}

func ExampleDotsInt8Workers() {
	dst := vec.NewMatrix[int32](2, 2)
	low.DotsInt8Workers(dst, rows, rows, 0)
	fmt.Println(dst.Row(0), dst.Row(1))
	// Output: [14 24] [24 77]
}

func ExampleDotsUint8() {
	x := vec.MatrixOf(2, 2, []uint8{255, 0, 1, 2})
	dst := vec.NewMatrix[int32](2, 2)
	low.DotsUint8(dst, x, x)
	fmt.Println(dst.Row(0), dst.Row(1))
	// Output: [65025 255] [255 5]
}

func ExampleDotsUint8Workers() {
	x := vec.MatrixOf(2, 2, []uint8{255, 0, 1, 2})
	dst := vec.NewMatrix[int32](2, 2)
	low.DotsUint8Workers(dst, x, x, 2)
	fmt.Println(dst.Row(0), dst.Row(1))
	// Output: [65025 255] [255 5]
}

func ExampleHamming() {
	fmt.Println(low.Hamming([]uint64{0b1100, 1}, []uint64{0b1010, 1}))
	// Output: 2
}

// The sets {2, 3} and {1, 3} share one of three elements.
func ExampleJaccard() {
	fmt.Printf("%.3f\n", low.Jaccard([]uint64{0b1100}, []uint64{0b1010}))
	// Output: 0.667
}

func ExampleHammingRows() {
	dst := make([]int32, 2)
	low.HammingRows(dst, vec.MatrixOf(2, 1, []uint64{0b1100, 0b1111}), []uint64{0b1000})
	fmt.Println(dst)
	// Output: [1 3]
}

func ExampleHammingDistances() {
	x := vec.MatrixOf(2, 1, []uint64{0b1100, 0b1111})
	dst := vec.NewMatrix[int32](2, 2)
	low.HammingDistances(dst, x, x)
	fmt.Println(dst.Row(0), dst.Row(1))
	// Output: [0 2] [2 0]
}

func ExampleHammingDistancesWorkers() {
	x := vec.MatrixOf(2, 1, []uint64{0b1100, 0b1111})
	dst := vec.NewMatrix[int32](2, 2)
	low.HammingDistancesWorkers(dst, x, x, 0)
	fmt.Println(dst.Row(0), dst.Row(1))
	// Output: [0 2] [2 0]
}

func ExampleSignBits() {
	dst := make([]uint64, 1)
	low.SignBits(dst, []float32{.5, -1, 2, 0})
	fmt.Printf("%b\n", dst)
	// Output: [101]
}

func ExampleQuantize() {
	codes := make([]int8, 3)
	scale := low.Quantize(codes, []float32{.5, -.25, .1})
	fmt.Printf("%.5f %d\n", scale, codes)
	// Output: 0.00394 [127 -64 25]
}

func ExampleQuantizeBy() {
	codes := make([]int8, 4)
	low.QuantizeBy(codes, []float32{.5, 1.5, 2.5, 1000}, 1)
	fmt.Println(codes)
	// Output: [0 2 2 127]
}

func ExampleQuantizeRows() {
	x := vec.MatrixOf(2, 2, []float32{127, 1, 254, 1})
	codes, scales := vec.NewMatrix[int8](2, 2), make([]float32, 2)
	low.QuantizeRows(codes, scales, x)
	fmt.Println(codes.Row(0), codes.Row(1), scales)
	// Output: [127 1] [127 0] [1 2]
}

func ExampleDequantize() {
	x := make([]float32, 3)
	low.Dequantize(x, []int8{127, -64, 25}, .5)
	fmt.Println(x)
	// Output: [63.5 -32 12.5]
}
