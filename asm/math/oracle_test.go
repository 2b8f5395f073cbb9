package math

import (
	"math"
	"math/big"

	"github.com/dualgap/dualgap/internal/prove"
)

const oracleBits = 160

func bigNumber(v float64) *big.Float { return new(big.Float).SetPrec(oracleBits).SetFloat64(v) }

// bigExp returns e^x for |x| <= 1100 by the series for x/2^20, squared 20 times, which costs some 35 of the 160 bits.
func bigExp(x *big.Float) *big.Float {
	const halvings = 20
	r := bigNumber(0).SetMantExp(x, -halvings)
	sum, term := bigNumber(1), bigNumber(1)
	for i := 1; i < 13; i++ { // (1100/2^20)^13/13! < 2^-160
		term.Quo(term.Mul(term, r), bigNumber(float64(i)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog returns log x for x > 0 by x = 2^k m, log m = 2 (s + s³/3 + s⁵/5 + ...), s = (m-1)/(m+1).
func bigLog(x float64) *big.Float {
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	sum := bigAtanh(m)
	return sum.Add(sum.SetMantExp(sum, 1), new(big.Float).SetPrec(oracleBits).Mul(bigLn2, bigNumber(float64(k))))
}

var bigLn2 = func() *big.Float { v := bigAtanh(2); return v.SetMantExp(v, 1) }()

// bigAtanh returns the series above of m, half the logarithm.
func bigAtanh(m float64) *big.Float {
	s := bigNumber(m)
	s.Quo(s.Sub(s, bigNumber(1)), bigNumber(m).Add(bigNumber(m), bigNumber(1)))
	square := bigNumber(0).Mul(s, s)
	power, sum := bigNumber(0).Set(s), bigNumber(0)
	for i := 1; power.Sign() != 0 && power.MantExp(nil) > s.MantExp(nil)-oracleBits; i += 2 {
		sum.Add(sum, bigNumber(0).Quo(power, bigNumber(float64(i))))
		power.Mul(power, square)
	}
	return sum
}

// ulps returns by how many units in the last place of the exact result got is wrong: units of the type's least exponent
// for denormal results, and infinity counts as the first power of two that is too large. Results that the oracle cannot
// be asked for must be what special says.
func (k *kernel[T]) ulps(alpha, x, got T) float64 {
	v := float64(x)
	if k.scaled {
		v *= float64(alpha)
	}
	if want, ok := k.special(v); ok {
		if prove.Same(got, want) {
			return 0
		}
		return math.Inf(1)
	}
	bits, least, most := 24, -149, 128
	if !prove.IsF32[T]() {
		bits, least, most = 53, -1074, 1024
	}
	f, b := k.exact(alpha, x, !prove.IsF32[T]())
	var exponent int
	if b == nil {
		_, exponent = math.Frexp(f)
	} else {
		exponent = b.MantExp(nil)
	}
	if exponent > most || math.IsInf(f, 0) {
		if math.IsInf(float64(got), 1) {
			return 0
		}
		return math.Inf(1)
	}
	unit := max(exponent-bits, least)
	if got != got {
		return math.Inf(1)
	}
	if b == nil {
		g := float64(got)
		if math.IsInf(g, 0) {
			g = math.Copysign(math.Ldexp(1, most), g)
		}
		return math.Abs(math.Ldexp(g-f, -unit))
	}
	g := bigNumber(1)
	if math.IsInf(float64(got), 0) {
		g.SetMantExp(g, most)
		if got < 0 {
			g.Neg(g)
		}
	} else {
		g.SetFloat64(float64(got))
	}
	miss, _ := g.SetMantExp(g.Sub(g, b), -unit).Float64()
	return math.Abs(miss)
}
