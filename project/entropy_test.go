package project

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestOmega: w + log w - z by series in 200 bits. A relative error e of w makes it (1+w) e; the function may have the
// rounding of z as a rounding of its argument, as it would have with exact arithmetic, and eight units of its own.
func TestOmega(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	for i := range draws(t, 1000) {
		z := 30 * rng.NormFloat64()
		switch i % 4 {
		case 1:
			z = rng.NormFloat64()
		case 2:
			z = math.Copysign(math.Exp(6*rng.Float64()), rng.NormFloat64())
		}
		w := omega(z)
		if w <= 0x1p-1000 || math.IsInf(w, 0) {
			if z > -690 {
				t.Fatalf("omega(%v) = %v", z, w)
			}
			continue
		}
		miss := new(big.Float).SetPrec(200).SetFloat64(w)
		miss.Add(miss, bigLog(w))
		miss.Sub(miss, new(big.Float).SetFloat64(z))
		m, _ := miss.Float64()
		if e := math.Abs(m) / (1 + w); e > 8*0x1p-53+2*0x1p-53*math.Abs(z)/(1+w) {
			t.Fatalf("omega(%v) = %v: relative error %.3g", z, w, e)
		}
	}
	for _, c := range [][2]float64{{1, 1}, {0, 0.5671432904097838}, {math.Inf(-1), 0}, {math.Inf(1), math.Inf(1)},
		{2e300, 2e300}} {
		if w := omega(c[0]); math.Abs(w-c[1]) > 1e-15*c[1] {
			t.Errorf("omega(%v) = %v, want %v", c[0], w, c[1])
		}
	}
}

// bigLog is log x = 2 artanh((m-1)/(m+1)) + e log 2 for x = m 2^e, by the series of artanh.
func bigLog(x float64) *big.Float {
	artanh := func(y *big.Float) *big.Float {
		sum, power := new(big.Float).SetPrec(200).Set(y), new(big.Float).SetPrec(200).Set(y)
		square := new(big.Float).SetPrec(200).Mul(y, y)
		for i := int64(3); i < 400; i += 2 {
			power.Mul(power, square)
			sum.Add(sum, new(big.Float).SetPrec(200).Quo(power, new(big.Float).SetInt64(i)))
		}
		return sum.Mul(sum, big.NewFloat(2))
	}
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(v) }
	m, e := math.Frexp(x)
	y := new(big.Float).Quo(number(0).Sub(number(m), number(1)), number(0).Add(number(m), number(1)))
	log2 := artanh(new(big.Float).SetPrec(200).Quo(number(1), number(3)))
	return artanh(y).Add(artanh(y), log2.Mul(log2, number(float64(e))))
}

// TestEntropy checks the conditions of optimality, which prove a solution since the problems are convex. Their error,
// divided by the curvature 1 + gamma/x, is the error of x.
func TestEntropy(t *testing.T) { each(t, testEntropy[float32], testEntropy[float64]) }

func testEntropy[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	var w Workspace[T]
	for range draws(t, 2000) {
		d := 1 + rng.IntN(12)
		a, x := make([]T, d), make([]T, d)
		size := math.Pow(10, float64(rng.IntN(5)-2))
		for i := range a {
			a[i] = T(size * rng.NormFloat64())
		}
		gamma := T(math.Pow(10, rng.Float64()*4-2))
		r, rho, k := T(math.Pow(10, rng.Float64()*3-2)), T(rng.IntN(3)), 1+rng.IntN(d)
		tol := 64 * unit[T]() * float64(d) * (1 + max(size, float64(r)) + size/float64(gamma)*float64(r))

		check := func(name string, th Thresholds, u float64) {
			t.Helper()
			for i, v := range x {
				b, y := float64(a[i])-th.T, float64(v)
				want := float64(gamma) * omega(b/float64(gamma)-math.Log(float64(gamma)))
				if !(math.Abs(min(want, u)-y) <= tol) {
					t.Fatalf("%s k=%d r=%v rho=%v gamma=%v of %v: %v, %+v: x[%d] should be %v", name, k, r, rho, gamma,
						a, x, th, i, want)
				}
			}
		}
		th := EntropySimplex(x, a, r, gamma, &w)
		check("EntropySimplex", th, math.Inf(1))
		if s := total(x); !(math.Abs(s-float64(r)) <= tol*float64(r)) {
			t.Fatalf("EntropySimplex r=%v gamma=%v of %v: %v, sum %v", r, gamma, a, x, s)
		}

		copy(x, a)
		th = TopKEntropy(x, x, k, r, rho, gamma, &w)
		s, u := total(x), th.U
		if k == 1 {
			u = math.Inf(1)
		}
		check("TopKEntropy", th, u)
		if !(slices.Max(x) <= T(s/float64(k)+tol)) || !(s <= float64(r)*(1+tol)) {
			t.Fatalf("TopKEntropy k=%d r=%v of %v: %v is outside", k, r, a, x)
		}
		// T = rho s - gamma log(r-s) - p/k tells s better than s tells T: r-s = exp((rho s - p/k - T)/gamma).
		p := 0.0
		if th.Cap > 0 {
			for _, v := range a {
				p += max(0, float64(v)-th.T-th.U-float64(gamma)*math.Log(th.U))
			}
		}
		if s < 1e-30*float64(r) { // the powers of e have left the numbers, or soon will
			continue
		}
		rest := math.Exp((float64(rho)*s - p/float64(k) - th.T) / float64(gamma))
		if !(math.Abs(float64(r)-s-rest) <= 16*tol*(1+size/float64(gamma))*max(float64(r), rest)) {
			t.Fatalf("TopKEntropy k=%d r=%v rho=%v gamma=%v of %v: %v, %+v: r - s is %v, should be %v", k, r, rho,
				gamma, a, x, th, float64(r)-s, rest)
		}
	}
}

// TestEntropyDescends: no feasible neighbour has a smaller objective.
func TestEntropyDescends(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 72))
	for range draws(t, 500) {
		d := 2 + rng.IntN(5)
		k := 1 + rng.IntN(d)
		a, x, y := make([]float64, d), make([]float64, d), make([]float64, d)
		for i := range a {
			a[i] = 2 * rng.NormFloat64()
		}
		objective := func(x []float64) float64 {
			s := total(x)
			f := s*s/2 + 0.3*(1-s)*math.Log(1-s)
			for i, v := range x {
				f += (v-a[i])*(v-a[i])/2 + 0.3*v*math.Log(v)
			}
			return f
		}
		TopKEntropy(x, a, k, 1, 1, 0.3, nil)
		best := objective(x)
		for range 200 {
			z := make([]float64, d)
			for i := range z {
				z[i] = rng.Float64()
			}
			TopKSimplex(z, z, k, 0.999, 0, nil) // some point of the set
			step := math.Pow(2, -float64(rng.IntN(20)))
			for i := range y {
				y[i] = x[i] + step*(z[i]+1e-12-x[i])
			}
			if f := objective(y); f < best-1e-13*math.Abs(best) {
				t.Fatalf("k=%d a=%v: %v has %v, %v has %v", k, a, x, best, y, f)
			}
		}
	}
}

// TestSmooth: the gap of Frank and Wolfe, with the gradient of the smoothed objective, is zero.
func TestSmooth(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 82))
	for range draws(t, 2000) {
		a, size := randomVector[float64](rng, 20)
		k, gamma, rho, r := 1+rng.IntN(len(a)), rng.ExpFloat64(), rng.ExpFloat64(), size*rng.ExpFloat64()
		for _, beta := range []bool{false, true} {
			x := make([]float64, len(a))
			if beta {
				TopKSimplexBetaSmooth(x, a, k, r, rho, gamma, nil)
			} else {
				TopKSimplexSmooth(x, a, k, r, rho, gamma, nil)
			}
			// a - gamma x, so that frankWolfeGap sees the gradient x - a + gamma x + rho s
			down := make([]float64, len(a))
			for i := range a {
				down[i] = a[i] - gamma*x[i]
			}
			if gap := frankWolfeGap(down, x, k, r, rho, beta); !(math.Abs(gap) <= 64*eps*float64(len(a))*(size+r)*(size+
				r)*(1+rho)*(1+gamma)) {
				t.Fatalf("beta=%v k=%d r=%v rho=%v gamma=%v: gap %g of %v", beta, k, r, rho, gamma, gap, a)
			}
		}
	}
}
