package low

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/ints"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// draw returns n random integers, the extreme ones often.
func draw[T int8 | uint8](n int, r *rand.Rand) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(r.Uint32())
		if r.IntN(4) == 0 {
			x[i] = T([]int{0x80, 0xff, 0x7f}[r.IntN(3)])
		}
	}
	return x
}

// drawRows returns a matrix with gaps between its rows.
func drawRows[T int8 | uint8](rows, cols, gap int, r *rand.Rand) vec.Matrix[T] {
	return vec.Matrix[T]{Rows: rows, Cols: cols, Data: draw[T](rows*(cols+gap), r), Stride: cols + gap}
}

// sumOf is Σ f(x_i, y_i) by big integers.
func sumOf[T, U int8 | uint8](x []T, y []U, f func(v, w int64) int64) int64 {
	sum := new(big.Int)
	for i := range x {
		sum.Add(sum, big.NewInt(f(int64(x[i]), int64(y[i]))))
	}
	return sum.Int64()
}

func times(v, w int64) int64 { return v * w }
func apart(v, w int64) int64 { return (v - w) * (v - w) }

func TestInt(t *testing.T) {
	testInt(t, DotInt8, SquaredDistanceInt8, CosineInt8)
	testInt(t, DotUint8, SquaredDistanceUint8, CosineUint8)
}

func testInt[T int8 | uint8](t *testing.T, dot, distance func(x, y []T) int64, cosine func(x, y []T) float32) {
	r := prove.Rand(1)
	for _, n := range []int{0, 1, 2, 15, 64, 100, 1000, ints.Chunk, ints.Chunk + 1, 3*ints.Chunk + 77} {
		x, y := draw[T](n, r), draw[T](n, r)
		extreme := make([]T, n)
		for i := range extreme {
			if extreme[i]--; extreme[i] < 0 {
				extreme[i] <<= 7 // -128, and 255 without a sign
			}
		}
		for _, pair := range [][2][]T{{x, y}, {x, x}, {extreme, extreme}, {extreme, make([]T, n)}} {
			xy, xx, yy := sumOf(pair[0], pair[1], times), sumOf(pair[0], pair[0], times), sumOf(pair[1], pair[1], times)
			d := sumOf(pair[0], pair[1], apart)
			c := float32(0)
			if xx > 0 && yy > 0 {
				c = float32(float64(xy) / math.Sqrt(float64(xx)) / math.Sqrt(float64(yy)))
			}
			prove.Forms(func(form string) {
				if got := dot(pair[0], pair[1]); got != xy {
					t.Errorf("%s, %d of %T: dot %d, want %d", form, n, x, got, xy)
				}
				if got := distance(pair[0], pair[1]); got != d {
					t.Errorf("%s, %d of %T: distance %d, want %d", form, n, x, got, d)
				}
				// a few roundings in float64 move the float32 by one at most
				if got := cosine(pair[0], pair[1]); math.Abs(float64(got-c)) > 0x1p-23 || got > 1 || got < -1 {
					t.Errorf("%s, %d of %T: cosine %v, want %v", form, n, x, got, c)
				}
			})
		}
	}
}

func TestIntRows(t *testing.T) {
	testIntRows(t, mostInt8, MulVecInt8, SquaredNormsInt8)
	testIntRows(t, mostUint8, MulVecUint8, SquaredNormsUint8)
	testIntRows(t, mostMixed, MulVecUint8Int8, nil)
}

func testIntRows[T, U int8 | uint8](t *testing.T, most int, mulVec func(dst []int32, x vec.Matrix[T], q []U),
	norms func(dst []int32, x vec.Matrix[T])) {
	r := prove.Rand(2)
	for _, size := range [][2]int{{0, 0}, {0, 5}, {3, 0}, {1, 1}, {8, 64}, {9, 100}, {21, 131}, {5, 20}, {9, most}} {
		x, q := drawRows[T](size[0], size[1], size[0]%3, r), draw[U](size[1], r)
		dst, want, squares := make([]int32, size[0]), make([]int32, size[0]), make([]int32, size[0])
		for i := range want {
			want[i], squares[i] = int32(sumOf(x.Row(i), q, times)), int32(sumOf(x.Row(i), x.Row(i), times))
		}
		prove.Forms(func(form string) {
			if mulVec(dst, x, q); !slices.Equal(dst, want) {
				t.Errorf("%s, %v of %T: %d, want %d", form, size, q, dst, want)
			}
			if norms == nil {
				return
			}
			if norms(dst, x); !slices.Equal(dst, squares) {
				t.Errorf("%s, %v of %T: norms %d, want %d", form, size, q, dst, squares)
			}
		})
	}
}

func TestIntDots(t *testing.T) {
	testIntDots(t, DotsInt8, DotsInt8Workers)
	testIntDots(t, DotsUint8, DotsUint8Workers)
}

func testIntDots[T int8 | uint8](t *testing.T, dots func(dst vec.Matrix[int32], x, y vec.Matrix[T]),
	shared func(dst vec.Matrix[int32], x, y vec.Matrix[T], workers int)) {
	r := prove.Rand(3)
	for _, size := range [][3]int{{0, 3, 4}, {3, 0, 4}, {3, 4, 0}, {1, 1, 1}, {9, 50, 70}, {300, 200, 67}} {
		m, n, k := size[0], size[1], size[2]
		x, y := drawRows[T](m, k, 3, r), drawRows[T](n, k, 0, r)
		want := vec.NewMatrix[int32](m, n)
		for i := range m {
			for j := range n {
				for l, v := range x.Row(i) {
					want.Row(i)[j] += int32(v) * int32(y.Row(j)[l])
				}
			}
		}
		prove.Forms(func(form string) {
			for workers := range 4 {
				dst := vec.Matrix[int32]{Rows: m, Cols: n, Data: make([]int32, m*(n+1)), Stride: n + 1}
				if workers == 0 {
					dots(dst, x, y)
				} else {
					shared(dst, x, y, workers-1)
				}
				for i := range m {
					if !slices.Equal(dst.Row(i), want.Row(i)) || dst.Data[i*(n+1)+n] != 0 {
						t.Fatalf("%s, %v of %T, workers %d: row %d is wrong", form, size, x.Data, workers-1, i)
					}
				}
			}
		})
	}
}

func TestBits(t *testing.T) {
	r := prove.Rand(4)
	words := func(n int) []uint64 {
		x := make([]uint64, n)
		for i := range x {
			x[i] = r.Uint64() & r.Uint64()
		}
		return x
	}
	for _, n := range []int{0, 1, 2, 9, 100} {
		x := vec.Matrix[uint64]{Rows: 19, Cols: n, Data: words(19 * (n + 2)), Stride: n + 2}
		y := vec.MatrixOf(3*n, n, words(3*n*n))
		want, any := vec.NewMatrix[int32](19, 3*n), 0
		for i := range 19 {
			for j := range 3 * n {
				for l, v := range x.Row(i) {
					want.Row(i)[j] += int32(bits.OnesCount64(v ^ y.Row(j)[l]))
					any += bits.OnesCount64(v | y.Row(j)[l])
				}
			}
		}
		prove.Forms(func(form string) {
			got := vec.NewMatrix[int32](19, 3*n)
			if HammingDistances(got, x, y); !slices.Equal(got.Data, want.Data) {
				t.Errorf("%s, %d words: distances %d, want %d", form, n, got.Data, want.Data)
			}
			for j := range 3 * n {
				row := make([]int32, 19)
				HammingRows(row, x, y.Row(j))
				for i, h := range row {
					if h != want.Row(i)[j] || Hamming(x.Row(i), y.Row(j)) != int(h) {
						t.Errorf("%s, %d words: %d and %d, want %d", form, n, h, Hamming(x.Row(i), y.Row(j)),
							want.Row(i)[j])
					}
					either := 0
					for l, v := range x.Row(i) {
						either += bits.OnesCount64(v | y.Row(j)[l])
					}
					if d := Jaccard(x.Row(i), y.Row(j)); d != float32(float64(h)/float64(max(1, either))) {
						t.Errorf("%s, %d words: Jaccard %v, want %d/%d", form, n, d, h, either)
					}
				}
			}
		})
	}
	for _, workers := range []int{0, 1, 2, 3} { // enough for all
		x, y := vec.MatrixOf(100, 40, words(4000)), vec.MatrixOf(1000, 40, words(40000))
		got, want := vec.NewMatrix[int32](100, 1000), vec.NewMatrix[int32](100, 1000)
		HammingDistances(want, x, y)
		if HammingDistancesWorkers(got, x, y, workers); !slices.Equal(got.Data, want.Data) {
			t.Errorf("%d workers: distances differ", workers)
		}
	}
	if d := Jaccard([]uint64{0, 0}, []uint64{0, 0}); d != 0 {
		t.Errorf("empty sets are %v apart", d)
	}
}

func TestSignBits(t *testing.T) {
	special := []float32{0, 1, -1, float32(math.Copysign(0, -1)), float32(math.NaN()), -float32(math.NaN()),
		float32(math.Inf(1)), float32(math.Inf(-1)), math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32,
		math.MaxFloat32, -math.MaxFloat32}
	for n := range 131 {
		x := make([]float32, n)
		for i := range x {
			x[i] = special[(i*7+n)%len(special)]
		}
		dst := make([]uint64, (n+63)/64)
		for i := range dst {
			dst[i] = 0xa5a5a5a5a5a5a5a5
		}
		SignBits(dst, x)
		for i := range 64 * len(dst) {
			if want := i < n && x[i] > 0; dst[i/64]>>(i%64)&1 == 1 != want {
				t.Fatalf("bit %d of %d is %v", i, n, !want)
			}
		}
	}
}

func TestIntPanics(t *testing.T) {
	x, y, w := vec.NewMatrix[int8](2, 3), vec.NewMatrix[int8](4, 3), vec.NewMatrix[uint64](2, 3)
	wide := vec.NewMatrix[uint8](1, mostUint8+1)
	for want, f := range map[string]func(){
		"low: DotInt8: lengths 1 and 2 differ":              func() { DotInt8(make([]int8, 1), make([]int8, 2)) },
		"low: DotUint8: lengths 1 and 0 differ":             func() { DotUint8(make([]uint8, 1), nil) },
		"low: SquaredDistanceInt8: lengths 1 and 2 differ":  func() { SquaredDistanceInt8(x.Data[:1], x.Data[:2]) },
		"low: SquaredDistanceUint8: lengths 0 and 1 differ": func() { SquaredDistanceUint8(nil, make([]uint8, 1)) },
		"low: CosineInt8: lengths 1 and 2 differ":           func() { CosineInt8(x.Data[:1], x.Data[:2]) },
		"low: CosineUint8: lengths 0 and 1 differ":          func() { CosineUint8(nil, make([]uint8, 1)) },
		"low: Hamming: lengths 0 and 1 differ":              func() { Hamming(nil, make([]uint64, 1)) },
		"low: Jaccard: lengths 2 and 1 differ":              func() { Jaccard(make([]uint64, 2), make([]uint64, 1)) },
		"low: MulVecInt8: 2x3 matrix, vectors of 2 for its rows and 2 for its columns": func() {
			MulVecInt8(make([]int32, 2), x, make([]int8, 2))
		},
		"low: MulVecInt8: stride 1 is less than 3 columns": func() {
			MulVecInt8(make([]int32, 2), vec.Matrix[int8]{Rows: 2, Cols: 3, Data: x.Data, Stride: 1}, make([]int8, 3))
		},
		"low: MulVecUint8: 33026 columns, want at most 33025, whose sums fit 32 bits": func() {
			MulVecUint8(make([]int32, 1), wide, wide.Data)
		},
		"low: SquaredNormsUint8: 33026 columns, want at most 33025, whose sums fit 32 bits": func() {
			SquaredNormsUint8(make([]int32, 1), wide)
		},
		"low: MulVecUint8Int8: 1x33026 matrix, vectors of 1 for its rows and 3 for its columns": func() {
			MulVecUint8Int8(make([]int32, 1), wide, make([]int8, 3))
		},
		"low: DotsInt8: 2x5 matrix for the rows of a 2x3 and a 4x3 matrix": func() {
			DotsInt8(vec.NewMatrix[int32](2, 5), x, y)
		},
		"low: DotsInt8Workers: -1 workers, want at least 0": func() {
			DotsInt8Workers(vec.NewMatrix[int32](2, 4), x, y, -1)
		},
		"low: DotsUint8: 33026 columns, want at most 33025, whose sums fit 32 bits": func() {
			DotsUint8(vec.NewMatrix[int32](1, 1), wide, wide)
		},
		"low: HammingRows: 2x3 matrix, vectors of 1 for its rows and 3 for its columns": func() {
			HammingRows(make([]int32, 1), w, w.Row(0))
		},
		"low: HammingDistances: 2x1 matrix for the rows of a 2x3 and a 2x3 matrix": func() {
			HammingDistances(vec.NewMatrix[int32](2, 1), w, w)
		},
		"low: HammingDistances: 33554432 columns, want at most 33554431, whose sums fit 32 bits": func() {
			long := vec.Matrix[uint64]{Cols: 1 << 25, Stride: 1 << 25} // of no rows
			HammingDistances(vec.Matrix[int32]{}, long, long)
		},
		"low: SignBits: 1 words for 65 bits, want 2": func() { SignBits(make([]uint64, 1), make([]float32, 65)) },
	} {
		if got := refused(t, f); got != want {
			t.Errorf("panics with %q, want %q", got, want)
		}
	}
}

func TestIntAllocs(t *testing.T) {
	r := prove.Rand(5)
	x, q := drawRows[int8](20, 100, 0, r), draw[int8](100, r)
	u, w := drawRows[uint8](20, 100, 0, r), vec.NewMatrix[uint64](20, 3)
	rows, square, small := make([]int32, 20), vec.NewMatrix[int32](20, 20), make([]float32, 100)
	prove.Forms(func(form string) {
		if n := prove.Allocs(5, func() {
			DotInt8(q, q)
			SquaredDistanceUint8(u.Row(0), u.Row(1))
			CosineInt8(q, q)
			MulVecInt8(rows, x, q)
			MulVecUint8(rows, u, u.Row(0))
			MulVecUint8Int8(rows, u, q)
			SquaredNormsInt8(rows, x)
			DotsInt8(square, x, x)
			DotsUint8Workers(square, u, u, 1)
			Hamming(w.Row(0), w.Row(1))
			Jaccard(w.Row(0), w.Row(1))
			HammingRows(rows, w, w.Row(0))
			HammingDistances(square, w, w)
			HammingDistancesWorkers(square, w, w, 1)
			SignBits(w.Row(0)[:2], small)
			Dequantize(small, q, Quantize(q, small))
		}); n != 0 {
			t.Errorf("%s: %v allocations", form, n)
		}
	})
}

func BenchmarkMulVec(b *testing.B) {
	r := prove.Rand(6)
	for _, d := range []int{128, 768, 1536} {
		x, dst := drawRows[int8](1000, d, 0, r), make([]int32, 1000)
		prove.Forms(func(form string) {
			b.Run(fmt.Sprintf("type=i8/m=1000/n=%d/form=%s", d, form), func(b *testing.B) {
				for b.Loop() {
					MulVecInt8(dst, x, x.Row(0))
				}
				b.SetBytes(int64(len(x.Data)))
			})
			w := vec.NewMatrix[uint64](1000, d/64)
			b.Run(fmt.Sprintf("type=bits/m=1000/n=%d/form=%s", d, form), func(b *testing.B) {
				for b.Loop() {
					HammingRows(dst, w, w.Row(0))
				}
				b.SetBytes(int64(8 * len(w.Data)))
			})
		})
	}
}

func BenchmarkDotInt8(b *testing.B) {
	r := prove.Rand(7)
	for _, d := range []int{64, 128, 768, 1536} {
		x, y := draw[int8](d, r), draw[int8](d, r)
		b.Run(fmt.Sprintf("n=%d", d), func(b *testing.B) {
			for b.Loop() {
				DotInt8(x, y)
			}
		})
	}
}
