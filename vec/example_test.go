package vec_test

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

func ExampleDot() {
	fmt.Println(vec.Dot([]float64{1, 2, 3}, []float64{4, 5, 6}))
	// Output: 32
}

func ExampleDot32() {
	fmt.Println(vec.Dot32([]float32{1, 2, 3}, []float32{4, 5, 6}))
	// Output: 32
}

func ExampleDot64() {
	fmt.Println(vec.Dot64([]float64{0.5, 2}, []float64{4, 8}))
	// Output: 18
}

func ExampleSquaredDistance() {
	fmt.Println(vec.SquaredDistance([]float32{1, 2}, []float32{4, 6}))
	// Output: 25
}

func ExampleSquaredDistance32() {
	fmt.Println(vec.SquaredDistance32([]float32{1, 2, 3}, []float32{1, 2, 5}))
	// Output: 4
}

func ExampleSquaredDistance64() {
	fmt.Println(vec.SquaredDistance64([]float64{0, 0}, []float64{3, 4}))
	// Output: 25
}

func ExampleSquaredNorm() {
	fmt.Println(vec.SquaredNorm([]float64{3, -4}))
	// Output: 25
}

func ExampleSum() {
	fmt.Println(vec.Sum([]float32{1, -2, 4}))
	// Output: 3
}

func ExampleAbsSum() {
	fmt.Println(vec.AbsSum([]float32{1, -2, 4}))
	// Output: 7
}

func ExampleScale() {
	x := []float64{1, -2, 4}
	vec.Scale(0.5, x)
	fmt.Println(x)
	// Output: [0.5 -1 2]
}

func ExampleAxpy() {
	y := []float64{10, 20, 30}
	vec.Axpy(2, []float64{1, 2, 3}, y)
	fmt.Println(y)
	// Output: [12 24 36]
}

func ExampleAxpy32() {
	y := []float32{10, 20}
	vec.Axpy32(-1, []float32{1, 2}, y)
	fmt.Println(y)
	// Output: [9 18]
}

func ExampleAxpy64() {
	x := []float64{1, 2}
	vec.Axpy64(1, x, x) // one vector for both doubles it
	fmt.Println(x)
	// Output: [2 4]
}

func ExampleGer() {
	a := vec.NewMatrix[float64](2, 3)
	vec.Ger(1, []float64{1, 2}, []float64{1, 10, 100}, a)
	fmt.Println(a.Row(0), a.Row(1))
	// Output: [1 10 100] [2 20 200]
}

func ExampleGemv() {
	a := vec.MatrixOf(2, 3, []float64{
		1, 2, 3,
		4, 5, 6,
	})
	y := make([]float64, 2)
	vec.Gemv(1, a, []float64{1, 0, -1}, 0, y)
	fmt.Println(y)
	// Output: [-2 -2]
}

func ExampleGemvT() {
	a := vec.MatrixOf(2, 3, []float64{
		1, 2, 3,
		4, 5, 6,
	})
	y := []float64{100, 100, 100}
	vec.GemvT(1, a, []float64{1, 1}, 1, y)
	fmt.Println(y)
	// Output: [105 107 109]
}

func ExampleNewMatrix() {
	a := vec.NewMatrix[float32](2, 3)
	a.Row(1)[2] = 5
	fmt.Println(a.Data)
	// Output: [0 0 0 0 0 5]
}

func ExampleMatrixOf() {
	data := []float32{1, 2, 3, 4, 5, 6}
	a := vec.MatrixOf(3, 2, data)
	vec.Scale(10, a.Row(1))
	fmt.Println(data)
	// Output: [1 2 30 40 5 6]
}

func ExampleMatrix_Row() {
	a := vec.MatrixOf(2, 2, []float64{1, 2, 3, 4})
	fmt.Println(a.Row(1))
	// Output: [3 4]
}

func ExampleMatrix_Slice() {
	a := vec.MatrixOf(3, 3, []float64{
		1, 2, 3,
		4, 5, 6,
		7, 8, 9,
	})
	b := a.Slice(1, 3, 0, 2)
	fmt.Println(b.Row(0), b.Row(1), "stride", b.Stride)
	// Output: [4 5] [7 8] stride 3
}

func ExampleMatrix_Validate() {
	a := vec.Matrix[float64]{Rows: 3, Cols: 4, Stride: 5, Data: make([]float64, 13)}
	fmt.Println(a.Validate())
	// Output: vec: 13 numbers are too few for 3 rows of 4 columns at stride 5
}

func ExampleMatrix_Check() {
	defer func() { fmt.Println(recover()) }()
	vec.Matrix[float64]{Rows: 3, Cols: 4, Stride: 2}.Check()
	// Output: vec: stride 2 is less than 4 columns
}

func ExampleGemm() {
	a := vec.MatrixOf(2, 3, []float64{1, 2, 3, 4, 5, 6})
	b := vec.MatrixOf(2, 3, []float64{1, 0, 0, 0, 1, 1})
	c := vec.NewMatrix[float64](2, 2)
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, a, b, 0, c) // C = A Bᵀ
	fmt.Println(c.Data)
	// Output: [1 5 4 11]
}

func ExampleGemmWorkers() {
	a := vec.MatrixOf(2, 2, []float32{1, 2, 3, 4})
	c := vec.MatrixOf(2, 2, []float32{1, 0, 0, 1})
	vec.GemmWorkers(vec.NoTrans, vec.NoTrans, 1, a, a, 10, c, 0) // C = A² + 10 C, on all cores if that pays
	fmt.Println(c.Data)
	// Output: [17 10 15 32]
}

func ExampleSyrk() {
	a := vec.MatrixOf(2, 3, []float64{1, 2, 3, 4, 5, 6})
	c := vec.NewMatrix[float64](2, 2)
	vec.Syrk(vec.Lower, vec.NoTrans, 1, a, 0, c) // the lower triangle of A Aᵀ
	fmt.Println(c.Data)
	// Output: [14 0 32 77]
}

func ExampleGram() {
	a := vec.MatrixOf(2, 3, []float64{1, 2, 3, 4, 5, 6})
	c := vec.NewMatrix[float64](2, 2)
	vec.Gram(c, a)
	fmt.Println(c.Data)
	// Output: [14 32 32 77]
}

func ExampleSquaredDistances() {
	x := vec.MatrixOf(2, 2, []float64{0, 0, 3, 4})
	z := vec.MatrixOf(3, 2, []float64{3, 4, 0, 1, 3, 0})
	dst := vec.NewMatrix[float64](2, 3)
	vec.SquaredDistances(dst, x, z)
	fmt.Println(dst.Row(0), dst.Row(1))
	// Output: [25 1 9] [0 18 16]
}

func ExampleConvert() {
	narrow := make([]float32, 2)
	vec.Convert(narrow, []float64{0.5, 1e300})
	fmt.Println(narrow)
	// Output: [0.5 +Inf]
}
