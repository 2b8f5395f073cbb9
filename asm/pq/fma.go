package pq

import "math"

// fma returns xy + z rounded once. The product of two float32 is exact in float64; so is the sum, or else its last bit is
// made odd where it lost some ("rounding to odd"), and then the second rounding, to float32, is that of the exact sum
// (Boldo and Melquiond 2008; it takes two bits more than float32 has, and there are 29).
//
// Only a sum whose bits beyond float32 say exactly one half can be rounded wrongly, or one that is denormal in float32.
func fma(x, y, z float32) float32 {
	p, w := float64(x)*float64(y), float64(z)
	s := p + w
	const halfway, beyond, exponent = 1 << 28, 1<<29 - 1, 0x7ff << 52
	if b := math.Float64bits(s); b&beyond == halfway || b&exponent < (1023-126)<<52 {
		v := s - p // Knuth's exact error of an addition
		if lost := (p - (s - v)) + (w - v); lost != 0 && b&1 == 0 {
			if (lost > 0) == (s > 0) {
				b++
			} else {
				b--
			}
			s = math.Float64frombits(b)
		}
	}
	return float32(s)
}
