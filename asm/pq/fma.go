package pq

import "math"

// Of the bits of a float64: those that float32 drops, one half of these, and the least number that float32 holds as a
// normal one.
const (
	beyond      = 1<<29 - 1
	halfway     = 1 << 28
	leastNormal = (1023 - 126) << 52
)

// fma returns xy + z rounded once. The product of two float32 is exact in float64. Where the sum is not, rounding it a
// second time, to float32, goes wrong only if what float32 drops looks like exactly one half, or if the result is
// denormal there.
func fma(x, y, z float32) float32 {
	s := float64(x)*float64(y) + float64(z)
	if b := math.Float64bits(s); b&beyond == halfway || b&(1<<63-1) < leastNormal {
		return fmaExact(float64(x)*float64(y), float64(z))
	}
	return float32(s)
}

// fmaExact returns p + w rounded once to float32: if the sum in float64 loses anything its last bit is made odd, and
// then the second rounding is the exact sum's ("rounding to odd", Boldo and Melquiond 2008).
func fmaExact(p, w float64) float32 {
	s := p + w
	v := s - p // Knuth's exact error of an addition
	if lost := (p - (s - v)) + (w - v); lost != 0 {
		if b := math.Float64bits(s); b&1 == 0 {
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
