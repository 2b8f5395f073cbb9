package pairs

import "math"

// scalar is the search for the best s: regula falsi in its logarithm.
type scalar struct {
	at, to              float64 // s, and its value in the next steps; 0: the same
	low, high           float64 // where the slope is known to be positive and negative; 0: not known
	lowSlope, highSlope float64 // the slopes there, or what the Illinois rule makes of them
	sign                float64 // of the last slope
	factor              float64 // of the next step outwards
	tries               int
}

// next returns the value to try after the one whose slope was found. most is the largest there may be, guess where the
// solution is thought to be, 0 for nowhere.
func (s *scalar) next(slope, guess, most float64) float64 {
	s.tries++
	if slope > 0 {
		if s.low > 0 && s.sign > 0 {
			s.highSlope /= 2 // the Illinois rule
		}
		s.low, s.lowSlope, s.sign = s.at, slope, 1
	} else {
		if s.high > 0 && s.sign < 0 {
			s.lowSlope /= 2
		}
		s.high, s.highSlope, s.sign = s.at, slope, -1
	}
	if s.factor == 0 {
		s.factor = 2
	}
	const past = 1.05 // a guess becomes a bracket where it is passed by this
	switch {
	case s.low > 0 && s.high > 0:
		if s.high-s.low < 0x1p-46*s.high { // a slope had the wrong sign
			s.low, s.high, s.factor = 0, 0, 1+0x1p-20
			return s.at
		}
		share := s.lowSlope / (s.lowSlope - s.highSlope)
		share = min(max(share, .05), .95)
		return math.Exp(math.Log(s.low) + share*(math.Log(s.high)-math.Log(s.low)))
	case slope > 0 && guess > s.at*past && guess < 100*s.at:
		return min(guess*past, most)
	case slope < 0 && guess < s.at/past && guess > s.at/100:
		return guess / past
	}
	factor := s.factor
	s.factor = min(factor*factor, 16)
	if slope > 0 {
		return min(s.at*factor, most)
	}
	return s.at / factor
}
