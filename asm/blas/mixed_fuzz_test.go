package blas

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

func FuzzMixedDot(f *testing.F)   { fuzzMixed(f, "dot") }
func FuzzMixedAxpy(f *testing.F)  { fuzzMixed(f, "axpy") }
func FuzzMixedGemvN(f *testing.F) { fuzzMixed(f, "gemv") }
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
				at := layout{x: p % 16, y: p / 16 % 16, a: p / 256 % 16, gap: p / 4096}
				s.place(k, int(rows%20), int(cols%300), at, from)
				s.against(t)
			}
		}
	})
}

// against compares every tier with the twin: finite results by the bound that both keep to, others by their kind where
// no overflow or underflow makes them depend on the order, and the memory around always.
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
