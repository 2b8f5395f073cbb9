package project

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

const eps = 0x1p-52

// problem is one input of both projections.
type problem struct {
	a      []float64
	k      int
	r, rho float64
}

// verify projects in float64 and checks the results by the conditions of optimality and, where twin is set, against the
// reference. Tolerances are multiples of d eps |a|inf, for feasibility of d eps <1,x>: sums obey r closely even when a
// is large.
func (p problem) verify(t *testing.T, twin bool) {
	t.Helper()
	d := float64(len(p.a))
	size := 0.0
	for _, v := range p.a {
		size = max(size, math.Abs(v))
	}
	var w Workspace[float64]
	for _, beta := range []bool{false, true} {
		x := slices.Clone(p.a) // in place
		var th Thresholds
		reference := referenceAlpha
		if beta {
			th, reference = TopKSimplexBeta(x, x, p.k, p.r, p.rho, &w), referenceBeta
		} else {
			th = TopKSimplex(x, x, p.k, p.r, p.rho, &w)
		}
		fail := func(format string, args ...any) {
			t.Helper()
			t.Errorf("beta=%v k=%d r=%v rho=%v a=%v\nx=%v %+v\n%s", beta, p.k, p.r, p.rho, p.a, x, th,
				fmt.Sprintf(format, args...))
		}
		s, most, nCap, nMid := total(x), 0.0, 0, 0
		for _, v := range x {
			most = max(most, v)
			if v > 0 && v == th.U {
				nCap++
			} else if v > 0 {
				nMid++
			}
		}
		if nCap != int(th.Cap) || nMid != int(th.Mid) {
			fail("%d elements at the cap and %d between, thresholds say otherwise", nCap, nMid)
		}
		// x_i <= s/k needs k positive elements, unless there are none.
		if !beta && most > 0 && nCap+nMid < p.k {
			fail("%d positive elements, want %d", nCap+nMid, p.k)
		}
		if v := infeasibility(x, p.k, p.r, beta); !(v <= 8*d*eps*s) {
			fail("infeasible by %g", v)
		}
		if most > 0 || beta {
			tol := 16 * d * eps * max(size, s/float64(p.k))
			if v := multiplierResidual(p.a, x, withSum(th, x, p.k, beta), p.k, p.r, p.rho, beta); !(v <= tol) {
				fail("residual %g, tolerance %g", v, tol)
			}
		}
		if !math.IsInf(p.r, 1) {
			tol := 16 * d * eps * size * (1 + p.rho) * max(s, p.r) // |grad error|_inf times |x - y|_1
			if v := frankWolfeGap(p.a, x, p.k, p.r, p.rho, beta); !(math.Abs(v) <= tol) {
				fail("gap %g, tolerance %g", v, tol)
			}
		}
		if twin && !math.IsInf(p.r, 1) {
			want := reference(p.a, p.k, p.r, p.rho)
			for i := range x {
				if !(math.Abs(x[i]-want[i]) <= 64*d*eps*size) {
					fail("x[%d] differs from the reference, %v", i, want[i])
					break
				}
			}
		}
	}
}

// withSum turns U = r, which is what alpha with k = 1 reports, into the U = <1,x> of its conditions.
func withSum(th Thresholds, x []float64, k int, beta bool) Thresholds {
	if k == 1 && !beta {
		th.U = total(x)
	}
	return th
}

// randomProblem draws vectors of many kinds, over decades and signs.
func randomProblem(rng *rand.Rand, maxDim int) problem {
	d := 1 + rng.IntN(maxDim)
	scale := math.Pow(10, float64(rng.IntN(17)-8))
	a := make([]float64, d)
	kind := rng.IntN(9)
	for i := range a {
		z := rng.NormFloat64()
		switch kind {
		case 1: // ties
			z = math.Round(2 * z)
		case 2: // all equal
			z = 1.1
		case 3: // all negative
			z = -math.Abs(z)
		case 4: // one huge
			if i == d/2 {
				z = 1e8
			}
		case 5: // all decades at once
			z *= math.Pow(10, float64(rng.IntN(17)-8))
		case 6: // positive, close together
			z = 1 + 1e-6*z
		case 7: // mostly zero
			z *= float64(rng.IntN(4) / 3)
		case 8: // one deep below
			if i == d/2 {
				z = -1e8
			}
		}
		a[i] = scale * z
	}
	ks := []int{1, 2, 3, 5, d - 1, d, 1 + rng.IntN(d)}
	k := min(max(1, ks[rng.IntN(len(ks))]), d)
	rs := []float64{0, 1, scale, scale * rng.ExpFloat64(), scale * 1e-6, scale * 1e6, scale * float64(k), math.Inf(1)}
	rhos := []float64{0, 1, 1, 0.3, 2.5, 1e-6, 1e6, rng.ExpFloat64()}
	return problem{a, k, rs[rng.IntN(len(rs))], rhos[rng.IntN(len(rhos))]}
}

func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	problems := 30000
	if prove.Quick() {
		problems = 6000
	}
	for range problems {
		randomProblem(rng, 14).verify(t, true)
		if t.Failed() {
			return
		}
	}
	for range 1000 { // k beyond insertMax, and more rounds
		randomProblem(rng, 150).verify(t, true)
	}
	for range 200 {
		randomProblem(rng, 3000).verify(t, false)
	}
}

// Projecting a projection (rho = 0) changes nothing beyond rounding.
func TestIdempotent(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	project := []func(dst, a []float64, k int, r, rho float64, w *Workspace[float64]) Thresholds{
		TopKSimplex[float64], TopKSimplexBeta[float64],
	}
	for range 5000 {
		p := randomProblem(rng, 40)
		for i, f := range project {
			x, y := make([]float64, len(p.a)), make([]float64, len(p.a))
			f(x, p.a, p.k, p.r, 0, nil)
			f(y, x, p.k, p.r, 0, nil)
			size := slices.Max(x)
			for j := range x {
				if math.Abs(x[j]-y[j]) > 16*eps*float64(len(x))*size {
					t.Fatalf("function %d, k=%d r=%v a=%v: %v, then %v", i, p.k, p.r, p.a, x, y)
				}
			}
		}
	}
}

// float32 computes in float64, so it differs from the float64 result by one rounding, and by the order of sums.
func TestFloat32(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var w Workspace[float32]
	for range 5000 {
		p := randomProblem(rng, 40)
		a, b, x := make([]float32, len(p.a)), make([]float64, len(p.a)), make([]float64, len(p.a))
		size := 0.0
		for i, v := range p.a {
			a[i] = float32(v)
			b[i] = float64(a[i])
			size = max(size, math.Abs(b[i]))
		}
		r, rho := float32(p.r), float32(p.rho)
		want := TopKSimplex(x, b, p.k, float64(r), float64(rho), nil)
		got := TopKSimplex(a, a, p.k, r, rho, &w)
		tol := 16 * eps * float64(len(a)) * size
		if !(math.Abs(got.T-want.T) <= tol) || !(math.Abs(got.U-want.U) <= tol || got.U == want.U) {
			t.Fatalf("%+v in float32, %+v in float64", got, want)
		}
		for i := range x {
			if !(math.Abs(float64(a[i])-x[i]) <= 0x1p-24*x[i]+0x1p-149+tol) {
				t.Fatalf("x[%d] = %v, want %v", i, a[i], x[i])
			}
		}
	}
}

func TestNotFinite(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	isNumber := func(v float64) bool { return v == v }
	zeros := make([]float64, 40) // enough for the k largest to be found by selection
	for _, a := range [][]float64{
		{1, nan, 3}, {nan}, {3, 2, 1, nan}, {-1, inf, 3}, {inf, inf}, {nan, inf, -inf}, {-inf, inf},
		append([]float64{1, nan}, zeros...), append([]float64{inf, 1}, zeros...),
	} {
		for k := 1; k <= len(a); k++ {
			x, y := slices.Clone(a), slices.Clone(a)
			th, thBeta := TopKSimplex(x, x, k, 1, 0, nil), TopKSimplexBeta(y, y, k, 1, 0, nil)
			if slices.ContainsFunc(x, isNumber) || slices.ContainsFunc(y, isNumber) ||
				isNumber(th.T) || isNumber(th.U) || isNumber(thBeta.T) || isNumber(thBeta.U) {
				t.Errorf("k=%d, %v: %v %+v, beta: %v %+v, want NaN", k, a, x, th, y, thBeta)
			}
		}
	}
	for _, c := range []struct {
		a       []float64
		k       int
		x, beta []float64 // r = 1, rho = 0
	}{
		{[]float64{-inf, 5, 0}, 1, []float64{0, 1, 0}, []float64{0, 1, 0}},
		{[]float64{-inf, 5, 4}, 2, []float64{0, .5, .5}, []float64{0, .5, .5}},
		{[]float64{-inf, .25, -4}, 3, []float64{0, 0, 0}, []float64{0, .25, 0}},
		{[]float64{-inf, -inf}, 2, []float64{0, 0}, []float64{0, 0}},
		{[]float64{1e308, 1e308, -1e308}, 2, []float64{.5, .5, 0}, []float64{.5, .5, 0}},
	} {
		x, y := slices.Clone(c.a), slices.Clone(c.a)
		TopKSimplex(x, x, c.k, 1, 0, nil)
		TopKSimplexBeta(y, y, c.k, 1, 0, nil)
		if !slices.Equal(x, c.x) || !slices.Equal(y, c.beta) {
			t.Errorf("k=%d, %v: %v, beta %v, want %v, %v", c.k, c.a, x, y, c.x, c.beta)
		}
	}
}

func TestPanics(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	a := []float64{1, 2, 3}
	for _, c := range []struct {
		n, k   int
		r, rho float64
		want   string
	}{
		{2, 1, 1, 1, "dst has 2 elements, a has 3"},
		{3, 0, 1, 1, "k = 0 is not in 1..3, the dimension"},
		{3, 4, 1, 1, "k = 4 is not in 1..3, the dimension"},
		{3, 1, -1, 1, "r = -1, want r >= 0"},
		{3, 1, nan, 1, "r = NaN, want r >= 0"},
		{3, 1, 1, -2, "rho = -2, want 0 <= rho < Inf"},
		{3, 1, 1, nan, "rho = NaN, want 0 <= rho < Inf"},
		{3, 1, 1, inf, "rho = +Inf, want 0 <= rho < Inf"},
	} {
		for name, f := range map[string]func(dst, a []float64, k int, r, rho float64, w *Workspace[float64]) Thresholds{
			"TopKSimplex": TopKSimplex[float64], "TopKSimplexBeta": TopKSimplexBeta[float64],
		} {
			func() {
				defer func() {
					if got, ok := recover().(vec.ShapeError); !ok || got.Error() != "project: "+name+": "+c.want {
						t.Errorf("%+v: %v", c, got)
					}
				}()
				f(make([]float64, c.n), a, c.k, c.r, c.rho, nil)
			}()
		}
	}
}

func TestAllocs(t *testing.T) {
	testAllocs[float32](t)
	testAllocs[float64](t)
}

func testAllocs[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var w Workspace[T]
	a, x := make([]T, 200), make([]T, 200)
	for i := range a {
		a[i] = T(rng.NormFloat64())
	}
	weights := falling(rng, 50)
	run := func() {
		for _, k := range []int{1, 5, 50} {
			TopKSimplex(x, a, k, 1, 1, &w)
			TopKSimplexBeta(x, a, k, 1, 1, &w)
			Permutahedron(x, a, weights[:k], 1, 1, &w)
		}
	}
	run()
	if n := prove.Allocs(100, run); n != 0 {
		t.Errorf("%T: %v allocations", a[0], n)
	}
}
