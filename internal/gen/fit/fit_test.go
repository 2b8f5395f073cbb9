package fit

import (
	"math"
	"testing"
)

// TestSeries compares with the standard library, and identities to many digits.
func TestSeries(t *testing.T) {
	for _, x := range []float64{0, 1e-30, -0.3, 0.34657, 1, -5, 20} {
		if got, _ := exp(number(x)).Float64(); math.Abs(got-math.Exp(x)) > 4e-16*math.Exp(x) {
			t.Errorf("exp(%v) = %v, want %v", x, got, math.Exp(x))
		}
		one := exp(number(x))
		if miss := one.Sub(one.Mul(one, exp(number(-x))), number(1)); miss.Sign() != 0 && miss.MantExp(nil) > -170 {
			t.Errorf("exp(%v) exp(%v) misses 1 by %v", x, -x, miss)
		}
	}
	if miss := zero().Sub(exp(ln2), number(2)); miss.Sign() != 0 && miss.MantExp(nil) > -170 {
		t.Errorf("exp(ln 2) misses 2 by %v", miss)
	}
}

// TestInterpolate holds the polynomial to the error of interpolation, h^n/n!/2^(n-1) times the n-th derivative.
func TestInterpolate(t *testing.T) {
	const h = 0.34
	c := interpolate(exp, -h, h, 9)
	for x := -h; x <= h; x += 0.001 {
		sum := 0.0
		for i := len(c) - 1; i >= 0; i-- {
			v, _ := c[i].Float64()
			sum = sum*x + v
		}
		if bound := math.Pow(h, 10)/math.Gamma(11)/512*math.Exp(h) + 3e-16; math.Abs(sum-math.Exp(x)) > bound {
			t.Errorf("e^%v is off by %g, more than %g", x, sum-math.Exp(x), bound)
		}
	}
}

// TestExp asks for what the kernels rely on: products without rounding, and tables that are nearly exact.
func TestExp(t *testing.T) {
	for _, c := range []struct {
		bits      uint
		K, degree int
		most      float64 // error of the table
	}{{24, 16, 3, 0.26}, {24, 8, 4, 0.1}, {24, 1, 6, 0}, {53, 16, 6, 0.17}, {53, 4, 8, 0.01}, {53, 1, 11, 0}} {
		e := NewExp(c.bits, c.K, c.degree)
		if len(e.Table) != c.K || len(e.C) != c.degree+1 || e.TableError > c.most {
			t.Errorf("%+v: %d entries with an error up to %v, %d coefficients", c, len(e.Table), e.TableError, len(e.C))
		}
		largest := math.Ldexp(float64(c.K), map[uint]int{24: 8, 53: 11}[c.bits]) - 1
		exact := zero().Mul(number(largest), number(e.Short[0]))
		if exact.MinPrec() > c.bits {
			t.Errorf("%+v: %v times %v rounds", c, largest, e.Short[0])
		}
		rest := zero().Sub(ln2, number(e.Short[0]))
		if miss, _ := rest.Sub(rest, number(e.Short[1])).Float64(); math.Abs(miss)*largest/float64(c.K) > math.Ldexp(
			1, -int(c.bits)-4) {
			t.Errorf("%+v: ln 2 in parts is off by %v", c, miss)
		}
		if one := e.Table[0] * (1 + e.C[0]); math.Abs(one-1) > math.Ldexp(1, -int(c.bits)-1) {
			t.Errorf("%+v: e^0 = %v", c, one)
		}
	}
}

// TestLog asks for sums without rounding, for reciprocals that leave r exact but for its last bit at most, and for a
// table that vanishes around 1.
func TestLog(t *testing.T) {
	for _, c := range []struct {
		bits         uint
		size, degree int
		largest      float64 // k
	}{{24, 32, 3, 150}, {53, 16, 9, 1075}} {
		l := NewLogTable(c.bits, c.size, c.degree)
		for j, r := range l.Reciprocal {
			sum := zero().Add(number(l.Hi[j]), zero().Mul(number(c.largest), number(l.Ln2Hi)))
			if sum.MinPrec() > c.bits {
				t.Errorf("%+v: entry %d: %v ln 2 + %v has %d bits", c, j, c.largest, l.Hi[j], sum.MinPrec())
			}
			miss := zero().Add(log(r), number(l.Hi[j]))
			if v, _ := miss.Add(miss, number(l.Lo[j])).Float64(); math.Abs(v) > math.Ldexp(1, -int(c.bits)-8) {
				t.Errorf("%+v: entry %d is off by %g", c, j, v)
			}
			if number(r).MinPrec() > 6 {
				t.Errorf("%+v: entry %d: reciprocal %v", c, j, r)
			}
		}
		if last := c.size - 1; l.Hi[0] != 0 || l.Lo[0] != 0 || l.Hi[last] != 0 || l.Lo[last] != 0 {
			t.Errorf("%+v: log 1 = %v + %v, %v + %v", c, l.Hi[0], l.Lo[0], l.Hi[last], l.Lo[last])
		}
	}
	for bits, largest := range map[uint]float64{24: 150, 53: 1075} {
		if l := NewLog(bits, 3); zero().Mul(number(largest), number(l.Ln2Hi)).MinPrec() > bits {
			t.Errorf("%v ln 2 rounds", largest)
		}
	}
}

// TestLogOnePlus compares with the standard library: 2^-52 for each of both, and what Horner's method rounds.
func TestLogOnePlus(t *testing.T) {
	c := LogOnePlus(53, 9)
	for f := 0x1p-60; f <= 1; f *= 1.001 {
		s := f / (2 + f)
		sum := 0.0
		for i := len(c) - 1; i >= 0; i-- {
			sum = sum*s*s + c[i]
		}
		if got, want := s*(2+s*s*sum), math.Log1p(f); math.Abs(got-want) > 0x1p-50*want {
			t.Errorf("log(1 + %v) = %v, want %v", f, got, want)
		}
	}
}
