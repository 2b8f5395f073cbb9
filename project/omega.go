package project

import "github.com/dualgap/dualgap/internal/unchecked"

// omega is Wright's omega function on the reals, the w > 0 with w + log w = z: Lambert's W(e^z), without the power that
// overflows. The relative error is a few units of rounding.
func omega(z float64) float64 {
	v := [1]float64{z}
	unchecked.OmegaSum(v[:], v[:], 0, 1)
	return v[0]
}
