package project

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// falling draws k weights that fall: some equal, some 0, over decades.
func falling(rng *rand.Rand, k int) []float64 {
	beta := make([]float64, k)
	for j := range beta {
		switch beta[j] = math.Exp(2 * rng.NormFloat64()); rng.IntN(4) {
		case 0:
			beta[j] = 1
		case 1:
			beta[j] = float64(rng.IntN(2))
		}
	}
	slices.Sort(beta)
	slices.Reverse(beta)
	return beta
}

// bounds are r times the sums of the 1..d largest weights.
func bounds(beta []float64, r float64, d int) []float64 {
	b, sum := make([]float64, d), 0.0
	for j := range b {
		if j < len(beta) {
			sum += r * beta[j]
		}
		b[j] = sum
	}
	return b
}

func downwards(a []float64) []float64 {
	b := slices.Clone(a)
	slices.Sort(b)
	slices.Reverse(b)
	return b
}

// outsidePermutahedron is the largest violation of the constraints.
func outsidePermutahedron(x, beta []float64, r float64) float64 {
	worst, sum, most := 0.0, 0.0, bounds(beta, r, len(x))
	for j, v := range downwards(x) {
		sum += v
		worst = max(worst, -v, sum-most[j])
	}
	return worst
}

// permutahedronGap is max <g, z - x> over the z of the set, g = a - x - rho <1,x>: the z that fall as g does, and are 0
// where g < 0, are the best. It is at least |x - x*|²/2: for the strongly convex objective f it is at least f(x) -
// f(x*).
func permutahedronGap(a, x, beta []float64, r, rho float64) float64 {
	g, s, gap := make([]float64, len(a)), total(x), 0.0
	for i := range a {
		g[i] = a[i] - x[i] - rho*s
		gap -= g[i] * x[i]
	}
	for j, v := range downwards(g) {
		if j < len(beta) {
			gap += r * beta[j] * max(0, v)
		}
	}
	return gap
}

// referencePermutahedron takes v from the formula of minima and maxima, v_i = min over l <= i of max over u >= i of the
// mean of l..u, and rho s by halving.
func referencePermutahedron(a, beta []float64, r, rho float64) []float64 {
	b := downwards(a)
	v := make([]float64, len(b))
	for i := range b {
		v[i] = math.Inf(1)
		for l := range i + 1 {
			best, sum := math.Inf(-1), 0.0
			for u := l; u < len(b); u++ {
				sum += b[u]
				if u < len(beta) {
					sum -= r * beta[u]
				}
				if u >= i {
					best = max(best, sum/float64(u-l+1))
				}
			}
			v[i] = min(v[i], best)
		}
	}
	at := func(t float64) (x []float64) {
		for i, bi := range b {
			x = append(x, max(0, bi-max(v[i], t)))
		}
		return x
	}
	low, high := 0.0, max(0, b[0])
	for range 1200 {
		if t := low + (high-low)/2; t >= rho*total(at(t)) {
			high = t
		} else {
			low = t
		}
	}
	sorted, x := at(high), make([]float64, len(a))
	order := make([]int32, len(a))
	vec.ArgSortDescending(order, a)
	for j, i := range order {
		x[i] = sorted[j]
	}
	return x
}

// TestPermutahedron: in float64 the solution is in the set and has no better point in it, by the gap to the best vertex
// and by the reference; float32 rounds it.
//
// An element of x is a difference of numbers that are known to u = 2^-53 of T, and of its pool's sums, which are within
// d U of 0 and take d additions: 4 d² u (U + T) in all. The gap multiplies that by |g| <= |a| + rho s, over d elements
// and as many vertices.
func TestPermutahedron(t *testing.T) {
	rng := prove.Rand(71)
	var w Workspace[float64]
	var narrow Workspace[float32]
	count := 20000
	if testing.Short() {
		count = 4000
	}
	for n := range count {
		d := 1 + rng.IntN(12)
		if n%20 == 0 {
			d = 1 + rng.IntN(80)
		}
		beta := falling(rng, 1+rng.IntN(d))
		r := float64(float32(math.Pow(10, float64(rng.IntN(5)-2))))
		rho := []float64{0, 1, .25, 0x1p-30, 1000}[rng.IntN(5)]
		scale, centre := math.Pow(10, float64(rng.IntN(5)-2)), float64(rng.IntN(3)-1)*3
		a := make([]float64, d)
		for i := range a {
			a[i] = float64(float32(scale * (centre + rng.NormFloat64())))
			if rng.IntN(3) == 0 {
				a[i] = math.Round(a[i]) // ties
			}
		}
		x := make([]float64, d)
		th := Permutahedron(x, a, beta, r, rho, &w)
		size := 0.0
		for _, v := range a {
			size = max(size, math.Abs(v))
		}
		what := fmt.Sprintf("a = %v, beta = %v, r = %v, rho = %v: x = %v, %+v", a, beta, r, rho, x, th)
		dd := float64(d * d)
		bound := 4 * dd * 0x1p-53 * (th.U + math.Abs(th.T))
		if v := outsidePermutahedron(x, beta, r); !(v <= bound) {
			t.Fatalf("%s: outside by %g of %g", what, v, bound)
		}
		// rho s is as wrong as d elements rho times, but no more wrong than T: it is how T was found.
		off := bound*(1+min(rho, 1)*float64(d)) + 4*dd*0x1p-53*size
		if g := permutahedronGap(a, x, beta, r, rho); !(g <= 8*dd*off*(th.U+size+rho*th.U)) {
			t.Fatalf("%s: gap %g", what, g)
		}
		if v := ResidualPermutahedron(a, x, beta, r, rho, th); !(v <= 8*off) {
			t.Fatalf("%s: residual %g of %g", what, v, 8*off)
		}
		if d <= 12 || n%100 == 0 {
			for i, want := range referencePermutahedron(a, beta, r, rho) {
				if !(math.Abs(x[i]-want) <= 8*off) {
					t.Fatalf("%s: element %d, want %v, off by %g of %g", what, i, want, x[i]-want, 8*off)
				}
			}
		}
		a32, x32 := make([]float32, d), make([]float32, d)
		vec.Convert(a32, a)
		got := Permutahedron(x32, a32, beta, float32(r), float32(rho), &narrow)
		for i, v := range x {
			if x32[i] != float32(v) {
				t.Fatalf("%s: element %d in float32 %v", what, i, x32[i])
			}
		}
		if got != th {
			t.Fatalf("%s: thresholds in float32 %+v", what, got)
		}
	}
}

// TestPermutahedronEqual: with equal weights it is TopKSimplexBeta, with its thresholds. The bound is 64 d times the
// rounding of T and U.
func TestPermutahedronEqual(t *testing.T) {
	rng := prove.Rand(73)
	var w Workspace[float64]
	for range 3000 {
		d := 1 + rng.IntN(300)
		k := 1 + rng.IntN(min(d, 40))
		beta := slices.Repeat([]float64{1 / float64(k)}, k)
		a, x, y := make([]float64, d), make([]float64, d), make([]float64, d)
		scale, shift := math.Pow(10, float64(rng.IntN(5)-3)), float64(rng.IntN(3)-1)
		for i := range a {
			a[i] = scale * (shift + rng.NormFloat64())
		}
		rho := []float64{0, 1, .3}[rng.IntN(3)]
		th := Permutahedron(x, a, beta, 1, rho, &w)
		want := TopKSimplexBeta(y, a, k, 1, rho, &w)
		bound := 64 * float64(d) * 0x1p-53 * (want.T + want.U)
		for i := range x {
			if !(math.Abs(x[i]-y[i]) <= bound) {
				t.Fatalf("d = %d, k = %d, rho = %v: element %d is %v, want %v", d, k, rho, i, x[i], y[i])
			}
		}
		if !(math.Abs(th.T-want.T) <= bound && math.Abs(th.U-want.U) <= bound &&
			math.Abs(th.Lambda-want.Lambda) <= bound*float64(d)) {
			t.Fatalf("d = %d, k = %d, rho = %v: %+v, want %+v", d, k, rho, th, want)
		}
	}
}

// TestPermutahedronFar: elements far from 0, next to each other in float64, are told apart, and what weights take from
// them is exact.
func TestPermutahedronFar(t *testing.T) {
	x := make([]float64, 4)
	for _, c := range []struct{ a, beta, want []float64 }{
		{[]float64{1e17, 1e17 - 16, -1e17, 0}, []float64{1, 1}, []float64{1, 1, 0, 0}},
		{[]float64{1e17, 1e17 - 16, 1e300, 0}, []float64{40, 20, 4}, []float64{20, 4, 40, 0}},
		{[]float64{1e17 - 16, 1e17, 1e300, 0}, []float64{40, 30, 4}, []float64{9, 25, 40, 0}},
		{[]float64{5e-324, 1e-323, 0, math.Inf(-1)}, []float64{5e-324}, []float64{0, 5e-324, 0, 0}},
		{[]float64{2, -1, math.Copysign(0, -1), 1}, []float64{9, 9, 9}, []float64{2, 0, 0, 1}},
	} {
		for _, rho := range []float64{0, 0x1p-60} {
			th := Permutahedron(x, c.a, c.beta, 1, rho, nil)
			if !slices.Equal(x, c.want) {
				t.Errorf("%v, %v: %v, want %v, %+v", c.a, c.beta, x, c.want, th)
			}
			for i, v := range x {
				if math.Signbit(v) {
					t.Errorf("element %d is %v", i, v)
				}
			}
		}
	}
}

// TestPermutahedronCounts: elements at the cap and between the bounds are counted, and none where the cap rounds to 0.
func TestPermutahedronCounts(t *testing.T) {
	a, x := []float64{4, 3, 1.5, 0, -1}, make([]float64, 5)
	for beta, want := range map[float64]Counts{1: {Cap: 2}, 2: {Cap: 1, Mid: 2}, 1e-200: {}} {
		if th := Permutahedron(x, a, []float64{beta, beta}, min(beta, 1), 0, nil); th.Counts != want {
			t.Errorf("weights of %v: %v, %+v, want %+v", beta, x, th, want)
		}
	}
}

// TestPermutahedronWeights: weights that rise, or are no weights, are refused by their number.
func TestPermutahedronWeights(t *testing.T) {
	for want, beta := range map[string][]float64{
		"beta[1] = 2, want 0 to 1":      {1, 2},
		"beta[0] = -1, want 0 to ":      {-1},
		"beta[1] = NaN, want 0 to 1":    {1, math.NaN()},
		"beta[0] = +Inf, want 0 to 1.7": {math.Inf(1), 1},
	} {
		text := refusal(func() error {
			Permutahedron(make([]float64, 3), ramp[float64](3), beta, 1, 0, nil)
			return nil
		})
		if n := len("project: Permutahedron: " + want); len(text) < n || text[:n] != "project: Permutahedron: "+want {
			t.Errorf("%v: %q, want %q", beta, text, want)
		}
	}
}

// TestPermutahedronResidual: a solution that is moved, within the set or out of it, has a residual of that size.
func TestPermutahedronResidual(t *testing.T) {
	a, beta := []float64{3, 2.5, 1, -1}, []float64{1, .5, .25}
	x := make([]float64, 4)
	th := Permutahedron(x, a, beta, 1, .5, nil)
	if v := ResidualPermutahedron(a, x, beta, 1, .5, th); !(v < 1e-15) {
		t.Fatalf("%v: %v", x, v)
	}
	for i := range x {
		for _, move := range []float64{-.01, .01} {
			y := slices.Clone(x)
			y[i] += move
			if v := ResidualPermutahedron(a, y, beta, 1, .5, th); !(v >= .01/4) {
				t.Errorf("element %d moved by %v: %v", i, move, v)
			}
		}
	}
	clear(x)
	if v := ResidualPermutahedron(a, x, beta, 1, .5, th); !(v > .1) {
		t.Errorf("0: %v", v)
	}
}

// FuzzPermutahedron reads d numbers and up to as many weights as float32 bits, and checks the residual; input that is
// not finite must end too.
func FuzzPermutahedron(f *testing.F) {
	f.Add(uint8(2), float32(1), float32(0), []byte{0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64})
	f.Add(uint8(3), float32(.5), float32(1), []byte{0, 0, 128, 63, 0, 0, 128, 191, 0, 0, 64, 64, 0, 0, 64, 64})
	f.Fuzz(func(t *testing.T, kBits uint8, r, rho float32, data []byte) {
		a := make([]float64, min(len(data)/4, 60))
		finite, size := true, float64(r)
		for i := range a {
			a[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
			finite = finite && a[i]-a[i] == 0
			size = max(size, math.Abs(a[i]))
		}
		if len(a) == 0 || !(r >= 0) || math.IsInf(float64(r), 1) || !(rho >= 0 && rho <= 1e3) {
			return
		}
		beta := make([]float64, 1+int(kBits)%len(a))
		for j := range beta {
			beta[j] = 1 / float64(1+j/2)
		}
		x := make([]float64, len(a))
		th := Permutahedron(x, a, beta, float64(r), float64(rho), nil)
		d := float64(len(a))
		v := ResidualPermutahedron(a, x, beta, float64(r), float64(rho), th)
		if finite && !(v <= 64*d*d*d*0x1p-53*size) {
			t.Errorf("r = %v, rho = %v, %v: %v, %+v: %v", r, rho, a, x, th, v)
		}
	})
}
