package project

import "math"

// omega is Wright's omega function on the reals, the w > 0 with w + log w = z: Lambert's W(e^z), without the power that
// overflows. The relative error is a few units of rounding, times |z|/(1+w) where z is negative.
//
// From an approximation of a few percent two or three steps of fourth order lead there (Fritsch, Shafer, Crowley,
// "Solution of the transcendental equation w e^w = x", 1973).
func omega(z float64) float64 {
	switch {
	case z < -37: // w e^w = e^z, and e^w is 1
		return math.Exp(z)
	case math.IsInf(z, 1) || z != z:
		return z
	}
	var w float64
	switch {
	case z < -1:
		w = math.Exp(z)
		w /= 1 + w
	case z < 4: // expanded at z = 1, w = 1
		w = 1 + (z-1)*(0.5+(z-1)*(1.0/16))
		w = max(w, 0.25)
	default:
		w = z - math.Log(z)
	}
	for range 4 {
		r := z - w - math.Log(w)
		q := 2 * (1 + w) * (1 + w + 2*r/3)
		next := w * (1 + r/(1+w)*(q-r)/(q-2*r))
		if math.Abs(next-w) <= 0x1p-14*w { // the fourth power of which is less than rounding
			return next
		}
		w = next
	}
	return w
}
