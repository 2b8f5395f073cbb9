package half

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// FuzzSums holds every form of every kernel of sums to the bound that the twin keeps to, on arbitrary bits.
func FuzzSums(f *testing.F) {
	f.Add([]byte{0x80, 0x3f, 0, 0x40, 1, 2, 3, 4}, uint8(3), uint16(40), uint16(0x123))
	f.Add([]byte("numbers of all sizes, none of them special"), uint8(9), uint16(133), uint16(0xfff))
	f.Add([]byte{0x80, 0x7f, 0xc0, 0x7f, 0x80, 0xff, 1, 0, 0, 0x3f, 0, 0x7c}, uint8(8), uint16(17), uint16(0x20))
	f.Fuzz(func(t *testing.T, data []byte, rows uint8, cols, at uint16) {
		data = append(data, 0, 0)
		for i := range kernels {
			k, pos := &kernels[i], 0
			draw := func(int) float32 {
				if pos+2 > len(data) {
					pos = 0
				}
				v := k.format.from(uint16(data[pos]) | uint16(data[pos+1])<<8)
				pos++
				return v
			}
			s := k.place(int(rows%20), int(cols%300), int(at), draw)
			prove.Forms(func(form string) {
				err := s.run()
				if err == nil {
					err = s.check()
				}
				if err != nil {
					t.Fatalf("%s %v: %v", form, s, err)
				}
			})
		}
	})
}

// FuzzNarrow holds the conversions from float32 to the oracle.
func FuzzNarrow(f *testing.F) {
	f.Add(uint32(0x3f808000), uint8(1))
	f.Add(uint32(0x7f800001), uint8(17))
	f.Add(uint32(0x33000001), uint8(33))
	f.Fuzz(func(t *testing.T, bits uint32, n uint8) {
		x, y := make([]float32, int(n)+1), make([]uint16, int(n)+1)
		for i := range x {
			x[i] = math.Float32frombits(bits + uint32(i))
		}
		for _, f := range formats {
			prove.Forms(func(form string) {
				f.narrow(&x[0], &y[0], len(x))
				for i, v := range x {
					if want := f.round(v); y[i] != want {
						t.Fatalf("%s %s: %#08x becomes %#04x, want %#04x", form, f.name, math.Float32bits(v), y[i],
							want)
					}
				}
			})
		}
	})
}
