package box

import (
	"math"

	"github.com/dualgap/dualgap/asm/entropy"
)

func onelogisticF32Generic(visits *byte, n int, idx *int32, val, w, bias *float32, constant float32, least float64) {
	oneLogisticGeneric(visits, n, idx, val, w, bias, constant, least)
}

func onelogisticF64Generic(visits *byte, n int, idx *int32, val, w, bias *float64, constant float64, least float64) {
	oneLogisticGeneric(visits, n, idx, val, w, bias, constant, least)
}

func oneLogisticGeneric[T float32 | float64](visits *byte, n int, idx *int32, val, w, bias *T, constant T,
	least float64) {
	oneByOne(visits, n, idx, val, w, bias, constant, func(v *One, s T) (x float64, moves bool) {
		z := -v.Side * float64(s)
		v.Gap = float64(v.R*(max(0, z)+math.Log1p(math.Exp(-math.Abs(z))))) - float64(v.X*z) - v.Gap
		if !(v.Gap > least) {
			return 0, false
		}
		x, v.Bend = entropy.Label[T](z, v.X, v.R, 1/v.R, v.Inverse, v.Bend)
		return x, true
	})
}
