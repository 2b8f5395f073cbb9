package hostile

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// within fails unless a and b differ by a part of b at most.
func within(t *testing.T, what string, a, b *big.Float, part float64) {
	t.Helper()
	off := new(big.Float).SetPrec(bits).Sub(a, b)
	if off.Abs(off).Cmp(new(big.Float).Mul(new(big.Float).Abs(b), big.NewFloat(part))) > 0 {
		t.Errorf("%s: %.120g, want %.120g", what, a, b)
	}
}

func digits(t *testing.T, s string) *big.Float {
	t.Helper()
	v, _, err := big.ParseFloat(s, 10, bits, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestConstants: e, log 2 and log 10, to the digits that tables have.
func TestConstants(t *testing.T) {
	const e = "2.7182818284590452353602874713526624977572470936999595749669676277240766303535475945713821785" +
		"25166427427"
	const two = "0.6931471805599453094172321214581765680755001343602552541206800094933936219696947156058633" +
		"2699641868754"
	const ten = "2.30258509299404568401799145468436420760110148862877297603332790096757260967735248023599720" +
		"5089598298341"
	within(t, "e", Exp(Exact(1)), digits(t, e), 1e-100)
	within(t, "log 2", Log(Exact(2)), digits(t, two), 1e-97)
	within(t, "log 10", Log(Exact(10)), digits(t, ten), 1e-100)
	within(t, "log 1/10 + log 10", Log(new(big.Float).SetPrec(bits).Quo(Exact(1), Exact(10))),
		new(big.Float).Neg(digits(t, ten)), 1e-100)
}

// TestFunctions: Exp and Log are what package math has, up to its rounding; e^(x+y) = e^x e^y and log xy = log x + log
// y, where sums and products are exact, within Ulp for each function; and Log turns Exp around.
func TestFunctions(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		x, y := 600*rng.Float64()*math.Pow(10, -20*rng.Float64()), -600*rng.Float64()
		exp := Exp(Exact(x))
		within(t, "exp", exp, Exact(math.Exp(x)), 0x1p-51)
		sum := new(big.Float).Add(Exact(x), Exact(y))
		within(t, "e^(x+y)", Exp(sum), new(big.Float).SetPrec(bits).Mul(exp, Exp(Exact(y))), 4*Ulp)
		u, v := math.Exp(y), 1+x
		log := Log(Exact(u))
		within(t, "log", log, Exact(math.Log(u)), 0x1p-51)
		product := new(big.Float).Mul(Exact(u), Exact(v))
		parts := new(big.Float).Add(log, Log(Exact(v)))
		if off, _ := parts.Sub(parts, Log(product)).Float64(); math.Abs(off) > 4*Ulp*1e4 {
			t.Errorf("log %v %v is off by %g", u, v, off)
		}
		back := Log(exp)
		if off, _ := back.Sub(back, Exact(x)).Float64(); math.Abs(off) > 2*Ulp*(1+x) {
			t.Errorf("log e^%v is off by %g", x, off)
		}
		within(t, "power", Power(Exact(u), Exact(v)), Exp(new(big.Float).Mul(log, Exact(v))), 1e4*Ulp)
	}
}

// TestNextToOne: the logarithm of 1 + x is x - x²/2 for an x whose cube counts for nothing.
func TestNextToOne(t *testing.T) {
	for _, e := range []int{-130, -500, -2000} {
		for _, sign := range []float64{1, -1} {
			x := new(big.Float).SetMantExp(Exact(sign), e)
			want := new(big.Float).Mul(x, x)
			want.Sub(x, want.Mul(want, Exact(.5)))
			within(t, "log(1+x)", Log(new(big.Float).Add(Exact(1), x)), want, 0x1p-258)
		}
	}
	if v := Log(Exact(1)); v.Sign() != 0 {
		t.Errorf("log 1 = %v", v)
	}
}

// TestFar: of numbers far below 0 the exponential is 0, and sums with these are what they are without.
func TestFar(t *testing.T) {
	if v := Exp(Exact(-1e300)); v.Sign() != 0 {
		t.Errorf("e^-1e300 = %v", v)
	}
	if v, _ := Exp(Exact(-30000)).MarshalText(); len(v) < 10 {
		t.Errorf("e^-30000 = %s", v)
	}
	within(t, "log(e^1e300 + 1)", LogSum(Exact(1e300), Exact(0)), Exact(1e300), 0)
	within(t, "log(e^3 + e^3)", LogSum(Exact(3), Exact(3)), new(big.Float).Add(Exact(3), Log(Exact(2))), 4*Ulp)
	within(t, "log(1 + e^-1000)", LogSum(Exact(0), Exact(-1000)), Exp(Exact(-1000)), 1e-300)
	if v := Entropy(Exact(0)); v.Sign() != 0 {
		t.Errorf("entropy of 0 is %v", v)
	}
	within(t, "half the entropy of a coin", Entropy(Exact(.5)), new(big.Float).Mul(Exact(.5), Log(Exact(2))), 4*Ulp)
	if v := Power(Exact(0), Exact(2)); v.Sign() != 0 {
		t.Errorf("0² = %v", v)
	}
}
