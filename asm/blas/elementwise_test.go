package blas

import (
	"encoding/binary"
	"math"
	"math/big"
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// each is a kernel that makes each element of dst from the elements of x and y at its place, rounded once. exact is
// what is rounded, for finite arguments of which it has a value.
type each[T float] struct {
	name  string
	run   func(dst, x, y *T, n int)
	of    func(x, y T) T
	exact func(x, y *big.Float) *big.Float
}

func eachKernel[T float]() []each[T] {
	type three = func(dst, x, y *T, n int)
	add, mul := prove.Pick[T, three](AddF32, AddF64), prove.Pick[T, three](MulF32, MulF64)
	sqrt := prove.Pick[T, func(dst, x *T, n int)](SqrtF32, SqrtF64)
	wide := func() *big.Float { return new(big.Float).SetPrec(3000) } // any sum or product of two float64 is exact
	return []each[T]{
		{"add", add, func(x, y T) T { return x + y }, func(x, y *big.Float) *big.Float { return wide().Add(x, y) }},
		{"mul", mul, func(x, y T) T { return x * y }, func(x, y *big.Float) *big.Float { return wide().Mul(x, y) }},
		{"sqrt", func(dst, x, _ *T, n int) { sqrt(dst, x, n) }, func(x, _ T) T { return T(math.Sqrt(float64(x))) },
			func(x, _ *big.Float) *big.Float { return new(big.Float).SetPrec(300).Sqrt(x) }},
	}
}

// The arguments that may be one vector: dst and x, dst and y, x and y, all.
const (
	apart = iota
	dstIsX
	dstIsY
	xIsY
	allOne
	forms
)

// share returns dst, x and y as the form has them.
func share[T any](form int, dst, x, y T) (T, T, T) {
	switch form {
	case dstIsX:
		return x, x, y
	case dstIsY:
		return y, x, y
	case xIsY:
		return dst, x, x
	case allOne:
		return x, x, x
	}
	return dst, x, y
}

// mixture has ordinary numbers of all sizes, and one in four that is special.
func mixture[T float](kind string) func(int) T {
	r := prove.Rand(21)
	draw := prove.Draw[T](kind, r)
	special := []T{0, T(math.Copysign(0, -1)), T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1)),
		prove.Tiny[T](), -3 * prove.Tiny[T](), prove.Max[T](), -prove.Max[T]()}
	return func(i int) T {
		if r.IntN(4) == 0 {
			return special[r.IntN(len(special))]
		}
		return draw(i)
	}
}

// TestEach: every tier gives the bits of the loop in Go, at all lengths and alignments, whatever is shared, with poison
// around.
func TestEach(t *testing.T) { prove.Both(t, eachBits[float32], eachBits[float64]) }

func eachBits[T float](t *testing.T) {
	var dst, x, y prove.Memory[T]
	element := mixture[T]("decades")
	for _, k := range eachKernel[T]() {
		for _, n := range lengths() {
			for i := range 16 {
				if testing.Short() && n > 40 && i%5 != n%5 || n <= 40 && !prove.Visits(n, i, 5) {
					continue
				}
				for form := range forms {
					dst.Place(i, 1, n, n, element)
					x.Place((3*i+n)%16, 1, n, n, element)
					y.Place((7*i+n)%16, 1, n, n, element)
					to, a, b := share(form, &dst, &x, &y)
					for j := range n {
						to.Want()[j] = k.of(a.Data[j], b.Data[j])
					}
					prove.Tiers(func(tier cpu.Tier) {
						dst.Reset()
						x.Reset()
						y.Reset()
						k.run(ptr(to.Data), ptr(a.Data), ptr(b.Data), n)
						for q, mem := range []*prove.Memory[T]{&dst, &x, &y} {
							if err := mem.Diff(false); err != nil {
								t.Fatalf("%s on %v: n=%d, form %d, alignment %d: argument %d: %v", k.name, tier, n,
									form, i, q, err)
							}
						}
					})
				}
			}
		}
	}
}

// TestEachExact: what the loop in Go gives is the exact value rounded once. The least float64 of a big.Float is
// denormal as T has it.
func TestEachExact(t *testing.T) { prove.Both(t, eachExact[float32], eachExact[float64]) }

func eachExact[T float](t *testing.T) {
	for _, kind := range prove.Kinds {
		element := prove.Draw[T](kind, prove.Rand(22))
		for _, k := range eachKernel[T]() {
			for i := range 2000 {
				x, y := element(i), element(i+1)
				if k.name == "sqrt" {
					x = max(x, -x)
				}
				exact, want := k.exact(big.NewFloat(float64(x)), big.NewFloat(float64(y))), T(0)
				if prove.IsF32[T]() {
					v, _ := exact.Float32()
					want = T(v)
				} else {
					v, _ := exact.Float64()
					want = T(v)
				}
				prove.Tiers(func(tier cpu.Tier) {
					got := prove.Poison[T]()
					k.run(&got, &x, &y, 1)
					if got != want {
						t.Fatalf("%s(%v, %v) on %v: got %v, want %v", k.name, x, y, tier, got, want)
					}
				})
			}
		}
	}
}

// TestEachGuardPages: nothing outside the vectors is touched, and what is only read may not be writable.
func TestEachGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	prove.Both(t, eachGuarded[float32], eachGuarded[float64])
}

func eachGuarded[T float](t *testing.T) {
	const most = 4096
	dst, x, y := guard.New(t, most*8), guard.New(t, most*8), guard.New(t, most*8)
	for _, k := range eachKernel[T]() {
		for _, n := range append(lengths()[:140:140], most) {
			for end, place := range map[string]func(*guard.Arena,
				int) []T{"lower": guard.Head[T], "upper": guard.Tail[T]} {
				x.ReadOnly(t, false)
				y.ReadOnly(t, false)
				to, a, b := place(dst, n), place(x, n), place(y, n)
				for i := range n {
					a[i], b[i] = T(i*i), T(3)
				}
				x.ReadOnly(t, true)
				y.ReadOnly(t, true)
				prove.Tiers(func(tier cpu.Tier) {
					at, faulted := guard.Fault(func() { k.run(ptr(to), ptr(a), ptr(b), n) })
					if faulted {
						t.Fatalf("%s on %v: n=%d at the %s guard page: fault at %#x", k.name, tier, n, end, at)
					}
					for i := range n {
						if to[i] != k.of(a[i], b[i]) {
							t.Fatalf("%s on %v: n=%d: element %d is %v", k.name, tier, n, i, to[i])
						}
					}
				})
			}
		}
	}
}

// FuzzEach compares every tier with the loop in Go, on any bits.
func FuzzEach(f *testing.F) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 0, 64, 1, 2, 3, 4, 5, 6, 7, 8}, uint16(40), uint8(0))
	f.Add([]byte{0, 0, 128, 127, 0, 0, 240, 127, 0, 0, 192, 255, 9, 9, 9, 191}, uint16(131), uint8(7))
	f.Fuzz(func(t *testing.T, data []byte, n uint16, form uint8) {
		fuzzEach[float32](t, data, int(n%600), int(form)%forms)
		fuzzEach[float64](t, data, int(n%600), int(form)%forms)
	})
}

func fuzzEach[T float](t *testing.T, data []byte, n, form int) {
	data = append(data, make([]byte, 8)...)
	number := func(i int) T { return prove.FromBits[T](binary.LittleEndian.Uint64(data[i%(len(data)-7):])) }
	for _, k := range eachKernel[T]() {
		prove.Tiers(func(tier cpu.Tier) {
			x, y, want := make([]T, n), make([]T, n), make([]T, n)
			for i := range n {
				x[i], y[i] = number(i), number(3*i+1)
			}
			to, a, b := share(form, make([]T, n), x, y)
			for i := range n {
				want[i] = k.of(a[i], b[i])
			}
			k.run(ptr(to), ptr(a), ptr(b), n)
			for i := range n {
				if !prove.Same(to[i], want[i]) {
					t.Fatalf("%s on %v: n=%d, form %d: element %d is %v, want %v", k.name, tier, n, form, i, to[i],
						want[i])
				}
			}
		})
	}
}
