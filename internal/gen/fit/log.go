package fit

import (
	"math"
	"math/big"
)

// LogTable holds the numbers of a way to compute log x with a table:
//
//	x = 2^k m, 3/4 <= m < 3/2, and j the first bits of m behind its leading one
//	r = m Reciprocal[j] - 1
//	log x = (k Ln2Hi + Hi[j]) + k Ln2Lo + Lo[j] + r + r² p(r)
//
// Reciprocal[j] is about 1/m, of so few bits that r is nearly always exact, and Hi[j] + Lo[j] is minus its logarithm.
// The sum in parentheses is exact. Near x = 1 it vanishes, for the reciprocal is 1 there, and so nothing cancels.
type LogTable struct {
	Ln2Hi, Ln2Lo       float64
	Reciprocal, Hi, Lo []float64
	C                  []float64 // the coefficients of p
}

// NewLogTable makes a table of size entries, and p of the given degree.
func NewLogTable(bits uint, size, degree int) LogTable {
	grid := map[uint]int{24: 16, 53: 42}[bits] // with these bits behind the point all logarithms fit
	var t LogTable
	t.Ln2Hi, t.Ln2Lo = onGrid(ln2, grid, bits)
	least, most := 0.0, 0.0
	for j := range size {
		lo, hi := 1+float64(j)/float64(size), 1+float64(j+1)/float64(size)
		if j >= size/2 {
			lo, hi = lo/2, hi/2
		}
		c := round(number(2/(lo+hi)), 6)
		if j == 0 || j == size-1 {
			c = 1
		}
		t.Reciprocal = append(t.Reciprocal, c)
		h, l := onGrid(zero().Neg(log(c)), grid, bits)
		t.Hi, t.Lo = append(t.Hi, h), append(t.Lo, l)
		least, most = min(least, lo*c-1), max(most, hi*c-1)
	}
	t.C = rounded(interpolate(logRest, least, most, degree), bits)
	return t
}

// logRest is (log(1+r) - r)/r².
func logRest(r *big.Float) *big.Float {
	v := log1p(r)
	return v.Sub(v, r).Quo(v, r).Quo(v, r)
}

// onGrid returns x rounded to some bits behind the point, and the rest.
func onGrid(x *big.Float, grid int, bits uint) (hi, lo float64) {
	scaled, _ := zero().SetMantExp(x, grid).Float64()
	hi = math.Ldexp(math.RoundToEven(scaled), -grid)
	return hi, round(zero().Sub(x, number(hi)), bits)
}

// Log holds the numbers of a way to compute log x with a division:
//
//	x = 2^k m, √½ <= m < √2;  f = m - 1;  s = f/(2+f)
//	log m = 2 atanh s = f - (f²/2 - s (f²/2 + R(s²)))
//	log x = k Ln2Hi + k Ln2Lo + log m
//
// The form with f, whose sum loses nothing near x = 1, comes from Sun's fdlibm.
type Log struct {
	Ln2Hi, Ln2Lo float64   // k Ln2Hi is exact
	C            []float64 // R(z) = z (C[0] + C[1] z + ...)
}

// NewLog makes R(z)/z of the given degree.
func NewLog(bits uint, degree int) Log {
	var l Log
	l.Ln2Hi, l.Ln2Lo = onGrid(ln2, map[uint]int{24: 16, 53: 42}[bits], bits)
	most := (math.Sqrt2 - 1) / (math.Sqrt2 + 1)
	l.C = rounded(interpolate(logQuotient, 0, most*most, degree), bits)
	return l
}

// LogOnePlus returns C of a way to compute log(1+f) for 0 <= f <= 1, with a small relative error where f is small:
//
//	s = f/(2+f);  log(1+f) = 2 atanh s = 2s + s R(s²),  R(z) = z (C[0] + C[1] z + ...)
func LogOnePlus(bits uint, degree int) []float64 {
	return rounded(interpolate(logQuotient, 0, 1./9, degree), bits)
}

// logQuotient is R(z)/z.
func logQuotient(z *big.Float) *big.Float {
	s := zero().Sqrt(z)
	// log((1+s)/(1-s)) = 2s + s R
	v := log1p(zero().Quo(zero().Mul(number(2), s), zero().Sub(number(1), s)))
	return v.Quo(v, s).Sub(v, number(2)).Quo(v, z)
}

// rounded returns numbers of a type of 24 or 53 bits.
func rounded(c []*big.Float, bits uint) (r []float64) {
	for _, v := range c {
		r = append(r, round(v, bits))
	}
	return r
}
