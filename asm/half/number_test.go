package half

import (
	"math"
	"sort"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// format is a format of 16 bits, with its fields' sizes and the kernels that convert.
type format struct {
	name             string
	fraction, bias   int // bits of the fraction; what an exponent is stored with
	infinity, signal uint16
	from             func(uint16) float32
	to               func(float32) uint16
	widen            func(x *uint16, y *float32, n int)
	narrow           func(x *float32, y *uint16, n int)
	values           []float64 // of 0, 1, .. up to infinity, which counts as the power of two that it begins at
}

var formats = []*format{
	{name: "bfloat16", fraction: 7, bias: 127, infinity: 0x7f80, signal: 0x7fa1, from: FromB16, to: ToB16,
		widen: WidenB16, narrow: NarrowB16},
	{name: "float16", fraction: 10, bias: 15, infinity: 0x7c00, signal: 0x7d01, from: FromH16, to: ToH16,
		widen: WidenH16, narrow: NarrowH16},
}

func init() {
	for _, f := range formats {
		for b := range int(f.infinity) + 1 {
			f.values = append(f.values, f.value(uint16(b)))
		}
	}
}

// value is what the bits stand for, by the definition of IEEE 754; NaN aside. Infinity is the power of two behind the
// largest number.
func (f *format) value(b uint16) float64 {
	sign, exp, frac := 1.0, int(b&0x7fff)>>f.fraction, float64(int(b)&(1<<f.fraction-1))
	if b&0x8000 != 0 {
		sign = math.Copysign(1, -1)
	}
	if exp == 0 {
		return sign * math.Ldexp(frac, 1-f.bias-f.fraction)
	}
	return sign * math.Ldexp(frac+float64(int(1)<<f.fraction), exp-f.bias-f.fraction)
}

// round is the oracle: of the two neighbours of x in the table the nearer one, of two as near the even one. A NaN keeps
// its upper bits and becomes quiet.
func (f *format) round(x float32) uint16 {
	bits := math.Float32bits(x)
	sign, v := uint16(bits>>16&0x8000), math.Abs(float64(x))
	if x != x {
		return sign | f.infinity | uint16(bits&0x7fffff>>(23-f.fraction)) | 1<<(f.fraction-1)
	}
	i := min(sort.SearchFloat64s(f.values, v), len(f.values)-1)
	if i > 0 {
		switch below, above := v-f.values[i-1], f.values[i]-v; {
		case below < above, below == above && i&1 == 1:
			i--
		}
	}
	return sign | uint16(i)
}

// TestWiden: all 65536 numbers, exactly; and back they come with the same bits, signaling NaNs quiet.
func TestWiden(t *testing.T) {
	for _, f := range formats {
		x, y, back := make([]uint16, 1<<16), make([]float32, 1<<16), make([]uint16, 1<<16)
		for i := range x {
			x[i] = uint16(i)
		}
		prove.Forms(func(form string) {
			f.widen(&x[0], &y[0], len(x))
			f.narrow(&y[0], &back[0], len(x))
			for i, b := range x {
				exact, same := math.Float32bits(float32(f.value(b))), b
				if b&0x7fff == f.infinity {
					exact = math.Float32bits(float32(math.Copysign(math.Inf(1), f.value(b))))
				} else if b&0x7fff > f.infinity {
					same |= 1 << (f.fraction - 1)
					exact = uint32(b&0x8000)<<16 | 0x7f800000 | uint32(same&(1<<f.fraction-1))<<(23-f.fraction)
					if f.fraction == 7 { // only float16 makes it quiet on its way up
						exact = uint32(b) << 16
					}
				}
				if got := math.Float32bits(y[i]); got != exact || back[i] != same {
					t.Fatalf("%s %s: %#04x is %#08x, want %#08x; back %#04x, want %#04x", form, f.name, b, got, exact,
						back[i], same)
				}
			}
		})
	}
}

// TestNarrow: each number of 16 bits, the middle between it and the next, and the numbers of float32 beside these; the
// same negated; infinities, NaNs with any one bit of their payload; random bits.
func TestNarrow(t *testing.T) {
	for _, f := range formats {
		var x []float32
		for i, v := range f.values[:len(f.values)-1] {
			for _, near := range []float64{v, (v + f.values[i+1]) / 2} {
				c := float32(near)
				if float64(c) != near { // float32 has no number between
					continue
				}
				x = append(x, c, math.Nextafter32(c, 0), math.Nextafter32(c, float32(math.Inf(1))))
			}
		}
		x = append(x, float32(math.Inf(1)), math.MaxFloat32)
		for bit := range 23 {
			x = append(x, math.Float32frombits(0x7f800000|1<<bit))
		}
		for _, v := range x[:len(x):len(x)] {
			x = append(x, math.Float32frombits(math.Float32bits(v)^1<<31))
		}
		r := prove.Rand(1)
		for range 1 << 20 >> (map[bool]int{true: 4}[testing.Short()]) {
			x = append(x, math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32()>>4|0x30000000))
		}
		want, y := make([]uint16, len(x)), make([]uint16, len(x))
		for i, v := range x {
			want[i] = f.round(v)
		}
		prove.Forms(func(form string) {
			f.narrow(&x[0], &y[0], len(x))
			for i, v := range x {
				if y[i] != want[i] {
					t.Fatalf("%s %s: %v (%#08x) becomes %#04x, want %#04x", form, f.name, v, math.Float32bits(v), y[i],
						want[i])
				}
			}
		})
	}
}

// TestNumber: one number at a time, as the twins do.
func TestNumber(t *testing.T) {
	for _, f := range formats {
		for i := range 1 << 16 {
			v := f.from(uint16(i))
			if v == v && (f.to(v) != uint16(i) || f.round(v) != uint16(i)) {
				t.Fatalf("%s: %#04x is %v, and back %#04x", f.name, i, v, f.to(v))
			}
		}
	}
}
