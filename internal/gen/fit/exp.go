package fit

import (
	"math"
	"math/big"
)

// Exp holds the numbers of one way to compute e^x in float32 or float64.
//
//	n = x / ln 2, rounded to a multiple of 1/K    (x Log2E + Magic - Magic)
//	r = x - n ln 2                                (x - n Ln2Hi - n Ln2Lo; the first product is exact when fused)
//	e^x = 2^n e^r = 2^⌊n⌋ Table[Kn mod K] (1 + q(r))
//
// The table holds 2^(j/K) (1+d) and q(r) = e^r/(1+d) - 1, with d as small as makes all entries of the table very
// nearly numbers of the type, so that rounding them costs almost nothing.
type Exp struct {
	K            int
	Log2E, Magic float64
	Ln2Hi, Ln2Lo float64    // for a fused x - n Ln2Hi
	Short        [2]float64 // ln 2 once more: n Short[0] is exact
	C            []float64  // the coefficients of q, lowest first
	Table        []float64
	TableError   float64 // of the table's entries, in units of the last place
}

// NewExp makes K a power of two, and q of the given degree. Its error in float32 (bits = 24) or float64 (53) follows
// from the degree: about (ln 2/2K)^(degree+1) / (degree+1)! / 2^degree.
func NewExp(bits uint, K, degree int) Exp {
	e := Exp{K: K, Log2E: round(zero().Quo(number(1), ln2), bits), Ln2Hi: round(ln2, bits)}
	e.Magic = 1.5 * math.Ldexp(1, int(bits)-1) / float64(K)
	e.Ln2Lo = round(zero().Sub(ln2, number(e.Ln2Hi)), bits)
	integer := map[uint]uint{24: 8, 53: 11}[bits] // bits of ⌊n⌋
	for k := K; k > 1; k /= 2 {
		integer++
	}
	e.Short = split(ln2, bits, integer)

	d := zero()
	if K > 1 {
		d = shift(bits, K)
	}
	scale := zero().Add(number(1), d)
	q := func(r *big.Float) *big.Float {
		v := exp(r)
		return v.Sub(v.Quo(v, scale), number(1))
	}
	half := 0.34657359 / float64(K) * (1 + math.Ldexp(1, -8)) // x/ln 2 is rounded before it is rounded to 1/K
	c := []*big.Float{zero(), number(1)}
	if K > 1 {
		c = interpolate(q, -half, half, degree)
	} else { // where r is large, its first two coefficients shall be exact: q = r + r² (e^r - 1 - r)/r²
		c = append(c, interpolate(func(r *big.Float) *big.Float {
			v := q(r)
			return v.Sub(v, r).Quo(v, r).Quo(v, r)
		}, -half, half, degree-2)...)
	}
	e.C = rounded(c, bits)
	for j := range K {
		exact := zero().Mul(root(j, K), scale)
		e.Table = append(e.Table, round(exact, bits))
		miss, _ := zero().SetMantExp(zero().Sub(exact, number(e.Table[j])), int(bits)-1).Float64()
		e.TableError = max(e.TableError, math.Abs(miss))
	}
	return e
}

// root returns 2^(j/K).
func root(j, K int) *big.Float {
	return exp(zero().Quo(zero().Mul(ln2, number(float64(j))), number(float64(K))))
}

// shift returns the d among many for which the largest rounding error of 2^(j/K) (1+d) is least. It tries multiples of
// 2^-(bits-1), for which the entry j = 0 is exact, and keeps the errors as fractions of 2^64, which wrap as they
// should.
func shift(bits uint, K int) *big.Float {
	tries := 40_000_000
	if bits == 24 {
		tries = 1 << 15 // d < 2^-8: a larger one would lengthen the interval of r
	}
	at, step := make([]uint64, K), make([]uint64, K)
	for j := range K {
		b := root(j, K)
		at[j], step[j] = fraction(zero().SetMantExp(b, int(bits)-1)), fraction(b)
	}
	best, bestError := 0, uint64(math.MaxUint64)
	for i := range tries {
		worst := uint64(0)
		for j := range at {
			miss := at[j] + uint64(i)*step[j]
			if worst = max(worst, min(miss, -miss)); worst >= bestError {
				break
			}
		}
		if worst < bestError {
			best, bestError = i, worst
		}
	}
	return zero().SetMantExp(number(float64(best)), 1-int(bits))
}

// fraction returns x - ⌊x⌋ in units of 2^-64.
func fraction(x *big.Float) uint64 {
	whole, _ := x.Int(nil)
	part := zero().Sub(x, zero().SetInt(whole))
	v, _ := part.SetMantExp(part, 64).Uint64()
	return v
}
