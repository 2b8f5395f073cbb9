package reduce

import (
	"encoding/binary"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

func FuzzMax(f *testing.F)      { fuzz(f, "max") }
func FuzzMin(f *testing.F)      { fuzz(f, "min") }
func FuzzArgMax(f *testing.F)   { fuzz(f, "argmax") }
func FuzzArgMin(f *testing.F)   { fuzz(f, "argmin") }
func FuzzClip(f *testing.F)     { fuzz(f, "clip") }
func FuzzSumAbove(f *testing.F) { fuzz(f, "sumabove") }
func FuzzCompress(f *testing.F) { fuzz(f, "compress") }

// fuzz compares every tier of a kernel, its twin among them, with the definition. The bytes become the elements, over
// and over, any NaN or infinity included; n and place become size and alignments.
func fuzz(f *testing.F, name string) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 0, 64, 1, 2, 3, 4, 5, 6, 7, 8}, uint16(40), uint16(0x123))
	f.Add([]byte("numbers of all sizes, none of them special"), uint16(133), uint16(0xfff))
	f.Add([]byte{0, 0, 128, 127, 0, 0, 240, 127, 0, 0, 192, 255, 9, 9, 9, 63}, uint16(17), uint16(0x20))
	f.Fuzz(func(t *testing.T, data []byte, n, place uint16) {
		fuzzOne[float32](t, name, data, int(n%600), place)
		fuzzOne[float64](t, name, data, int(n%600), place)
	})
}

func fuzzOne[T float](t *testing.T, name string, data []byte, n int, place uint16) {
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
		s.c.t = next(0)
		p := int(place)
		s.place(k, n, [3]int{p % 16, p / 16 % 16, p / 256 % 16}, next, p%3 == 0)
		if k.terms != nil && !s.finite() {
			continue
		}
		s.check(t, true)
	}
}

// finite reports whether a sum of differences has a value that does not depend on the order: no term and no sum
// overflows.
func (s *scene[T]) finite() bool {
	var sum prove.Sum[T]
	sum.Reset()
	s.terms(&s.c, sum.AddDifference)
	return sum.Finite() && sum.NoOverflow()
}
