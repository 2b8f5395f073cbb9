package low

import (
	"fmt"
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// both runs a test for each format.
func both(t *testing.T, b func(t *testing.T, f halfFormat[BFloat16]), h func(t *testing.T, f halfFormat[Float16])) {
	t.Run("bfloat16", func(t *testing.T) {
		b(t, halfFormat[BFloat16]{NewBFloat16, BFloat16.Float32, ToBFloat16, FromBFloat16, DotBFloat16,
			SquaredDistanceBFloat16, CosineBFloat16, MulVecBFloat16, MulVecBFloat16Float32, DotsBFloat16,
			DotsBFloat16Workers, SquaredNormsBFloat16, 1 << 120})
	})
	t.Run("float16", func(t *testing.T) {
		h(t, halfFormat[Float16]{NewFloat16, Float16.Float32, ToFloat16, FromFloat16, DotFloat16,
			SquaredDistanceFloat16, CosineFloat16, MulVecFloat16, MulVecFloat16Float32, DotsFloat16,
			DotsFloat16Workers, SquaredNormsFloat16, 1 << 12})
	})
}

// halfFormat is all that the package has for a format.
type halfFormat[T BFloat16 | Float16] struct {
	of        func(float32) T
	float     func(T) float32
	to        func([]T, []float32)
	from      func([]float32, []T)
	dot       func(x, y []T) float32
	distance  func(x, y []T) float32
	cosine    func(x, y []T) float32
	mulVec    func(dst []float32, x vec.Matrix[T], q []T)
	mulVec32  func(dst []float32, x vec.Matrix[T], q []float32)
	dots      func(dst vec.Matrix[float32], x, y vec.Matrix[T])
	workers   func(dst vec.Matrix[float32], x, y vec.Matrix[T], workers int)
	norms     func(dst []float32, x vec.Matrix[T])
	largeUnit float64 // of which a thousand are still finite
}

// matrix draws a matrix with a gap of poison between its rows.
func (f halfFormat[T]) matrix(rows, cols, gap int, draw func(int) float32) vec.Matrix[T] {
	a := vec.Matrix[T]{Rows: rows, Cols: cols, Stride: cols + gap, Data: make([]T, max(0, rows*(cols+gap)-gap))}
	for i := range a.Data {
		a.Data[i] = f.of(float32(math.NaN()))
		if i%(cols+gap) < cols {
			a.Data[i] = f.of(draw(i))
		}
	}
	return a
}

func TestHalfPairs(t *testing.T) { both(t, halfPairs[BFloat16], halfPairs[Float16]) }

func halfPairs[T BFloat16 | Float16](t *testing.T, f halfFormat[T]) {
	odd, even := prove.Odd[float32](prove.Rand(1)), prove.Even[float32](prove.Rand(2))
	for n := range 70 {
		a, b := f.matrix(1, n, 0, odd), f.matrix(1, n, 0, even)
		var xy, xx, yy, d float64
		for i, v := range a.Data {
			v, w := float64(f.float(v)), float64(f.float(b.Data[i]))
			xy, xx, yy, d = xy+v*w, xx+v*v, yy+w*w, d+(v-w)*(v-w)
		}
		cosine := 0.0
		if n > 0 {
			cosine = xy / math.Sqrt(xx*yy)
		}
		prove.Forms(func(form string) {
			if got := f.dot(a.Data, b.Data); float64(got) != xy {
				t.Errorf("%s n=%d: dot %v, want %v", form, n, got, xy)
			}
			if got := f.distance(a.Data, b.Data); float64(got) != d {
				t.Errorf("%s n=%d: squared distance %v, want %v", form, n, got, d)
			}
			if got := f.cosine(a.Data, b.Data); got != float32(cosine) {
				t.Errorf("%s n=%d: cosine %v, want %v", form, n, got, cosine)
			}
			if got := f.cosine(a.Data, a.Data); n > 0 && got != 1 {
				t.Errorf("%s n=%d: cosine with itself %v", form, n, got)
			}
		})
		x, y := make([]float32, n), make([]T, n)
		f.from(x, a.Data)
		f.to(y, x)
		for i, v := range a.Data {
			if y[i] != v || x[i] != f.float(v) {
				t.Errorf("n=%d: %v becomes %v and %v", n, v, x[i], y[i])
			}
		}
	}
	large, small, inf := []T{f.of(float32(f.largeUnit)), 0}, []T{1, 1}, []T{f.of(float32(math.Inf(1))), 0}
	for _, c := range []struct {
		x, y []T
		want float64
	}{{large, []T{0, 0}, 0}, {large, large, 1}, {small, small, 1}, {large, small, math.Sqrt(0.5)}, {inf, large,
		math.NaN()}, {inf, []T{0, 0}, math.NaN()}, {large, []T{0, inf[0]}, math.NaN()}, {nil, nil, 0}} {
		prove.Forms(func(form string) {
			if got := f.cosine(c.x, c.y); !prove.Same(got, float32(c.want)) {
				t.Errorf("%s cosine of %v and %v is %v, want %v", form, c.x, c.y, got, c.want)
			}
		})
	}
	if n := prove.Allocs(10, func() { f.dot(large, large); f.cosine(large, large); f.distance(large, large) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestCosineRounding: however the sums round, the cosine of a vector with a multiple of itself is at most 1.
func TestCosineRounding(t *testing.T) {
	r := prove.Rand(3)
	for range 200 {
		x, y := make([]BFloat16, 33), make([]BFloat16, 33)
		for i := range x {
			x[i] = NewBFloat16(r.Float32())
			y[i] = NewBFloat16(-4 * x[i].Float32())
		}
		if got := CosineBFloat16(x, y); !(got >= -1 && got < -1+1e-5) {
			t.Fatalf("cosine %v", got)
		}
	}
}

func TestHalfRows(t *testing.T) { both(t, halfRows[BFloat16], halfRows[Float16]) }

func halfRows[T BFloat16 | Float16](t *testing.T, f halfFormat[T]) {
	odd := prove.Odd[float32](prove.Rand(4))
	for m := range 20 {
		for _, n := range []int{0, 1, 7, 64, 100} {
			x, q := f.matrix(m, n, m%3, odd), f.matrix(1, n, 0, odd).Data
			q32, got, want := make([]float32, n), make([]float32, m), make([]float32, m)
			f.from(q32, q)
			for i := range want {
				for j, v := range x.Row(i) {
					want[i] += f.float(v) * q32[j]
				}
			}
			norms, sum := make([]float32, m), make([]float32, m)
			for i := range norms {
				for _, v := range x.Row(i) {
					norms[i] += f.float(v) * f.float(v)
				}
			}
			prove.Forms(func(form string) {
				if f.norms(sum, x); fmt.Sprint(sum) != fmt.Sprint(norms) {
					t.Errorf("%s %dx%d: norms %v, want %v", form, m, n, sum, norms)
				}
				for name, call := range map[string]func(){"": func() { f.mulVec(got, x, q) },
					" with float32": func() { f.mulVec32(got, x, q32) }} {
					clear(got)
					call()
					if fmt.Sprint(got) != fmt.Sprint(want) {
						t.Errorf("%s %dx%d%s: %v, want %v", form, m, n, name, got, want)
					}
				}
			})
		}
	}
}

// TestHalfDots, TestHalfDotsBound: on CPUs with BF16 both ways to a product, whichever is faster there.

func TestHalfDots(t *testing.T) {
	bothWays(t, func(t *testing.T) { both(t, halfDots[BFloat16], halfDots[Float16]) })
}

func bothWays(t *testing.T, f func(t *testing.T)) {
	defer func(old bool) { pairsPay = old }(pairsPay)
	ways := []bool{false, true}
	if !cpu.BF16 {
		ways = ways[:1]
	}
	for _, pairsPay = range ways {
		t.Run(fmt.Sprintf("pairs=%v", pairsPay), f)
	}
}

// halfDots compares with exact products, of small integers, so that all orders of summation agree.
func halfDots[T BFloat16 | Float16](t *testing.T, f halfFormat[T]) {
	odd := prove.Odd[float32](prove.Rand(5))
	for i, s := range [][3]int{{0, 5, 3}, {5, 0, 3}, {2, 3, 0}, {1, 1, 1}, {3, 7, 5}, {4, 7, 5}, {9, 48, 64},
		{10, 49, 65}, {17, 50, 321}, {20, 241, 33}, {4, 250, 330}, {260, 3, 65}, {11, 30, 1281}} {
		x, y := f.matrix(s[0], s[2], i%3, odd), f.matrix(s[1], s[2], i/2%3, odd)
		want := make([]float32, s[0]*s[1])
		for r := range s[0] {
			for c := range s[1] {
				for k, v := range x.Row(r) {
					want[r*s[1]+c] += f.float(v) * f.float(y.Row(c)[k])
				}
			}
		}
		prove.Forms(func(form string) {
			if s[0]*s[1]*s[2] > 1<<17 && form == cpu.Generic.String() {
				return // the same pieces of the same calls
			}
			var c prove.Memory[float32]
			c.Place(i, s[0], s[1], s[1]+i%4, func(int) float32 { return float32(math.NaN()) })
			dst := vec.Matrix[float32]{Rows: s[0], Cols: s[1], Data: c.Data, Stride: s[1] + i%4}
			for k := range c.Elements {
				c.Want()[k] = want[k/dst.Stride*s[1]+k%dst.Stride]
			}
			for workers := range 4 {
				c.Reset()
				if workers == 1 {
					f.dots(dst, x, y)
				} else {
					f.workers(dst, x, y, workers)
				}
				if err := c.Diff(true); err != nil {
					t.Fatalf("%s %v by %d: %v", form, s, workers, err)
				}
			}
		})
	}
}

// TestHalfDotsBound: products that round keep to the bound of sums, and have the same bits for any number of workers.
func TestHalfDotsBound(t *testing.T) {
	bothWays(t, func(t *testing.T) { both(t, halfDotsBound[BFloat16], halfDotsBound[Float16]) })
}

func halfDotsBound[T BFloat16 | Float16](t *testing.T, f halfFormat[T]) {
	draw := prove.Draw[float32]("uniform", prove.Rand(6))
	m, n, k := 20, 245, 333
	x, y := f.matrix(m, k, 1, draw), f.matrix(n, k, 0, draw)
	got, shared := vec.NewMatrix[float32](m, n), vec.NewMatrix[float32](m, n)
	exact, magnitude := make([]float64, m*n), make([]float64, m*n)
	for e := range exact {
		for l, v := range x.Row(e / n) {
			p := float64(f.float(v)) * float64(f.float(y.Row(e % n)[l]))
			exact[e], magnitude[e] = exact[e]+p, magnitude[e]+math.Abs(p)
		}
	}
	prove.Forms(func(form string) {
		f.dots(got, x, y)
		f.workers(shared, x, y, 3)
		for e, want := range exact {
			v := got.Data[e]
			if miss := math.Abs(float64(v) - want); miss > float64(k+8)*0x1p-24*magnitude[e]+float64(k)*0x1p-125 {
				t.Fatalf("%s (%d, %d): %v, want %v", form, e/n, e%n, v, want)
			}
			if v != shared.Data[e] {
				t.Fatalf("%s (%d, %d): %v alone, %v by workers", form, e/n, e%n, v, shared.Data[e])
			}
		}
	})
	if n := prove.Allocs(5, func() { f.dots(got, x, y) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestHalfPanics(t *testing.T) {
	b, h, f := make([]BFloat16, 3), make([]Float16, 3), make([]float32, 4)
	xb, xh, d := vec.MatrixOf(1, 3, b), vec.MatrixOf(1, 3, h), vec.MatrixOf(2, 2, f)
	short := vec.Matrix[BFloat16]{Rows: 2, Cols: 3, Data: b, Stride: 3}
	for want, call := range map[string]func(){
		"low: ToBFloat16: lengths 3 and 4 differ":              func() { ToBFloat16(b, f) },
		"low: FromBFloat16: lengths 4 and 3 differ":            func() { FromBFloat16(f, b) },
		"low: ToFloat16: lengths 3 and 4 differ":               func() { ToFloat16(h, f) },
		"low: FromFloat16: lengths 4 and 3 differ":             func() { FromFloat16(f, h) },
		"low: DotBFloat16: lengths 3 and 2 differ":             func() { DotBFloat16(b, b[:2]) },
		"low: DotFloat16: lengths 3 and 2 differ":              func() { DotFloat16(h, h[:2]) },
		"low: SquaredDistanceBFloat16: lengths 3 and 2 differ": func() { SquaredDistanceBFloat16(b, b[:2]) },
		"low: SquaredDistanceFloat16: lengths 3 and 2 differ":  func() { SquaredDistanceFloat16(h, h[:2]) },
		"low: CosineBFloat16: lengths 3 and 2 differ":          func() { CosineBFloat16(b, b[:2]) },
		"low: CosineFloat16: lengths 3 and 2 differ":           func() { CosineFloat16(h, h[:2]) },
		"low: MulVecBFloat16: 1x3 matrix, vectors of 4 for its rows and 3 for its columns": func() {
			MulVecBFloat16(f, xb, b)
		},
		"low: MulVecFloat16: 1x3 matrix, vectors of 1 for its rows and 2 for its columns": func() {
			MulVecFloat16(f[:1], xh, h[:2])
		},
		"low: MulVecBFloat16Float32: 1x3 matrix, vectors of 1 for its rows and 4 for its columns": func() {
			MulVecBFloat16Float32(f[:1], xb, f)
		},
		"low: MulVecFloat16Float32: 1x3 matrix, vectors of 1 for its rows and 4 for its columns": func() {
			MulVecFloat16Float32(f[:1], xh, f)
		},
		"low: MulVecBFloat16: 3 numbers are too few for 2 rows of 3 columns at stride 3": func() {
			MulVecBFloat16(f[:2], short, b)
		},
		"low: SquaredNormsBFloat16: 1x3 matrix, vectors of 4 for its rows and 3 for its columns": func() {
			SquaredNormsBFloat16(f, xb)
		},
		"low: SquaredNormsFloat16: 1x3 matrix, vectors of 4 for its rows and 3 for its columns": func() {
			SquaredNormsFloat16(f, xh)
		},
		"low: DotsBFloat16: 2x2 matrix for the rows of a 1x3 and a 1x3 matrix": func() {
			DotsBFloat16(d, xb, xb)
		},
		"low: DotsFloat16Workers: 2x2 matrix for the rows of a 1x3 and a 1x3 matrix": func() {
			DotsFloat16Workers(d, xh, xh, 1)
		},
		"low: DotsFloat16: 2x2 matrix for the rows of a 1x3 and a 1x3 matrix": func() {
			DotsFloat16(d, xh, xh)
		},
		"low: DotsBFloat16Workers: -2 workers, want at least 0": func() {
			DotsBFloat16Workers(vec.MatrixOf(1, 1, f[:1]), xb, xb, -2)
		},
		"low: DotsBFloat16: 3 numbers are too few for 2 rows of 3 columns at stride 3": func() {
			DotsBFloat16(vec.MatrixOf(2, 1, f[:2]), short, xb)
		},
	} {
		if got := refused(t, call); got != want {
			t.Errorf("panics with %q, want %q", got, want)
		}
	}
}
