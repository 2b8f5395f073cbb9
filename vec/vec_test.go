package vec_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// ints returns n small integers, on which all sums are exact.
func ints[T vec.Float](r *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(r.IntN(15) - 7)
	}
	return x
}

// total is the sum of term over 0..n-1.
func total[T vec.Float](n int, term func(i int) T) (s T) {
	for i := range n {
		s += term(i)
	}
	return s
}

func equal[T vec.Float](t *testing.T, name string, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%v %s: %d numbers, want %d", cpu.Level, name, len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%v %s, %d numbers: element %d is %v, want %v", cpu.Level, name, len(got), i, got[i], want[i])
		}
	}
}

// TestVectors compares every function with a plain loop, on every tier: that it calls the kernel that it should, with
// the arguments in order. The kernels have more thorough tests of their own.
func TestVectors(t *testing.T) { prove.Both(t, vectors[float32], vectors[float64]) }

func vectors[T vec.Float](t *testing.T) {
	prove.Tiers(func(cpu.Tier) {
		r := prove.Rand(1)
		for n := range 80 {
			x, y := ints[T](r, n), ints[T](r, n)
			one := func(name string, got T, term func(i int) T) {
				t.Helper()
				equal(t, name, []T{got}, []T{total(n, term)})
			}
			product := func(i int) T { return x[i] * y[i] }
			distance := func(i int) T { return (x[i] - y[i]) * (x[i] - y[i]) }
			one("Dot", vec.Dot(x, y), product)
			one("SquaredDistance", vec.SquaredDistance(x, y), distance)
			one("SquaredNorm", vec.SquaredNorm(x), func(i int) T { return x[i] * x[i] })
			one("Sum", vec.Sum(x), func(i int) T { return x[i] })
			one("AbsSum", vec.AbsSum(x), func(i int) T { return max(x[i], -x[i]) })
			one("typed Dot", prove.Pick[T, func(x, y []T) T](vec.Dot32, vec.Dot64)(x, y), product)
			one("typed SquaredDistance", prove.Pick[T, func(x, y []T) T](vec.SquaredDistance32,
				vec.SquaredDistance64)(x, y), distance)

			scaled, added := make([]T, n), make([]T, n)
			for i := range x {
				scaled[i] = -3 * x[i]
				added[i] = y[i] + 2*x[i]
			}
			z := append([]T(nil), x...)
			vec.Scale(-3, z)
			equal(t, "Scale", z, scaled)
			for name, axpy := range map[string]func(alpha T, x, y []T){
				"Axpy":       vec.Axpy[T],
				"typed Axpy": prove.Pick[T, func(alpha T, x, y []T)](vec.Axpy32, vec.Axpy64),
			} {
				z := append([]T(nil), y...)
				axpy(2, x, z)
				equal(t, name, z, added)
			}
		}
	})
}

// TestMatVec is TestVectors for matrices, which are windows of wider ones.
func TestMatVec(t *testing.T) { prove.Both(t, matVec[float32], matVec[float64]) }

func matVec[T vec.Float](t *testing.T) {
	prove.Tiers(func(cpu.Tier) {
		r := prove.Rand(2)
		for m := range 12 {
			for n := range 40 {
				whole := vec.MatrixOf(m+3, n+4, ints[T](r, (m+3)*(n+4)))
				a := whole.Slice(1, 1+m, 2, 2+n)
				at := func(i, j int) T { return whole.Data[(1+i)*(n+4)+2+j] }
				byRow, byCol := ints[T](r, m), ints[T](r, n)

				want := make([]T, m)
				for i := range want {
					want[i] = 3*total(n, func(j int) T { return at(i, j) * byCol[j] }) - 2*byRow[i]
				}
				got := append([]T(nil), byRow...)
				vec.Gemv(3, a, byCol, -2, got)
				equal(t, "Gemv", got, want)

				want = make([]T, n)
				for j := range want {
					want[j] = 3*total(m, func(i int) T { return at(i, j) * byRow[i] }) - 2*byCol[j]
				}
				got = append([]T(nil), byCol...)
				vec.GemvT(3, a, byRow, -2, got)
				equal(t, "GemvT", got, want)

				want = append([]T(nil), whole.Data...)
				for i := range m {
					for j := range n {
						want[(1+i)*(n+4)+2+j] += 3 * byRow[i] * byCol[j]
					}
				}
				vec.Ger(3, byRow, byCol, a)
				equal(t, "Ger", whole.Data, want)
			}
		}
	})
}

// panicked runs f and returns the text of the ShapeError that it panicked with.
func panicked(f func()) (text string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case vec.ShapeError:
			r.ShapeError()
			text = r.Error()
		default:
			panic(r)
		}
	}()
	f()
	return ""
}

// demand calls f and wants a ShapeError that begins with the name of the function and tells each of the parts.
func demand(t *testing.T, name string, f func(), parts ...string) {
	t.Helper()
	text := panicked(f)
	if !strings.HasPrefix(text, "vec: "+name+": ") {
		t.Errorf("%s: panic %q, want it to name the function", name, text)
	}
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s: panic %q, want it to tell %q", name, text, p)
		}
	}
}

func TestLengths(t *testing.T) { prove.Both(t, lengths[float32], lengths[float64]) }

func lengths[T vec.Float](t *testing.T) {
	sums := map[string]func(x, y []T) T{
		"Dot": vec.Dot[T], "SquaredDistance": vec.SquaredDistance[T],
		"typed Dot":             prove.Pick[T, func(x, y []T) T](vec.Dot32, vec.Dot64),
		"typed SquaredDistance": prove.Pick[T, func(x, y []T) T](vec.SquaredDistance32, vec.SquaredDistance64),
	}
	for name, f := range sums {
		name = strings.TrimPrefix(name, "typed ")
		demand(t, name, func() { f(make([]T, 17), make([]T, 23)) }, "lengths 17 and 23 differ")
		demand(t, name, func() { f(nil, make([]T, 5)) }, "lengths 0 and 5 differ")
	}
	for name, f := range map[string]func(alpha T, x, y []T){
		"Axpy": vec.Axpy[T], "typed Axpy": prove.Pick[T, func(alpha T, x, y []T)](vec.Axpy32, vec.Axpy64),
	} {
		demand(t, strings.TrimPrefix(name, "typed "), func() { f(1, make([]T, 41), make([]T, 40)) },
			"lengths 41 and 40 differ")
	}

	a := vec.NewMatrix[T](3, 5)
	for _, c := range [][2]int{{4, 5}, {3, 6}, {5, 3}, {0, 5}, {3, 0}} {
		rows, cols := make([]T, c[0]), make([]T, c[1])
		clash := fmt.Sprintf("3x5 matrix, vectors of %d for its rows and %d for its columns", c[0], c[1])
		demand(t, "Ger", func() { vec.Ger(1, rows, cols, a) }, clash)
		demand(t, "Gemv", func() { vec.Gemv(1, a, cols, 0, rows) }, clash)
		demand(t, "GemvT", func() { vec.GemvT(1, a, rows, 0, cols) }, clash)
	}
	// A matrix put together wrongly is found before its memory is touched.
	short := vec.Matrix[T]{Rows: 3, Cols: 5, Stride: 7, Data: make([]T, 18)}
	rows, cols := make([]T, 3), make([]T, 5)
	for name, f := range map[string]func(){
		"Ger":   func() { vec.Ger(1, rows, cols, short) },
		"Gemv":  func() { vec.Gemv(1, short, cols, 0, rows) },
		"GemvT": func() { vec.GemvT(1, short, rows, 0, cols) },
	} {
		demand(t, name, f, "18 numbers are too few for 3 rows of 5 columns at stride 7")
	}
}

// TestEmpty: nothing is a valid argument everywhere, and sums over nothing are zero.
func TestEmpty(t *testing.T) { prove.Both(t, empty[float32], empty[float64]) }

func empty[T vec.Float](t *testing.T) {
	prove.Tiers(func(tier cpu.Tier) {
		for _, x := range [][]T{nil, {}, make([]T, 3)[3:]} {
			for _, y := range [][]T{nil, {}, make([]T, 3)[:0]} {
				sum := vec.Dot(x, y) + vec.SquaredDistance(x, y) + vec.SquaredNorm(x) + vec.Sum(x) + vec.AbsSum(x)
				if prove.Bits(sum) != 0 {
					t.Errorf("%v: sums over nothing are %v", tier, sum)
				}
				vec.Scale(2, x)
				vec.Axpy(2, x, y)
				for _, a := range []vec.Matrix[T]{{}, vec.NewMatrix[T](0, 0), vec.MatrixOf(0, 0, x)} {
					vec.Ger(2, x, y, a)
					vec.Gemv(2, a, x, 3, y)
					vec.GemvT(2, a, x, 3, y)
				}
				// Rows without columns and columns without rows: y = beta y.
				some := []T{1, 2, 3}
				vec.Gemv(2, vec.NewMatrix[T](3, 0), x, 3, some)
				equal(t, "Gemv without columns", some, []T{3, 6, 9})
				vec.GemvT(2, vec.NewMatrix[T](0, 3), x, 0, some)
				equal(t, "GemvT without rows", some, []T{0, 0, 0})
				vec.Ger(2, some, x, vec.NewMatrix[T](3, 0))
				vec.Ger(2, x, some, vec.NewMatrix[T](0, 3))
			}
		}
	})
}
