package hostile

import (
	"math"
	"math/big"
	"sync"
)

// work is the precision that Exp and Log compute with: their results are off by less than a part Ulp. Both have fewer
// than 2^8 operations, each of which rounds by a part 2^-work, and what these add up to is made larger by 2^24 at most:
// by squaring, see Exp, or by the exponent, see Log.
const work = 384

// Ulp is what Exp and Log are off by at most, relative to their values, for arguments of |x| <= 2^15 and numbers of
// the size that float64 has.
const Ulp = 0x1p-320

// halvings is how often Exp halves its argument: each squaring doubles the relative error.
const halvings = 16

// lowest is where Exp ends: e^lowest is below 2^-47000, which added to any sum of float64 numbers counts for nothing.
const lowest = -1 << 15

// Exp returns e^x for x <= 2^15, and 0 for x below -2^15. With k the integer nearest to x/log 2 and r = x - k log 2,
// |r| <= .35, it is 2^k (e^(r/2^16))^(2^16), by 24 terms of Taylor's series: the rest is below (2^-17)^24 = 2^-408.
func Exp(x *big.Float) *big.Float {
	at, _ := x.Float64()
	if at < lowest {
		return Exact(0)
	}
	k := math.Round(at / math.Ln2)
	r := narrow(x)
	r.Sub(r, new(big.Float).Mul(narrow(big.NewFloat(k)), log2()))
	r.SetMantExp(r, -halvings)
	sum, term := narrow(big.NewFloat(1)), narrow(big.NewFloat(1))
	for j := 1; j < 24 && term.Sign() != 0; j++ {
		term.Mul(term, r)
		term.Quo(term, big.NewFloat(float64(j)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return wide(sum.SetMantExp(sum, int(k)))
}

// Log returns log x for x > 0, by x = 2^e m with m from sqrt(1/2) to sqrt 2. Numbers next to 1 lose nothing: m - 1 is
// exact.
func Log(x *big.Float) *big.Float {
	m := new(big.Float).SetPrec(x.MinPrec() + 2)
	e := x.MantExp(m)
	if m.Cmp(big.NewFloat(math.Sqrt2/2)) < 0 {
		m.SetMantExp(m, 1)
		e--
	}
	one := big.NewFloat(1)
	less := narrow(new(big.Float).SetPrec(m.MinPrec()+2).Sub(m, one))
	sum := twiceAtanh(less.Quo(less, narrow(m).Add(narrow(m), one)))
	return wide(sum.Add(sum, new(big.Float).Mul(narrow(big.NewFloat(float64(e))), log2())))
}

// twiceAtanh returns log((1+z)/(1-z)) = 2 (z + z³/3 + z⁵/5 + ...) for |z| <= 1/3.
func twiceAtanh(z *big.Float) *big.Float {
	sum, power, square := narrow(z), narrow(z), new(big.Float).Mul(z, z)
	for j := 3; power.Sign() != 0; j += 2 {
		power.Mul(power, square)
		term := new(big.Float).Quo(power, big.NewFloat(float64(j)))
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-work {
			break
		}
		sum.Add(sum, term)
	}
	return sum.SetMantExp(sum, 1)
}

// log2 is log 2 = 2 atanh(1/3).
var log2 = sync.OnceValue(func() *big.Float {
	return twiceAtanh(new(big.Float).Quo(narrow(big.NewFloat(1)), narrow(big.NewFloat(3))))
})

// narrow returns x with the precision that functions are computed with, wide with the precision of sums.
func narrow(x *big.Float) *big.Float { return new(big.Float).SetPrec(work).Set(x) }
func wide(x *big.Float) *big.Float   { return x.SetPrec(bits) }

// Power returns x^p for x >= 0, p > 0.
func Power(x, p *big.Float) *big.Float {
	if x.Sign() == 0 {
		return Exact(0)
	}
	v := Log(x)
	return Exp(v.Mul(v, p))
}

// Entropy returns -p log p, 0 for p = 0.
func Entropy(p *big.Float) *big.Float {
	if p.Sign() <= 0 {
		return Exact(0)
	}
	v := Log(p)
	return v.Neg(v.Mul(v, p))
}

// LogSum returns log sum_j exp s_j.
func LogSum(s ...*big.Float) *big.Float {
	top := s[0]
	for _, v := range s {
		if v.Cmp(top) > 0 {
			top = v
		}
	}
	sum := Exact(0)
	for _, v := range s {
		sum.Add(sum, Exp(new(big.Float).Sub(v, top)))
	}
	v := Log(sum)
	return v.Add(v, top)
}

// Coin returns r times the entropy of a part x/r and the rest, for 0 <= x <= r; 0 for r = 0.
func Coin(x, r float64) *big.Float {
	if r == 0 {
		return Exact(0)
	}
	p := Exact(x)
	p.Quo(p, Exact(r))
	sum := Entropy(p)
	sum.Add(sum, Entropy(p.Sub(Exact(1), p)))
	return sum.Mul(sum, Exact(r))
}
