package spectral

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// draw returns a matrix of that rank, in a larger one where it is to have a stride of its own.
func draw[T vec.Float](rng *rand.Rand, rows, cols, rank int, scale float64) vec.Matrix[T] {
	stride := cols + rng.IntN(2)*3
	a := vec.Matrix[T]{Rows: rows, Cols: cols, Stride: stride, Data: make([]T, rows*stride)}
	for range rank {
		u, v := make([]T, rows), make([]T, cols)
		for _, x := range [][]T{u, v} {
			for i := range x {
				x[i] = T(rng.NormFloat64())
			}
		}
		vec.Ger(T(scale), u, v, a)
	}
	return a
}

// reference returns the singular values of a by bidiagonal reduction.
func reference(t *testing.T, a vec.Matrix[float64]) []float64 {
	t.Helper()
	m := mat.NewDense(a.Rows, a.Cols, nil)
	for i := range a.Rows {
		m.SetRow(i, a.Row(i))
	}
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDNone) {
		t.Fatal("no singular values")
	}
	return svd.Values(nil)
}

// TestSpectral: singular values and factors of wide and tall matrices, of full rank and not, large and small.
//
// An element of the Gram matrix is a sum of n = max(d, k) products: it is off by n 2⁻⁵³ |A|_F² at most, an eigenvalue
// by as much as the norm of what the matrix is off, and by c k 2⁻⁵³ |A|_F² of the method's own rounding (Anderson and
// others, LAPACK Users' Guide, section 4.7): with c = 16 e = (16 k + k n) 2⁻⁵³ |A|_F². The root of an eigenvalue s² is
// off by e/s, and by sqrt(e) at most.
func TestSpectral(t *testing.T) { prove.Both(t, testSpectral[float32], testSpectral[float64]) }

func testSpectral[T vec.Float](t *testing.T) {
	rng := prove.Rand(1)
	for _, size := range [][3]int{{1, 1, 1}, {1, 7, 1}, {7, 1, 1}, {5, 5, 5}, {30, 4, 4}, {4, 30, 4}, {60, 40, 40},
		{40, 60, 3}, {60, 40, 2}, {9, 9, 0}} {
		for _, scale := range []float64{1, 1e-10, 1e10} {
			name := fmt.Sprint(size, scale)
			a := draw[T](rng, size[0], size[1], size[2], scale)
			wide := Float64(a)
			k, n := min(a.Rows, a.Cols), max(a.Rows, a.Cols)
			square := 0.0
			for _, v := range wide.Data {
				square += v * v
			}
			e := float64(16*k+k*n) * 0x1p-53 * square
			want := reference(t, wide)
			off := func(v float64) float64 {
				return math.Min(math.Sqrt(e), e/max(v, math.SmallestNonzeroFloat64)) + 16*float64(n)*0x1p-53*want[0]
			}
			values := Values(a)
			u, v, lengths, ok := Decompose(wide)
			if !ok || len(values) != k || len(lengths) != k || u.Cols != k || v.Cols != k || u.Rows != a.Rows ||
				v.Rows != a.Cols {
				t.Fatalf("%s: %d values, %d lengths, %t", name, len(values), len(lengths), ok)
			}
			for j, s := range want {
				if !(math.Abs(values[j]-s) <= off(s)) || !(math.Abs(lengths[j]-s) <= math.Sqrt(e)+off(s)) {
					t.Errorf("%s: value %d is %v, column of length %v, want %v, bound %g", name, j, values[j],
						lengths[j], s, off(s))
				}
			}
			if !slices.IsSortedFunc(values, func(a, b float64) int { return cmp.Compare(b, a) }) {
				t.Errorf("%s: %v do not descend", name, values)
			}
			// W = U Vᵀ, and the columns are orthogonal: on the smaller side they have length 1.
			orthogonal(t, name, u, v, e)
			for i := range a.Rows {
				for j := range a.Cols {
					if got := vec.Dot(u.Row(i), v.Row(j)); !(math.Abs(got-wide.Row(i)[j]) <= 32*float64(
						k)*0x1p-53*math.Sqrt(square)) {
						t.Fatalf("%s: element (%d, %d) is %v, want %v", name, i, j, got, wide.Row(i)[j])
					}
				}
			}
		}
	}
}

// TestTinyBlock: rows and columns of tiny numbers, apart from others, are no panic; what they make is below all
// rounding.
func TestTinyBlock(t *testing.T) {
	for _, tiny := range []float64{1e-60, 1e-75, 1e-80, 1e-120, 1e-150} {
		a := vec.NewMatrix[float64](6, 4)
		for i := range 6 {
			for j := range 4 {
				if a.Row(i)[j] = float64((i*5+j*3)%7) - 3; (i < 3) != (j < 2) {
					a.Row(i)[j] = 0
				} else if i >= 3 {
					a.Row(i)[j] *= tiny
				}
			}
		}
		values := Values(a)
		_, _, lengths, ok := Decompose(a)
		if want := reference(t, a); !ok || !(math.Abs(values[0]-want[0]) <= 1e-14*want[0]) ||
			!(math.Abs(lengths[0]-want[0]) <= 1e-14*want[0]) {
			t.Errorf("%g: values %v, lengths %v, %t, want %v", tiny, values, lengths, ok, want)
		}
	}
}

// orthogonal checks the columns of both factors; e is what an element of the Gram matrix may be off.
func orthogonal(t *testing.T, name string, u, v vec.Matrix[float64], e float64) {
	t.Helper()
	if u.Rows < v.Rows {
		u, v = v, u
	}
	k := float64(u.Cols)
	for a := range u.Cols {
		for b := range u.Cols {
			long, unit := 0.0, 0.0
			for i := range u.Rows {
				long += u.Row(i)[a] * u.Row(i)[b]
			}
			for i := range v.Rows {
				unit += v.Row(i)[a] * v.Row(i)[b]
			}
			want := 0.0
			if a == b {
				want, long = 1, 0
			}
			if !(math.Abs(unit-want) <= 16*k*k*0x1p-53) || !(math.Abs(long) <= 4*e) {
				t.Fatalf("%s: columns %d and %d: %g and %g", name, a, b, unit, long)
			}
		}
	}
}

// TestLengths: |u_j| |v_j|, whose sum is at least the sum of the singular values of W = U Vᵀ.
func TestLengths(t *testing.T) {
	rng := prove.Rand(2)
	for range 50 {
		d, k := 1+rng.IntN(9), 1+rng.IntN(9)
		r := 1 + rng.IntN(min(d, k))
		u, v := draw[float64](rng, d, r, r, 1), draw[float64](rng, k, r, r, 1)
		w := vec.NewMatrix[float64](d, k)
		vec.Gemm(vec.NoTrans, vec.Transposed, 1, u, v, 0, w)
		nuclear, sum := 0.0, 0.0
		for _, s := range reference(t, w) {
			nuclear += s
		}
		for j, got := range Lengths(u, v) {
			a, b := 0.0, 0.0
			for i := range d {
				a += u.Row(i)[j] * u.Row(i)[j]
			}
			for i := range k {
				b += v.Row(i)[j] * v.Row(i)[j]
			}
			if want := math.Sqrt(a * b); !(math.Abs(got-want) <= 1e-14*want) {
				t.Errorf("length %v, want %v", got, want)
			}
			sum += got
		}
		if sum < nuclear*(1-1e-13) {
			t.Errorf("lengths sum to %v, singular values to %v", sum, nuclear)
		}
	}
}

// TestNotFinite: numbers that are not finite give NaN and no factors; nothing panics.
func TestNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, size := range [][2]int{{1, 1}, {5, 3}, {3, 5}} {
			a := draw[float64](prove.Rand(3), size[0], size[1], 2, 1)
			a.Row(size[0] - 1)[size[1]-1] = bad
			if v := Values(a); len(v) != 1 || v[0] == v[0] {
				t.Errorf("%v: values %v", bad, v)
			}
			if _, _, _, ok := Decompose(a); ok {
				t.Errorf("%v: factors", bad)
			}
		}
	}
	if v := Values(vec.NewMatrix[float32](0, 3)); len(v) != 0 {
		t.Error(v)
	}
	if _, _, v, ok := Decompose(vec.NewMatrix[float64](3, 0)); len(v) != 0 || !ok {
		t.Error(v, ok)
	}
}

// TestRange: a power of two times A has as much times its singular values, to the bit, up to where numbers have all
// their bits, and factors of a matrix of tiny or huge numbers are finite.
func TestRange(t *testing.T) { prove.Both(t, testRange[float32], testRange[float64]) }

func testRange[T vec.Float](t *testing.T) {
	exponents := []int{-100, 100}
	if T(1)/3 != T(float32(1)/3) {
		exponents = []int{-1020, -600, -240, 240, 600, 1000}
	}
	for _, size := range [][2]int{{6, 4}, {4, 6}, {1, 1}} {
		a := vec.NewMatrix[T](size[0], size[1])
		for i := range a.Data {
			a.Data[i] = T(float64(i*i%7+1) / 4)
		}
		want := Values(a)
		for _, e := range exponents {
			b := vec.NewMatrix[T](size[0], size[1])
			for i, v := range a.Data {
				b.Data[i] = T(math.Ldexp(float64(v), e))
			}
			for j, v := range Values(b) {
				if v != math.Ldexp(want[j], e) {
					t.Errorf("%v, 2^%d times a matrix: value %d is %v, want %v", size, e, j, v, math.Ldexp(want[j], e))
				}
			}
			u, v, _, ok := Decompose(Float64(b))
			if !ok {
				t.Fatalf("%v, 2^%d: no factors", size, e)
			}
			for i := range b.Rows {
				for j, x := range b.Row(i) {
					if got := vec.Dot(u.Row(i), v.Row(j)); math.Abs(got-float64(x)) > 0x1p-45*math.Ldexp(10, e) {
						t.Errorf("%v, 2^%d: element %v is %v", size, e, x, got)
					}
				}
			}
		}
	}
}
