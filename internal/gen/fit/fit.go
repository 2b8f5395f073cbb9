// Package fit derives the numbers that the kernels of asm/math are made of: polynomials, tables, and constants split so
// that their products are exact. Everything is computed with 200 bits when the generators run.
package fit

import (
	"math"
	"math/big"
)

const prec = 200

func number(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }
func zero() *big.Float            { return new(big.Float).SetPrec(prec) }

// round returns x rounded to that many bits; float32 has 24 and float64 53.
func round(x *big.Float, bits uint) float64 {
	f, _ := new(big.Float).SetPrec(bits).Set(x).Float64()
	return f
}

// exp returns e^x by the series for x/2^16, squared 16 times.
func exp(x *big.Float) *big.Float {
	const halvings = 16
	r := zero().SetMantExp(x, -halvings)
	sum, term := number(1), number(1)
	for i := 1; i < 20; i++ { // r^20/20! is far below 2^-200 for |x| < 100
		term.Mul(term, r).Quo(term, number(float64(i)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// log1p returns log(1+x) for |x| < 2 by the series 2 Σ s^(2i+1)/(2i+1), s = x/(2+x).
func log1p(x *big.Float) *big.Float {
	s := zero().Quo(x, zero().Add(x, number(2)))
	square, power, sum := zero().Mul(s, s), zero().Set(s), zero()
	for i := 1; power.Sign() != 0 && power.MantExp(nil) > -prec; i += 2 {
		sum.Add(sum, zero().Quo(power, number(float64(i))))
		power.Mul(power, square)
	}
	return sum.Mul(sum, number(2))
}

func log(x float64) *big.Float { return log1p(zero().Sub(number(x), number(1))) }

var ln2 = log(2)

// interpolate returns the coefficients, lowest first, of the polynomial that meets f at the degree+1 Chebyshev nodes of
// [lo, hi]: its error is at most about twice the best polynomial's, and for functions as smooth as these hardly more.
func interpolate(f func(*big.Float) *big.Float, lo, hi float64, degree int) []*big.Float {
	nodes, value := make([]*big.Float, degree+1), make([]*big.Float, degree+1)
	for i := range nodes {
		nodes[i] = number((lo+hi)/2 + (hi-lo)/2*math.Cos(math.Pi*(float64(i)+0.5)/float64(degree+1)))
		value[i] = f(nodes[i])
	}
	for step := 1; step <= degree; step++ { // Newton's divided differences
		for i := degree; i >= step; i-- {
			value[i].Sub(value[i], value[i-1]).Quo(value[i], zero().Sub(nodes[i], nodes[i-step]))
		}
	}
	c := []*big.Float{value[degree]}
	for i := degree - 1; i >= 0; i-- { // c = c (x - node) + value
		next := append([]*big.Float{zero()}, c...)
		for j, v := range c {
			next[j].Sub(next[j], zero().Mul(v, nodes[i]))
		}
		next[0].Add(next[0], value[i])
		c = next
	}
	return c
}

// split returns x as a sum of two, of which the first has so few bits that a product with an integer of that many bits
// is exact in a type of precision bits.
func split(x *big.Float, precision, integer uint) (parts [2]float64) {
	rest := zero().Set(x)
	for i, bits := range []uint{precision - integer, precision} {
		parts[i] = round(rest, bits)
		rest.Sub(rest, number(parts[i]))
	}
	return parts
}
