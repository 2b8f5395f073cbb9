package blas

import (
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

type gerSomeFunc[T float] = func(m, n int, x, y, a *T, lda int)

func gerSomeOf[T float]() gerSomeFunc[T] {
	return prove.Pick[T, gerSomeFunc[T]](GerSomeF32, GerSomeF64)
}

// someOf draws n numbers, of which about one in the given number is not 0.
func someOf[T float](seed uint64, n, one int) []T {
	r := prove.Rand(seed)
	y, draw := make([]T, n), prove.Odd[T](r)
	for j := range y {
		if r.IntN(one) == 0 {
			y[j] = draw(j)
		}
	}
	return y
}

// TestGerSome: the loop of the doc comment, on integers, at all alignments; rows that are wide of each other.
func TestGerSome(t *testing.T) { prove.Both(t, testGerSome[float32], testGerSome[float64]) }

func testGerSome[T float](t *testing.T) {
	var x, y, a prove.Memory[T]
	for m := range 20 {
		for n := 0; n <= 72; n += 8 {
			at, lda := (m+n/8)%16, n+m%3
			factors, moves := someOf[T](1, m, 1), someOf[T](uint64(m+100*n), n, 1+n/8)
			x.Place(at, 1, m, m, func(i int) T { return factors[i] })
			y.Place((at+5)%16, 1, n, n, func(j int) T { return moves[j] })
			a.Place((at+3)%16, m, n, lda, func(i int) T { return T(i % 7) })
			want := slices.Clone(a.Data)
			for i := range m {
				for j := range n {
					want[i*lda+j] += factors[i] * moves[j]
				}
			}
			prove.Tiers(func(tier cpu.Tier) {
				a.Reset()
				gerSomeOf[T]()(m, n, unsafe.SliceData(x.Data), unsafe.SliceData(y.Data), unsafe.SliceData(a.Data), lda)
				copy(a.Want(), want)
				for _, arg := range []*prove.Memory[T]{&x, &y, &a} {
					if err := arg.Diff(false); err != nil {
						t.Fatalf("%v, m = %d, n = %d: %v", tier, m, n, err)
					}
				}
			})
		}
	}
}

// TestGerSomeGuardPages: no byte outside the operands is touched.
func TestGerSomeGuardPages(t *testing.T) {
	prove.Both(t, gerSomeGuardPages[float32], gerSomeGuardPages[float64])
}

func gerSomeGuardPages[T float](t *testing.T) {
	factors, moves, matrix := guard.New(t, 4096), guard.New(t, 4096), guard.New(t, 8192)
	for m := 1; m <= 10; m++ {
		for n := 8; n <= 72; n += 8 {
			prove.Tiers(func(tier cpu.Tier) {
				for end, place := range map[string]func(*guard.Arena,
					int) []T{"lower": guard.Head[T], "upper": guard.Tail[T]} {
					x, y, a := place(factors, m), place(moves, n), place(matrix, m*n)
					copy(y, someOf[T](7, n, 2))
					if at, faulted := guard.Fault(func() { gerSomeOf[T]()(m, n, &x[0], &y[0], &a[0], n) }); faulted {
						t.Fatalf("%v, m = %d, n = %d at the %s guard page: fault at %#x", tier, m, n, end, at)
					}
				}
			})
		}
	}
}

// TestGerSomeRounds: a product and a sum, rounded once each or together.
func TestGerSomeRounds(t *testing.T) { prove.Both(t, gerSomeRounds[float32], gerSomeRounds[float64]) }

func gerSomeRounds[T float](t *testing.T) {
	r := prove.Rand(9)
	const m, n = 13, 40
	draw := func(n int) []T {
		v := make([]T, n)
		for i := range v {
			v[i] = T(r.NormFloat64())
		}
		return v
	}
	x, y, start := draw(m), draw(n), draw(m*n)
	prove.Tiers(func(tier cpu.Tier) {
		a := slices.Clone(start)
		gerSomeOf[T]()(m, n, &x[0], &y[0], &a[0], n)
		for i, v := range a {
			product := float64(x[i/n]) * float64(y[i%n])
			want := float64(start[i]) + product
			if bound := 2 * prove.Unit[T]() * (math.Abs(want) + math.Abs(product)); math.Abs(float64(v)-want) > bound {
				t.Fatalf("%v: element %d is %v, want %v within %v", tier, i, v, want, bound)
			}
		}
		if allocs := prove.Allocs(10, func() { gerSomeOf[T]()(m, n, &x[0], &y[0], &a[0], n) }); allocs != 0 {
			t.Errorf("%v: %v allocations", tier, allocs)
		}
	})
}

// FuzzGerSome: on integers of any pattern of zeros all tiers agree with the loop.
func FuzzGerSome(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0, 0, 0, 0, 5}, uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, rows uint8) {
		m, n := int(rows%33), len(data)&^7
		x, y, start := make([]float32, m), make([]float32, n), make([]float32, m*n)
		for i := range x {
			x[i] = float32(i%5 - 2)
		}
		for j := range y {
			y[j] = float32(int8(data[j]))
		}
		want := slices.Clone(start)
		for i := range want {
			want[i] += x[i/n] * y[i%n]
		}
		prove.Tiers(func(tier cpu.Tier) {
			a := slices.Clone(start)
			GerSomeF32(m, n, unsafe.SliceData(x), unsafe.SliceData(y), unsafe.SliceData(a), n)
			if !slices.Equal(a, want) {
				t.Fatalf("%v: m = %d, y = %v: %v, want %v", tier, m, y, a, want)
			}
		})
	})
}
