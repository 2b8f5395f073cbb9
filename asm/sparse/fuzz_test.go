package sparse

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

func FuzzDot(f *testing.F)   { fuzz(f, "dot") }
func FuzzAhead(f *testing.F) { fuzz(f, "dotahead") }
func FuzzAxpy(f *testing.F)  { fuzz(f, "axpy") }
func FuzzGemvT(f *testing.F) { fuzz(f, "gemvt") }
func FuzzGer(f *testing.F)   { fuzz(f, "ger") }

// fuzz holds every tier of a kernel, its twin among them, to the bound. The bytes become the elements, over and over;
// the numbers become sizes, indices and alignments. Sums without a value of their own, for an infinity, a NaN or an
// overflow, are left out.
func fuzz(f *testing.F, name string) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 0, 64, 1, 2, 3, 4, 5, 6, 7, 8}, uint8(9), uint16(40), uint16(0x123))
	f.Add([]byte("numbers of all sizes, none of them special"), uint8(30), uint16(133), uint16(0xfff))
	f.Fuzz(func(t *testing.T, data []byte, nnz uint8, n, place uint16) {
		fuzzOne[float32](t, name, data, int(nnz%80), int(n%300), place)
		fuzzOne[float64](t, name, data, int(nnz%80), int(n%300), place)
	})
}

func fuzzOne[T float](t *testing.T, name string, data []byte, nnz, n int, place uint16) {
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
	p := int(place)
	r := rand.New(rand.NewPCG(uint64(place), uint64(n)))
	for _, k := range kernels[T]() {
		if k.name != name {
			continue
		}
		var s scene[T]
		s.c.alpha, s.c.beta = next(0), next(0)
		s.place(k, 1+p%37, nnz, n, layout{p % 16, p / 16 % 16, p / 256 % 16, p / 64 % 16, p / 4096}, next, r)
		if s.finite() {
			s.check(t, false)
		}
	}
}

// finite reports whether no result overflows in any order, or is no number.
func (s *scene[T]) finite() bool {
	s.reset()
	size := 1
	if o := s.output(); o != nil {
		size = len(o.Data)
		s.start = append(s.start[:0], o.Data...)
	}
	sums := make([]prove.Sum[T], size)
	for i := range sums {
		sums[i].Reset()
	}
	s.each(func(i int, f, g, h T) { sums[i].Add(f, g, h) })
	for i := range sums {
		if !sums[i].Finite() || !sums[i].NoOverflow() {
			return false
		}
	}
	return true
}
