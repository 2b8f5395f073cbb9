package blas

import (
	"encoding/binary"
	"math"
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestMixedGuardPages is TestGuardPages for the kernels of two types: every argument directly behind a page without rights
// and directly before one, and what is only read without the right to write.
func TestMixedGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	sizes := [][2]int{{3, 140}, {9, 67}, {2, 225}, {17, 33}, {35, 10}, {67, 7}, {33, 14}}
	for n := range 70 {
		sizes = append(sizes, [2]int{n % 19, n}, [2]int{1, n + 60})
	}
	a, x, y := guard.New(t, 8*8192), guard.New(t, 8192), guard.New(t, 8192)
	for _, k := range mixedKernels {
		for i, size := range sizes {
			mixedGuarded(t, k, size[0], size[1], 7*(i%3), a, x, y)
		}
	}
}

// mixedGuarded compares every tier with the exact result of small integers, with the arguments at both ends of their arenas.
func mixedGuarded(t *testing.T, k mixedKernel, m, n, gap int, as, xs, ys *guard.Arena) {
	t.Helper()
	var s mixedScene // holds what is to come out
	s.c.alpha, s.c.beta = 3, 2
	s.place(k, m, n, layout{gap: gap}, small(9))
	s.expect()
	prove.Tiers(func(tier cpu.Tier) {
		for _, end := range []string{"lower", "upper"} {
			c := s.c
			for _, arena := range []*guard.Arena{as, xs, ys} {
				arena.ReadOnly(t, false)
			}
			if end == "lower" {
				c.a, c.x, c.y = guard.Head[float32](as, len(c.a)), guard.Head[float64](xs, len(c.x)), guard.Head[float64](ys, len(c.y))
			} else {
				c.a, c.x, c.y = guard.Tail[float32](as, len(c.a)), guard.Tail[float64](xs, len(c.x)), guard.Tail[float64](ys, len(c.y))
			}
			s.reset()
			copy(c.a, s.a.Data)
			copy(c.x, s.x.Data)
			copy(c.y, s.y.Data)
			as.ReadOnly(t, true)
			xs.ReadOnly(t, true)
			if at, faulted := guard.Fault(func() { k.run(&c) }); faulted {
				t.Fatalf("%s at the %s guard page: fault at %#x (a %t, x %t, y %t)", s.where(tier), end, at, as.Contains(at), xs.Contains(at), ys.Contains(at))
			}
			if k.y == none && c.sum != s.want {
				t.Fatalf("%s at the %s guard page: got %v, want %v", s.where(tier), end, c.sum, s.want)
			}
			for i, want := range s.y.Want() {
				if c.y[i] != want {
					t.Fatalf("%s at the %s guard page: element %d: got %v, want %v", s.where(tier), end, i, c.y[i], want)
				}
			}
		}
	})
	for _, arena := range []*guard.Arena{as, xs, ys} {
		arena.ReadOnly(t, false)
	}
}

func FuzzMixedDot(f *testing.F)   { fuzzMixed(f, "dot") }
func FuzzMixedAxpy(f *testing.F)  { fuzzMixed(f, "axpy") }
func FuzzMixedGemv(f *testing.F)  { fuzzMixed(f, "gemv") }
func FuzzMixedGemvT(f *testing.F) { fuzzMixed(f, "gemvt") }

// fuzzMixed compares every tier of a kernel with its twin, as fuzz does.
func fuzzMixed(f *testing.F, name string) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 0, 64, 1, 2, 3, 4, 5, 6, 7, 8}, uint8(3), uint16(40), uint16(0x123))
	f.Add([]byte("numbers of all sizes, none of them special"), uint8(9), uint16(133), uint16(0xfff))
	f.Add([]byte{0, 0, 128, 127, 0, 0, 240, 127, 0, 0, 192, 255, 9, 9, 9, 63}, uint8(8), uint16(17), uint16(0x20))
	f.Fuzz(func(t *testing.T, data []byte, rows uint8, cols, place uint16) {
		data = append(data, make([]byte, 8)...)
		pos := 0
		bits := func() uint64 { // byte by byte, so that short data give many numbers
			b := binary.LittleEndian.Uint64(data[pos:])
			if pos++; pos+8 > len(data) {
				pos = 0
			}
			return b
		}
		next := func(int) float64 { return math.Float64frombits(bits()) }
		from := mixedSource{func(int) float32 { return math.Float32frombits(uint32(bits())) }, next, next}
		p := int(place)
		for _, k := range mixedKernels {
			if k.name == name {
				var s mixedScene
				s.c.alpha, s.c.beta = next(0), next(0)
				s.place(k, int(rows%20), int(cols%300), layout{x: p % 16, y: p / 16 % 16, a: p / 256 % 16, gap: p / 4096}, from)
				s.against(t)
			}
		}
	})
}

// against compares every tier with the twin: finite results by the bound that both keep to, others by their kind where no
// overflow or underflow makes them depend on the order, and the memory around always.
func (s *mixedScene) against(t *testing.T) {
	s.addUp()
	var twin []float64
	prove.Tiers(func(tier cpu.Tier) { // the twin comes last: it serves from then on
		if tier == cpu.Generic {
			s.reset()
			s.run(&s.c)
			twin = append(twin, s.results()...)
		}
	})
	prove.Tiers(func(tier cpu.Tier) {
		s.reset()
		s.run(&s.c)
		for i, got := range s.results() {
			switch sum := &s.sums[i]; {
			case !sum.NoOverflow():
			case s.beta && s.c.alpha-s.c.alpha != 0: // NaN or infinite: times a sum, or none, it depends on the order
			case sum.Finite():
				if err := sum.Check(got); err != nil {
					t.Fatalf("%s: result %d: %v", s.where(tier), i, err)
				}
			case sum.NoUnderflow() && !prove.Same(got, twin[i]):
				t.Fatalf("%s: result %d: got %v, the twin %v", s.where(tier), i, got, twin[i])
			}
		}
		copy(s.y.Want(), s.y.Data)
		s.checkMemory(t, tier)
	})
}
