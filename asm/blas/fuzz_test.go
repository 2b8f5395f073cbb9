package blas

import (
	"encoding/binary"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

func FuzzDot(f *testing.F)    { fuzz(f, "dot") }
func FuzzSqDist(f *testing.F) { fuzz(f, "sqdist") }
func FuzzSqNorm(f *testing.F) { fuzz(f, "sqnorm") }
func FuzzSum(f *testing.F)    { fuzz(f, "sum") }
func FuzzAbsSum(f *testing.F) { fuzz(f, "abssum") }
func FuzzScal(f *testing.F)   { fuzz(f, "scal") }
func FuzzAxpy(f *testing.F)   { fuzz(f, "axpy") }
func FuzzGerAll(f *testing.F) { fuzz(f, "ger") }
func FuzzGemvN(f *testing.F)  { fuzz(f, "gemv") }
func FuzzGemvT(f *testing.F)  { fuzz(f, "gemvt") }

// fuzz compares every tier of a kernel with its twin. The bytes become the elements of all arguments, over and over,
// any NaN or infinity included; m, n and place become sizes and alignments.
func fuzz(f *testing.F, name string) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 0, 64, 1, 2, 3, 4, 5, 6, 7, 8}, uint8(3), uint16(40), uint16(0x123))
	f.Add([]byte("numbers of all sizes, none of them special"), uint8(9), uint16(133), uint16(0xfff))
	f.Add([]byte{0, 0, 128, 127, 0, 0, 240, 127, 0, 0, 192, 255, 9, 9, 9, 63}, uint8(8), uint16(17), uint16(0x20))
	f.Fuzz(func(t *testing.T, data []byte, m uint8, n, place uint16) {
		fuzzOne[float32](t, name, data, int(m%20), int(n%300), place)
		fuzzOne[float64](t, name, data, int(m%20), int(n%300), place)
	})
}

func fuzzOne[T float](t *testing.T, name string, data []byte, m, n int, place uint16) {
	size := prove.Pick[T, int](4, 8)
	data = append(data, make([]byte, size)...)
	pos := 0
	next := func(int) T {
		b := binary.LittleEndian.Uint64(append(data[pos:pos+size:pos+size], make([]byte, 8)...))
		if pos++; pos+size > len(data) { // byte by byte, so that short data give many numbers
			pos = 0
		}
		return prove.FromBits[T](b)
	}
	for _, k := range kernels[T]() {
		if k.name != name {
			continue
		}
		var s scene[T]
		s.c.alpha, s.c.beta = next(0), next(0)
		p := int(place)
		s.place(k, m, n, layout{x: p % 16, y: p / 16 % 16, a: p / 256 % 16, gap: p / 4096}, source[T]{next, next, next},
			p%3 == 0 && k.x == k.y)
		s.against(t)
	}
}

// against compares every tier with the twin: finite results by the bound that both keep to, others by their kind where
// no overflow or underflow makes them depend on the order, and the memory around always.
func (s *scene[T]) against(t *testing.T) {
	s.addUp()
	var twin []T
	prove.Tiers(func(tier cpu.Tier) { // the twin comes last: it serves from then on
		if tier == cpu.Generic {
			s.reset()
			s.run(&s.c)
			twin = append(s.results()[:0:0], s.results()...)
		}
	})
	prove.Tiers(func(tier cpu.Tier) {
		s.reset()
		s.run(&s.c)
		got := s.results()
		for i := range s.elements {
			switch sum := &s.sums[i]; {
			case s.bitwise && !prove.Same(got[i], twin[i]):
				t.Fatalf("%s: result %d: got %v, the twin %v", s.where(tier), i, got[i], twin[i])
			case s.bitwise || !sum.NoOverflow():
			case s.beta && s.c.alpha-s.c.alpha != 0: // NaN or infinite: times a sum, or none, it depends on the order
			case sum.Finite():
				if err := sum.Check(got[i]); err != nil {
					t.Fatalf("%s: result %d: %v", s.where(tier), i, err)
				}
			case sum.NoUnderflow() && !prove.Same(got[i], twin[i]):
				t.Fatalf("%s: result %d: got %v, the twin %v", s.where(tier), i, got[i], twin[i])
			}
			if o := s.output(); o != nil {
				o.Want()[i] = got[i]
			}
		}
		s.checkMemory(t, tier)
	})
}

func (s *scene[T]) results() []T {
	if o := s.output(); o != nil {
		return o.Data
	}
	return []T{s.c.sum}
}

func (s *scene[T]) elements(yield func(i int) bool) {
	if o := s.output(); o != nil {
		o.Elements(yield)
	} else {
		yield(0)
	}
}
