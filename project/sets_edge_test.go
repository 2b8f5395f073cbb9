package project

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestSetsNotFinite: NaN and infinities give NaN, or the limit where there is one; nothing hangs.
func TestSetsNotFinite(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	long := slices.Repeat([]float64{1, -2, 0.5}, 50)
	for _, bad := range []float64{nan, inf, -inf} {
		for _, base := range [][]float64{{1, 2, 3}, long, {0}} {
			a := slices.Clone(base)
			a[len(a)/2] = bad
			x := make([]float64, len(a))
			all := func(name string, want func(float64) bool) {
				t.Helper()
				if i := slices.IndexFunc(x, func(v float64) bool { return !want(v) }); i >= 0 {
					t.Errorf("%s with %v among %d: x[%d] = %v", name, bad, len(a), i, x[i])
				}
			}
			isNaN := func(v float64) bool { return v != v }
			number := func(v float64) bool { return v-v == 0 }
			limit := isNaN
			if bad == -inf && len(a) > 1 {
				limit = number
			}
			for _, rel := range []Relation{Equal, AtMost} {
				Simplex(x, a, rel, 1, nil)
				if len(a) > 1 {
					all("Simplex", limit)
				}
				Knapsack(x, a, 0, 2, rel, 1, nil)
				if len(a) > 1 {
					all("Knapsack", func(v float64) bool { return v != v || number(v) })
				}
			}
			L1Ball(x, a, 1, nil)
			all("L1Ball", isNaN)
			L2Ball(x, a, 1)
			all("L2Ball", isNaN)
			EntropySimplex(x, a, 1, 1, nil)
			all("EntropySimplex", isNaN)
			TopKEntropy(x, a, 1, 1, 1, 1, nil)
			all("TopKEntropy", isNaN)
			Box(x, a, -1, 1)
			if v := x[len(a)/2]; bad == bad && math.Abs(v) != 1 || bad != bad && v == v {
				t.Errorf("Box: %v of %v", v, bad)
			}
		}
	}
}

// TestKnapsackUnreachable: where the finite elements cannot hold the sum there is no limit.
func TestKnapsackUnreachable(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		r, l, u float64
		want    []float64 // nil: NaN
	}{
		{1.5, 0, 1, []float64{1, 0, 0.5}}, {2, 0, 1, []float64{1, 0, 1}}, {2.5, 0, 1, nil}, {1.5, -1, 1, nil},
		{0.5, -1, 1, []float64{1, -1, 0.5}},
		{9, 0, inf, []float64{5, 0, 4}}, {0, 0, 1, []float64{0, 0, 0}}, {3, 0, 1, nil}, {2.25, 0, 0.75, nil},
	} {
		x := make([]float64, 3)
		th, err := Knapsack(x, []float64{4, -inf, 3}, c.l, c.u, Equal, c.r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.want == nil {
			if th.T == th.T || slices.ContainsFunc(x, func(v float64) bool { return v == v }) {
				t.Errorf("%+v: %v, %+v", c, x, th)
			}
		} else if !slices.Equal(x, c.want) {
			t.Errorf("%+v: %v, %+v", c, x, th)
		}
	}
}

// TestKnapsackFull: r is as many caps as there are positive elements, up to rounding. The multiplier is none the less
// the multiplier of a bound that need not bind.
func TestKnapsackFull(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	var w Workspace[float64]
	for _, d := range []int{10, 20, 60, 300, 1500} {
		for range 100 {
			a, x := make([]float64, d), make([]float64, d)
			positive := 0
			for i := range a {
				if a[i] = rng.NormFloat64(); a[i] > 0 {
					positive++
				}
			}
			r := 1e-6 * rng.Float64()
			u := r / float64(positive)
			th, err := Knapsack(x, a, 0, u, AtMost, r, &w)
			if v := ResidualKnapsack(a, x, 0, u, AtMost, r, th); err != nil || !(v <= 0x1p-50) {
				t.Fatalf("d=%d, %d positive, r=%v, u=%v: residual %v, %v, %+v", d, positive, r, u, v, err, th)
			}
		}
	}
}

// TestKnapsackRounded: d elements of at most u = r/d, as division rounds it, have a sum of r: all are u. The same holds
// where each is at least r/d.
func TestKnapsackRounded(t *testing.T) {
	t.Run("float32", knapsackRounded[float32])
	t.Run("float64", knapsackRounded[float64])
}

func knapsackRounded[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	short := 0 // how often d u < r: what was refused
	for _, d := range []int{1, 2, 3, 5, 7, 10, 41, 60, 130, 301, 1500} {
		for trial := range 100 {
			a, x, ones := make([]T, d), make([]T, d), make([]T, d)
			l, u, most := make([]T, d), make([]T, d), 0.0
			for i := range a {
				a[i], ones[i] = T(10*rng.NormFloat64()), 1
				most = max(most, math.Abs(float64(a[i])))
			}
			r := T(rng.Float64())
			bound := r / T(d)
			if float64(d)*float64(bound) < float64(r) {
				short++
			}
			low, high := T(0), bound
			if trial%2 == 1 {
				low, high = bound, 2*bound
			}
			for i := range l {
				l[i], u[i] = low, high
			}
			th, err := Knapsack(x, a, low, high, Equal, r, nil)
			near := func(name string) {
				t.Helper()
				for i, v := range x { // a_i - t is rounded
					tol := 0x1p-50*(most+math.Abs(th.T))*float64(d) + float64(d)*rounding[T]()*float64(bound)
					if !(math.Abs(float64(v-bound)) <= tol) {
						t.Fatalf("%s: d=%d, r=%v: element %d is %v, want %v: %+v", name, d, r, i, v, bound, th)
					}
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			near("Knapsack")
			if th, err = WeightedKnapsack(x, a, ones, l, u, Equal, r, nil); err != nil {
				t.Fatal(err)
			}
			near("WeightedKnapsack")
			if _, err = Knapsack(x, a, 0, bound, Equal, r*(1+T(16*rounding[T]())), nil); err == nil {
				t.Fatalf("d=%d: a sum of %v above %v is taken", d, r*(1+T(16*rounding[T]())), r)
			}
		}
	}
	if short == 0 {
		t.Error("no r/d was rounded down")
	}
}
