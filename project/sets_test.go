package project

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// randomVector draws the vectors of randomProblem.
func randomVector[T vec.Float](rng *rand.Rand, maxDim int) (a []T, size float64) {
	for _, v := range randomProblem(rng, maxDim).a {
		a = append(a, T(v))
		size = max(size, math.Abs(v))
	}
	return a, size
}

// unit is the rounding of T.
func unit[T vec.Float]() float64 {
	if unchecked.Is32[T]() {
		return 0x1p-24
	}
	return 0x1p-53
}

func each(t *testing.T, f32, f64 func(t *testing.T)) {
	t.Run("f32", f32)
	t.Run("f64", f64)
}

func draws(t *testing.T, n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// TestSets: on random vectors the residual of each set is a small multiple of d roundings of what went in.
func TestSets(t *testing.T) { each(t, testSets[float32], testSets[float64]) }

func testSets[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	var w Workspace[T]
	for range draws(t, 10000) {
		a, size := randomVector[T](rng, []int{5, 40, 400}[rng.IntN(3)])
		d := float64(len(a))
		scale := max(size, 1e-8)
		rel := Relation(rng.IntN(2))
		r := T(scale * []float64{0, 1e-6, 1, rng.ExpFloat64(), d * rng.Float64(), 1e3}[rng.IntN(6)])
		tol := func(extra float64) float64 { return 16 * (d + 4) * unit[T]() * max(size, float64(r), extra) }
		x := slices.Clone(a)
		check := func(set string, residual, tol float64, th any) {
			t.Helper()
			if !(residual <= tol) {
				t.Fatalf("%s, rel=%v r=%v of %v: %v, %+v: residual %g, tolerance %g", set, rel, r, a, x, th, residual,
					tol)
			}
		}
		th := Simplex(x, x, rel, r, &w)
		check("Simplex", ResidualSimplex(a, x, rel, r, th), tol(0), th)

		// bounds that leave room for r, as a rule
		l := T(scale * []float64{0, 0, -0.5, 0.1, math.Inf(-1)}[rng.IntN(5)])
		u := T(max(float64(l)+scale*rng.Float64(), scale*[]float64{0.01, 1, 1e3, math.Inf(1)}[rng.IntN(4)]))
		copy(x, a)
		th, err := Knapsack(x, x, l, u, rel, r, &w)
		least, most := d*float64(l), d*float64(u) // a bound of r/d is rounded
		feasible := least-2*unit[T]()*math.Abs(least) <= float64(r) &&
			(rel == AtMost || float64(r) <= most+2*unit[T]()*math.Abs(most))
		if (err == nil) != feasible {
			t.Fatalf("Knapsack, d=%v l=%v u=%v rel=%v r=%v: error %v", d, l, u, rel, r, err)
		}
		if err == nil {
			bound := 0.0
			for _, v := range []T{l, u} {
				if v-v == 0 {
					bound = max(bound, math.Abs(float64(v)))
				}
			}
			check(fmt.Sprintf("Knapsack l=%v u=%v", l, u), ResidualKnapsack(a, x, l, u, rel, r, th), tol(bound), th)
		} else if !slices.Equal(x, a) {
			t.Fatal("an error changed dst")
		}

		b, ls, us := make([]T, len(a)), make([]T, len(a)), make([]T, len(a))
		weight, bound := 0.0, 0.0
		for i := range b {
			b[i] = T(rng.NormFloat64())
			if rng.IntN(10) == 0 {
				b[i] = 0
			}
			ls[i] = T(-scale * rng.Float64())
			us[i] = T(scale * rng.Float64())
			weight = max(weight, math.Abs(float64(b[i])), 1/math.Max(1e-3, math.Abs(float64(b[i]))))
			bound = max(bound, float64(us[i]))
		}
		copy(x, a)
		if th, err := WeightedKnapsack(x, x, b, ls, us, rel, r, &w); err == nil {
			check("WeightedKnapsack", ResidualWeightedKnapsack(a, b, ls, us, x, rel, r, th), tol(bound)*weight*weight,
				th)
		}

		copy(x, a)
		th = L1Ball(x, x, r, &w)
		check("L1Ball", ResidualL1Ball(a, x, r, th), tol(0), th)
		copy(x, a)
		lambda := L2Ball(x, x, r)
		check("L2Ball", ResidualL2Ball(a, x, r, lambda), tol(0), lambda)

		copy(x, a)
		rho := T(rng.ExpFloat64())
		th = Orthant(x, x, rho, &w)
		check("Orthant", ResidualTopKSimplexBeta(a, x, 1, T(math.Inf(1)), rho, th), tol(0)*d, th)
		k := 1 + rng.IntN(len(a))
		th = TopKCone(x, a, k, rho, &w)
		check("TopKCone", ResidualTopKSimplex(a, x, k, T(math.Inf(1)), rho, th), tol(0)*d, th)
	}
}

// TestResiduals: a solution that is moved, or thresholds that are, leave a residual.
func TestResiduals(t *testing.T) {
	a := []float64{0.9, 0.6, 0.5, -1, 0.1}
	x := make([]float64, len(a))
	for name, c := range map[string]struct {
		project  func() Thresholds
		residual func(th Thresholds) float64
	}{
		"alpha": {func() Thresholds { return TopKSimplex(x, a, 2, 1, 0.1, nil) },
			func(th Thresholds) float64 { return ResidualTopKSimplex(a, x, 2, 1, 0.1, th) }},
		"beta": {func() Thresholds { return TopKSimplexBeta(x, a, 2, 1, 0.1, nil) },
			func(th Thresholds) float64 { return ResidualTopKSimplexBeta(a, x, 2, 1, 0.1, th) }},
		"simplex": {func() Thresholds { return Simplex(x, a, Equal, 1, nil) },
			func(th Thresholds) float64 { return ResidualSimplex(a, x, Equal, 1, th) }},
		"knapsack": {func() Thresholds { th, _ := Knapsack(x, a, -0.1, 0.4, AtMost, 1, nil); return th },
			func(th Thresholds) float64 { return ResidualKnapsack(a, x, -0.1, 0.4, AtMost, 1, th) }},
		"l1": {func() Thresholds { return L1Ball(x, a, 1, nil) },
			func(th Thresholds) float64 { return ResidualL1Ball(a, x, 1, th) }},
		"l2": {func() Thresholds { return Thresholds{Lambda: L2Ball(x, a, 1)} },
			func(th Thresholds) float64 { return ResidualL2Ball(a, x, 1, th.Lambda) }},
	} {
		th := c.project()
		if r := c.residual(th); !(r <= 1e-15) {
			t.Errorf("%s: residual %g of the solution", name, r)
		}
		for i := range x {
			for _, step := range []float64{1e-3, -1e-3} {
				x[i] += step
				if r := c.residual(th); !(r >= 1e-4) {
					t.Errorf("%s: residual %g with x[%d] moved", name, r, i)
				}
				x[i] -= step
			}
		}
		moved := th
		moved.T += 1e-3
		moved.Lambda += 1e-3
		if r := c.residual(moved); !(r >= 1e-4) {
			t.Errorf("%s: residual %g with the thresholds moved", name, r)
		}
	}
}

// TestGroupBall checks the conditions of optimality: |x| = r, and a - x = lambda times the gradient of the norm at x.
func TestGroupBall(t *testing.T) { each(t, testGroupBall[float32], testGroupBall[float64]) }

func testGroupBall[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	var w Workspace[T]
	for range draws(t, 3000) {
		a := vec.NewMatrix[T](1+rng.IntN(8), 1+rng.IntN(5))
		for i := range a.Data {
			a.Data[i] = T(rng.NormFloat64() * math.Pow(10, float64(rng.IntN(5)-2)))
		}
		q := []float64{1, 1.01, 1.5, 2, 2.5, 3, 10, 101, math.Inf(1)}[rng.IntN(9)]
		r := T(math.Pow(10, rng.Float64()*5-3))
		x := vec.NewMatrix[T](a.Rows, a.Cols)
		lambda := GroupBall(x, a, q, r, &w)
		norms, lengths := make([]float64, a.Rows), make([]float64, a.Rows)
		size := 0.0
		for j := range norms {
			norms[j], lengths[j] = norm2(a.Row(j)), norm2(x.Row(j))
			size = max(size, norms[j])
		}
		tol := 1e3 * unit[T]() * max(size, float64(r))
		if n := lqNorm(lengths, q); !(n <= float64(r)+tol) || lambda > 0 && !(n >= float64(r)-tol) {
			t.Fatalf("q=%v r=%v of %v: norm %v", q, r, a.Data, n)
		}
		off := make([]float64, a.Rows) // by Hölder's inequality lambda is the dual norm of a - x
		for j := range off {
			off[j] = norms[j] - lengths[j]
		}
		most := tol * float64(a.Rows) * (1 + min(q, 101)) * (1 + lambda/float64(r))
		if want := lqNorm(off, dual(q)); !(math.Abs(lambda-want) <= most) && q >= 2 {
			t.Fatalf("q=%v r=%v of %v: lambda %v, want %v", q, r, a.Data, lambda, want)
		}
		for j := range norms {
			want := norms[j]
			switch {
			case lambda == 0:
			case q == 1:
				want = max(0, norms[j]-lambda)
			case math.IsInf(q, 1):
				want = min(norms[j], float64(r))
			default:
				want -= lambda * math.Pow(lengths[j]/float64(r), q-1)
				want = max(0, want)
			}
			// Near the largest slope of the power a rounding of the length moves lambda's term by up to q of them.
			if !(math.Abs(lengths[j]-want) <= tol*(1+q)*(1+lambda/float64(r)) || q < 2 && lengths[j] < tol) &&
				!math.IsInf(q, 1) {
				t.Fatalf("q=%v r=%v lambda=%v: length %v of %v, want %v", q, r, lambda, lengths[j], norms[j], want)
			}
		}
		y := vec.NewMatrix[T](a.Rows, a.Cols)
		if GroupBall(y, x, q, r*T(1+1e-5), &w); !slices.Equal(y.Data, x.Data) {
			t.Fatalf("q=%v: projecting twice moves", q)
		}
	}
}

// TestPrunedIsExact: a long vector's projection is the projection of a vector too short to be pruned, with zeros around
// it.
func TestPrunedIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	var w Workspace[float64]
	for range draws(t, 300) {
		small, size := randomVector[float64](rng, 60)
		d := 64 + rng.IntN(3000)
		at := rng.Perm(d)[:len(small)]
		a, x := make([]float64, d), make([]float64, d)
		for i := range a {
			a[i] = -3*size - rng.Float64()
		}
		for i, j := range at {
			a[j] = small[i]
		}
		k, r := 1+rng.IntN(min(len(small), 16)), size*rng.ExpFloat64()
		for _, f := range []func(dst, a []float64) Thresholds{
			func(dst, a []float64) Thresholds { return TopKSimplex(dst, a, k, r, 1, &w) },
			func(dst, a []float64) Thresholds { return TopKSimplexBeta(dst, a, k, r, 1, &w) },
			func(dst, a []float64) Thresholds { return Simplex(dst, a, AtMost, r, &w) },
		} {
			y := make([]float64, len(small))
			want, got := f(y, small), f(x, a)
			if slices.Max(small) < -2*size {
				continue
			}
			for i, j := range at {
				if math.Abs(x[j]-y[i]) > 1e-13*size && got.U == want.U {
					t.Fatalf("k=%d r=%v d=%d: x = %v, want %v", k, r, d, x[j], y[i])
				}
			}
		}
	}
}

func TestKnapsackErrors(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	a, x := []float64{1, 2}, make([]float64, 2)
	for _, c := range []struct {
		l, u, r float64
		rel     Relation
		want    string
	}{
		{1, 0, 1, Equal, "bounds 1 and 0, want l <= u"},
		{nan, 0, 1, Equal, "bounds NaN and 0"},
		{0, 1, nan, Equal, "r = NaN is not finite"},
		{0, 1, inf, AtMost, "r = +Inf is not finite"},
		{0, 1, 3, Equal, "2 elements between 0 and 1 cannot sum to 3"},
		{2, 3, 1, AtMost, "2 elements between 2 and 3 cannot sum to 1"},
	} {
		if _, err := Knapsack(x, a, c.l, c.u, c.rel, c.r, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
		if _, err := WeightedKnapsack(x, a, []float64{1, 1}, []float64{c.l, c.l}, []float64{c.u, c.u}, c.rel, c.r,
			nil); err == nil {
			t.Errorf("%+v: no error with weights", c)
		}
	}
}

// TestSetsCounts: elements at the bound U, and between.
func TestSetsCounts(t *testing.T) {
	for _, d := range []int{2, 20, 50, 200, 700} {
		a, x := make([]float64, d), make([]float64, d)
		for i := range a {
			a[i] = -float64(i)
		}
		a[0] = 5
		check := func(name string, th Thresholds, u float64, want Counts) {
			t.Helper()
			if th.Counts != want || th.U != u || x[0] != min(u, 1) {
				t.Errorf("%s, d=%d, u=%v: %+v, x[0] = %v, want %+v", name, d, u, th, x[0], want)
			}
		}
		check("Simplex", Simplex(x, a, Equal, 1, nil), 1, Counts{Cap: 1})
		check("Simplex, AtMost", Simplex(x, a, AtMost, 1, nil), 1, Counts{Cap: 1})
		for u, want := range map[float64]Counts{math.Inf(1): {Mid: 1}, 3: {Mid: 1}, 1: {Cap: 1},
			0.75: {Cap: 1, Mid: 1}} {
			th, _ := Knapsack(x, a, 0, u, Equal, 1, nil)
			check("Knapsack", th, u, want)
		}
	}
}

func TestSetsAllocs(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	var w Workspace[float32]
	a, x, b, l, u := make([]float32, 200), make([]float32, 200), make([]float32, 200), make([]float32, 200),
		make([]float32, 200)
	for i := range a {
		a[i], b[i], u[i] = float32(rng.NormFloat64()), 1, 1
	}
	m, y := vec.MatrixOf(10, 20, a), vec.MatrixOf(10, 20, x)
	run := func() {
		Simplex(x, a, Equal, 1, &w)
		Simplex(x, a, AtMost, 1, &w)
		Knapsack(x, a, 0, 0.5, Equal, 1, &w)
		WeightedKnapsack(x, a, b, l, u, Equal, 1, &w)
		L1Ball(x, a, 1, &w)
		L2Ball(x, a, 1)
		Box(x, a, 0, 1)
		Orthant(x, a, 1, &w)
		GroupBall(y, m, 3, 1, &w)
		EntropySimplex(x, a, 1, 1, &w)
		TopKEntropy(x, a, 5, 1, 1, 0.1, &w)
		TopKSimplexSmooth(x, a, 5, 1, 1, 1, &w)
		Rows(y, m, nil, func(dst, a []float32) Thresholds { return TopKSimplex(dst, a, 5, 1, 1, &w) })
	}
	run()
	if n := prove.Allocs(20, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestRows(t *testing.T) {
	var w Workspace[float64]
	a := vec.MatrixOf(2, 3, []float64{3, 2, 1, -1, 0.2, 0.1})
	th := make([]Thresholds, 2)
	Rows(a, a, th, func(dst, a []float64) Thresholds { return Simplex(dst, a, AtMost, 1, &w) })
	if want := []float64{1, 0, 0, 0, 0.2, 0.1}; !slices.Equal(a.Data, want) || th[0].Lambda != 2 || th[1].Lambda != 0 {
		t.Errorf("%v %+v", a.Data, th)
	}
}
