package descriptor

import (
	"math"
	"math/bits"
)

// Patterns is the number of bins of local binary patterns: the 58 uniform ones, and one of all others.
const Patterns = 59

// uniform is the bin of each pattern: patterns with at most two changes around the circle have their own, ascending.
var uniform = func() (bin [256]int) {
	next := 0
	for p := range bin {
		bin[p] = Patterns - 1
		if bits.OnesCount8(uint8(p)^bits.RotateLeft8(uint8(p), 1)) <= 2 {
			bin[p] = next
			next++
		}
	}
	return bin
}()

// LBP returns the pyramid of histograms of uniform local binary patterns of 8 points at a distance of one pixel (Ojala,
// Pietikäinen, Mäenpää, Multiresolution gray-scale and rotation invariant texture classification, 2002): bit k is
// whether the point at the angle 45 k degrees is at least as bright as the centre; values between pixels are
// interpolated. Pixels at the border are left out. Each level has sum 1.
func LBP(p Plane, levels int) []float32 {
	out := newPyramid(levels, Patterns, p.W, p.H)
	for y := 1; y < p.H-1; y++ {
		for x := 1; x < p.W-1; x++ {
			out.add(x, y, uniform[p.pattern(x, y)], 1)
		}
	}
	return out.normalized()
}

func (p Plane) pattern(x, y int) (code uint8) {
	const s, noise = math.Sqrt2 / 2, 1e-5 // of rounding
	c := p.At[y*p.W+x]
	at := func(dx, dy int) float32 { return p.At[(y+dy)*p.W+x+dx] }
	slant := func(dx, dy int) float32 {
		return (1-s)*((1-s)*c+s*at(dx, 0)) + s*((1-s)*at(0, dy)+s*at(dx, dy))
	}
	for k, v := range [8]float32{at(1, 0), slant(1, 1), at(0, 1), slant(-1, 1), at(-1, 0), slant(-1, -1), at(0, -1),
		slant(1, -1)} {
		if v >= c-noise {
			code |= 1 << k
		}
	}
	return code
}
