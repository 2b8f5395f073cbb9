package loss

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestLogisticVisit: a visit ends at the root of log p - log(1-p) + t s + h r (p - p') in p = x/r, which bisection
// finds, for scores and norms of all sizes; the smaller one of p and 1-p is right to a relative error.
//
// In w = |log p - log(1-p)| the function has a slope of 1 at least, and computing it rounds its terms to u of their
// size each: that is what w may be off by, and log q by as much, besides what nearLogistic tells. Then q is rounded to
// T, or 1-q.
func TestLogisticVisit(t *testing.T) {
	prove.Both(t, testLogisticVisit[float32], testLogisticVisit[float64])
}

func testLogisticVisit[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	var w Workspace[T]
	l := Logistic[T]{}
	for range 5000 {
		r := math.Pow(2, float64(rng.IntN(20)-10))
		h := math.Pow(10, float64(rng.IntN(13)-6)) / r
		s := []T{T(math.Pow(10, float64(rng.IntN(5)-3)) * rng.NormFloat64())}
		before := T(r * []float64{0, 1, rng.Float64(), math.Pow(10, -10*rng.Float64())}[rng.IntN(4)])
		a, delta := []T{-before}, make([]T, 1)
		_, after, _ := l.Visit(a, s, nil, h, r, l.Dual(a, nil, r, &w), math.Inf(-1), delta, &w)
		c, from := h*r, float64(before)/r
		upper := float64(s[0])+c*(from-.5) > 0
		z, q0 := -float64(s[0]), from
		if upper {
			z, q0 = -z, (r-float64(before))/r
		}
		low, high := 0.0, 1000.0+c
		for range 200 {
			at := (low + high) / 2
			if at-z-c*(1/(1+math.Exp(at))-q0) < 0 {
				low = at
			} else {
				high = at
			}
		}
		want := 1 / (1 + math.Exp(low))
		x := -float64(a[0])
		got := x / r
		if upper {
			got = (r - x) / r
		}
		slope := 1 + c*want*(1-want)
		near := math.Pow(unit[T](), 1./8) // at least the kernel's
		off := 8*0x1p-52*(1+math.Abs(z)+low+c*(want+q0))/slope + near*near*near/2
		bound := want*(math.Expm1(off)+unit[T]()) + 0x1p-1000
		if upper {
			bound += unit[T]()
		}
		if !(math.Abs(got-want) <= bound) {
			t.Fatalf("s %v, x %v of %v, h %v: q = %v, want %v within %g", s[0], before, r, h, got, want, bound)
		}
		if dual := l.Dual(a, nil, r, &w); !(math.Abs(after-dual) <= 4*r*unit[T]()*(1+low)) {
			t.Fatalf("s %v, x %v of %v, h %v: dual term %v, want %v", s[0], before, r, h, after, dual)
		}
	}
}

// TestLogisticHostile: whatever the numbers, a visit ends inside of the domain, and a loss is not less than 0.
func TestLogisticHostile(t *testing.T) {
	prove.Both(t, testLogisticHostile[float32], testLogisticHostile[float64])
}

func testLogisticHostile[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 64))
	var w Workspace[T]
	l := Logistic[T]{}
	for range 20000 {
		m := 1 + rng.IntN(20)
		r, h := math.Pow(10, float64(rng.IntN(61)-30)), math.Pow(10, float64(rng.IntN(61)-30))
		y := drawSet(rng, m, true)
		s, a, delta := hostile[T](rng, m, y), narrow[T](boxes(nil)(rng, m, y, r)), make([]T, m)
		if rng.IntN(4) == 0 {
			s[rng.IntN(m)] = T(math.Inf(1 - 2*rng.IntN(2)))
		}
		l.Repair(a, y, r, &w)
		if phi := l.Primal(s, y, &w); !(phi >= 0) {
			t.Fatalf("loss %v at %v", phi, s)
		}
		l.Visit(a, s, y, h, r, l.Dual(a, y, r, &w), math.Inf(-1), delta, &w)
		for j, v := range a {
			if v-v != 0 {
				t.Fatalf("%v of label %d, at s = %v, r = %v, h = %v", v, j, s, r, h)
			}
		}
		if d := outsideBoxes(nil)(wide(a), y, r); !(d <= 0) {
			t.Fatalf("%v is outside by %g, at s = %v, r = %v, h = %v", a, d, s, r, h)
		}
		if dual := l.Dual(a, y, r, &w); !(dual >= 0) {
			t.Fatalf("dual term %v of %v, r = %v", dual, a, r)
		}
	}
}

// TestLogisticSmall: losses and entropies keep their digits where they are small, next to either end.
func TestLogisticSmall(t *testing.T) {
	var w Workspace[float64]
	l := Logistic[float64]{}
	for k := range 200 {
		small := math.Pow(2, -float64(k)/4-1)
		s := math.Log(small)
		loss, want := l.Primal([]float64{s}, nil, &w), math.Log1p(math.Exp(s))
		if !(math.Abs(loss-want) <= 0x1p-50*want) {
			t.Errorf("loss %v at %v, want %v", loss, s, want)
		}
		want = -small*math.Log(small) - (1-small)*math.Log1p(-small)
		if got := l.Dual([]float64{-4 * small}, nil, 4, &w); !(math.Abs(got-4*want) <= 0x1p-49*want) {
			t.Errorf("entropy %v of %v, want %v", got, small, 4*want)
		}
		got := l.Dual([]float64{small - 1}, nil, 1, &w)
		if 1-(1-small) == small && !(math.Abs(got-want) <= 0x1p-49*want) {
			t.Errorf("entropy %v of 1 less %v, want %v", got, small, want)
		}
	}
}

// TestLogisticMargins: there are none.
func TestLogisticMargins(t *testing.T) {
	l := Logistic[float32]{&Label[float32]{Margins: func(int, []float64, []float64) {}}}
	if _, err := l.With(1, 0); err == nil || !strings.Contains(err.Error(), "margins") {
		t.Error(err)
	}
}
