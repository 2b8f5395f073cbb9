package fit

import (
	"math"
	"math/big"
)

// Omega holds the numbers of a first approximation of Wright's omega function, the w with w + log w = z. Beyond z = 1
// it is a step of Newton's method from w = z, and before it a quotient in u = e^z, as w e^w = u:
//
//	w ~ z - log z / (1 + 1/z)                           z >= 1
//	w ~ u (1 + Up u) / (1 + Down[0] u + Down[1] u²)     z < 1
//
// with e^z and log z by polynomials. Its relative error is at most 1/64.
type Omega struct {
	Exp  []float64 // e^r for -ln 2/2 <= r <= 1, lowest coefficient first
	Log  []float64 // log m for 1 <= m <= 2
	Up   float64
	Down [2]float64
}

// NewOmega derives the numbers.
func NewOmega() Omega {
	log := func(m *big.Float) *big.Float { return log1p(zero().Sub(m, number(1))) }
	o := Omega{
		Exp: rounded(interpolate(exp, -0.3466, 1, 3), 53),
		Log: rounded(interpolate(log, 1, 2, 2), 53),
	}
	// The quotient meets W(u)/u = e^-w at u = w e^w for three w: 1 + Up u = e^-w (1 + Down[0] u + Down[1] u²).
	var a [3][4]float64
	for i := range a {
		w := 0.5 + 0.5*math.Cos(math.Pi*(float64(i)+0.5)/3)
		u, f := w*math.Exp(w), math.Exp(-w)
		a[i] = [4]float64{u, -f * u, -f * u * u, f - 1}
	}
	for i := range a { // elimination
		for j := range a {
			if j != i {
				by := a[j][i] / a[i][i]
				for c := range a[j] {
					a[j][c] -= by * a[i][c]
				}
			}
		}
	}
	o.Up = a[0][3] / a[0][0]
	o.Down = [2]float64{a[1][3] / a[1][1], a[2][3] / a[2][2]}
	return o
}
