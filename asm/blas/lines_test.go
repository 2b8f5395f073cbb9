package blas

import (
	"math"
	"os"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestLines: products with rows of all lengths that begin at all places of their cache lines. Integers have the exact
// result, whatever lies between rows, and the bits of other sums do not depend on where A lies.
func TestLines(t *testing.T) { prove.Both(t, lines[float32], lines[float64]) }

func lines[T float](t *testing.T) {
	size := int(unsafe.Sizeof(T(0)))
	for n := 1; n <= 15*64/size; n++ {
		if testing.Short() && n%7 != 0 {
			continue
		}
		for past := 0; past < 64; past += 16 {
			lda := n
			for lda*size%64 != past {
				lda++
			}
			rows := []int{8, 19}
			if past == 32 && n%7 == 0 { // above the size from which GemvT reads whole lines
				rows = append(rows, (128<<10)/(lda*size)+3)
			}
			for _, m := range rows {
				exactLines[T](t, m, n, lda)
				sameLines[T](t, m, n, lda)
			}
		}
	}
}

type product[T float] = func(m, n int, alpha T, a *T, lda int, x *T, beta T, y *T)

// lined is a product of a matrix with a vector.
type lined[T float] struct {
	f    product[T]
	x, y int                // their lengths
	of   func(i, j int) int // the element of A that belongs to element i of y and j of x
}

func products[T float](m, n, lda int) map[string]lined[T] {
	return map[string]lined[T]{
		"gemv":  {prove.Pick[T, product[T]](GemvF32, GemvF64), n, m, func(i, j int) int { return i*lda + j }},
		"gemvt": {prove.Pick[T, product[T]](GemvTF32, GemvTF64), m, n, func(i, j int) int { return j*lda + i }},
	}
}

func exactLines[T float](t *testing.T, m, n, lda int) {
	t.Helper()
	var x, y, a prove.Memory[T]
	a.Place(0, m, n, lda, func(i int) T { return T(i%11 - 5) })
	for name, p := range products[T](m, n, lda) {
		x.Place(3, 1, p.x, p.x, func(i int) T { return T(i%5 - 1) })
		y.Place(1, 1, p.y, p.y, func(i int) T { return T(i % 3) })
		prove.Tiers(func(tier cpu.Tier) {
			y.Reset()
			p.f(m, n, 2, &a.Data[0], lda, &x.Data[0], 3, &y.Data[0])
			for i := range y.Want() {
				sum := T(0)
				for j := range p.x {
					sum += a.Data[p.of(i, j)] * x.Data[j]
				}
				y.Want()[i] = 2*sum + 3*T(i%3)
			}
			for _, arg := range []*prove.Memory[T]{&x, &y, &a} {
				if err := arg.Diff(false); err != nil {
					t.Fatalf("%s, %v, m = %d, n = %d, lda = %d: %v", name, tier, m, n, lda, err)
				}
			}
		})
	}
}

func sameLines[T float](t *testing.T, m, n, lda int) {
	t.Helper()
	r := prove.Rand(uint64(m*n + lda))
	numbers := make([]T, m*lda)
	for i := range numbers {
		numbers[i] = T(r.NormFloat64())
	}
	var first, a prove.Memory[T]
	first.Place(0, m, n, lda, func(i int) T { return numbers[i] })
	for name, p := range products[T](m, n, lda) {
		x, want, y := make([]T, p.x), make([]T, p.y), make([]T, p.y)
		for j := range x {
			x[j] = T(r.NormFloat64())
		}
		prove.Tiers(func(tier cpu.Tier) {
			p.f(m, n, 2, &first.Data[0], lda, &x[0], 0, &want[0])
			for _, at := range []int{1, 32 / int(unsafe.Sizeof(T(0)))} {
				a.Place(at, m, n, lda, func(i int) T { return numbers[i] })
				p.f(m, n, 2, &a.Data[0], lda, &x[0], 0, &y[0])
				for i, v := range y {
					if math.Float64bits(float64(v)) != math.Float64bits(float64(want[i])) {
						t.Fatalf("%s, %v, m = %d, n = %d, lda = %d: element %d is %v with A %d elements later, want %v",
							name, tier, m, n, lda, i, v, at, want[i])
					}
				}
			}
		})
	}
}

// TestLinesGuardPages: no byte outside A is touched where A begins with a cache line and ends with one.
func TestLinesGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, linesGuardPages[float32], linesGuardPages[float64])
}

func linesGuardPages[T float](t *testing.T) {
	const most = 1500
	size := int(unsafe.Sizeof(T(0)))
	arena := guard.New(t, most*16*64)
	for bytes := 16; bytes <= 15*64; bytes += 16 {
		for _, place := range []func(*guard.Arena, int) []T{guard.Head[T], guard.Tail[T]} {
			for _, m := range []int{8, min(most, (128<<10)/bytes+8) &^ 7} {
				n := bytes / size
				a := place(arena, m*n)
				for name, p := range products[T](m, n, n) {
					x, y := make([]T, p.x), make([]T, p.y)
					prove.Tiers(func(tier cpu.Tier) {
						if at, faulted := guard.Fault(func() { p.f(m, n, 1, &a[0], n, &x[0], 0, &y[0]) }); faulted {
							t.Fatalf("%s, %v, m = %d, n = %d: fault at %#x", name, tier, m, n, at)
						}
					})
				}
			}
		}
	}
}
