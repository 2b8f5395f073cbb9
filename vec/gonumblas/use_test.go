package gonumblas_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

var (
	_ blas.Float32    = gonumblas.Implementation{}
	_ blas.Float64    = gonumblas.Implementation{}
	_ blas.Complex64  = gonumblas.Implementation{}
	_ blas.Complex128 = gonumblas.Implementation{}
)

func ExampleUse() {
	gonumblas.Use() // once, before the first product

	a := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	var b mat.Dense
	b.Mul(a, a.T())
	fmt.Println(mat.Formatted(&b))
	// Output:
	// ⎡ 5  11⎤
	// ⎣11  25⎦
}

func Example() {
	impl := gonumblas.Implementation{} // without Use, by name
	y := []float64{1, 1, 1}
	impl.Daxpy(3, 2, []float64{1, 2, 3}, 1, y, 1)
	fmt.Println(y)
	// Output: [3 5 7]
}

func TestUse(t *testing.T) {
	use(t)
	if _, ok := blas64.Implementation().(gonumblas.Implementation); !ok {
		t.Errorf("blas64 uses %T", blas64.Implementation())
	}
	if _, ok := blas32.Implementation().(gonumblas.Implementation); !ok {
		t.Errorf("blas32 uses %T", blas32.Implementation())
	}
}

// use lets gonum compute by our implementation until the test ends.
func use(t testing.TB) {
	t.Cleanup(gonumAlone)
	gonumblas.Use()
}

// TestNorms: squares that overflow or underflow do no harm.
func TestNorms(t *testing.T) { prove.Both(t, norms[float32], norms[float64]) }

func norms[T prove.Float](t *testing.T) {
	norm := prove.Pick[T, func(int, []T, int) T](gonumblas.Implementation{}.Snrm2, gonumblas.Implementation{}.Dnrm2)
	low, high := prove.Pick[T, int](-140, -1060), prove.Pick[T, int](123, 1019)
	for e := low; e <= high; e++ {
		x := make([]T, 67)
		for i := range x {
			x[i] = T(math.Ldexp(float64(1+i%3), e))
		}
		want := math.Ldexp(math.Sqrt(23*1+22*4+22*9), e)
		if got := float64(norm(len(x), x, 1)); math.Abs(got-want) > want*67*prove.Unit[T]()+float64(prove.Tiny[T]()) {
			t.Errorf("norm of numbers near 2^%d: %g, want %g", e, got, want)
		}
	}
	for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		if got := norm(3, []T{1, T(v), 2}, 1); got == got && !math.IsInf(float64(got), 1) || (v == v) != (got == got) {
			t.Errorf("norm with %v: %v", v, got)
		}
	}
	if got := norm(3, make([]T, 3), 1); got != 0 {
		t.Errorf("norm of zeros: %v", got)
	}
}

// TestNoAllocation: strided vectors and blocked routines included.
func TestNoAllocation(t *testing.T) {
	const n = 70
	var impl gonumblas.Implementation
	d := draw{prove.Rand(1), nil}
	a, b, c, x, y := d.matrix(n, n, n), d.matrix(n, n, n), d.matrix(n, n, n), d.vector(n, 3), d.vector(n, 1)
	for i := range x {
		x[i] = 1
	}
	for name, f := range map[string]func(){
		"dot, axpy, nrm2": func() { impl.Daxpy(n, 1e-9*impl.Ddot(n, y, 1, a, 1)+impl.Dnrm2(n, y, 1), a, 1, c, 1) },
		"gemv":            func() { impl.Dgemv(blas.NoTrans, n, n, 1, a, n, x, 3, 0, c, 1) },
		"gemv transposed": func() { impl.Dgemv(blas.Trans, n, n, 1, a, n, y, 1, 0, x, 3) },
		"ger":             func() { impl.Dger(n, n, 1, x, 3, y, 1, c, n) },
		"symv":            func() { impl.Dsymv(blas.Lower, n, 1, a, n, x, 3, 0, c, 2) },
		"syr2":            func() { impl.Dsyr2(blas.Upper, n, 1, x, 3, y, 1, c, n) },
		"trmv":            func() { impl.Dtrmv(blas.Lower, blas.Trans, blas.Unit, n, a, n, y, 1) },
		"trsv":            func() { impl.Dtrsv(blas.Upper, blas.NoTrans, blas.Unit, n, a, n, x, 3) },
		"symm":            func() { impl.Dsymm(blas.Right, blas.Upper, n, n, 1, a, n, b, n, 0, c, n) },
		"syrk":            func() { impl.Dsyrk(blas.Lower, blas.NoTrans, n, n, 1, a, n, 0, c, n) },
		"syr2k":           func() { impl.Dsyr2k(blas.Upper, blas.Trans, n, n, 1, a, n, b, n, 0, c, n) },
		"trmm": func() {
			impl.Dtrmm(blas.Left, blas.Lower, blas.NoTrans, blas.Unit, n, n, 1e-3, a, n, b, n)
		},
		"trsm": func() { impl.Dtrsm(blas.Right, blas.Upper, blas.Trans, blas.Unit, n, n, 1e-3, a, n, b, n) },
		"gemm": func() { impl.Dgemm(blas.NoTrans, blas.Trans, n, n, n, 1, a, n, b, n, 0, c, n) },
	} {
		if allocs := prove.Allocs(5, f); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}
