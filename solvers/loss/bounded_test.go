package loss

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestBounded: Repair leaves a block with the right signs and sizes as it is where these are all there is to the
// domain, or where Within says so, which sets the entry of the true class to Repair's, to the bit. In float64 Within
// knows all blocks of K = 1 but those next to the end of the simplex.
func TestBounded(t *testing.T) {
	t.Run("float64", testBounded[float64])
	t.Run("float32", testBounded[float32])
}

func testBounded[T vec.Float](t *testing.T) {
	var inside, outside int
	trials(35, 4000, func(rng *rand.Rand, c trial[T]) {
		l, ok := c.Loss.(Bounded[T])
		if !ok {
			return
		}
		a, most, r := slices.Clone(c.a), make([]T, len(c.a)), c.r
		if rng.IntN(2) == 0 { // somewhat beyond, or not
			for j := range a {
				a[j] *= T(1 + .5*rng.Float64())
			}
		}
		all := l.Bounds(most, r)
		for j, v := range a {
			a[j] = min(max(v, -most[j]), most[j])
		}
		repaired := slices.Clone(a)
		c.Repair(repaired, c.y, r, c.w)
		if all {
			if !slices.Equal(repaired, a) {
				t.Fatalf("%v: %v within %v is repaired to %v", c, a, most, repaired)
			}
			return
		}
		if l.Within(a, c.y, r) {
			inside++
			if !slices.Equal(repaired, a) {
				t.Fatalf("%v: %v is said to be within, and repaired to %v", c, a, repaired)
			}
			return
		}
		outside++
		if kOf(c.Loss) == 1 && !(float64(a[c.y[0]]) > r*(1-1e-6)) {
			t.Fatalf("%v: %v is within, and is said not to be", c, a)
		}
	})
	if inside < 20 || outside < 20 {
		t.Errorf("%d blocks within, %d not", inside, outside)
	}
}

// TestWithinRounded: where the sum of the others rounds up, Repair rounds it down, at times by more than to the number
// next to it. An element above that is lowered, and the block is not within.
func TestWithinRounded(t *testing.T) {
	const ulp = 0x1p-23
	l, lowered := TopKEntropy[float32]{K: 1}, 0
	for k := range 8 {
		x := float32(1 + float64(k)/8 + ulp)
		for _, tiny := range []float32{.2 * ulp, .6 * ulp, .9 * ulp} {
			a := []float32{0, -x, -tiny}
			repaired := slices.Clone(a)
			l.Repair(repaired, []int{0}, 4, &Workspace[float32]{})
			switch within := l.Within(a, []int{0}, 4); {
			case repaired[1] != -x:
				if lowered++; within {
					t.Errorf("%v is said to be within, and repaired to %v", a, repaired)
				}
			case within && !slices.Equal(repaired, a):
				t.Errorf("%v is said to be within, and repaired to %v", a, repaired)
			}
		}
	}
	if lowered == 0 {
		t.Error("no element was lowered")
	}
}

// kOf returns K of a loss in float64.
func kOf(l any) int {
	switch l := l.(type) {
	case TopKHinge[float64]:
		return l.K
	case TopKUsunier[float64]:
		return l.K
	case TopKEntropy[float64]:
		return l.K
	}
	return 0
}

// TestSumWithout: to the bit the sum of a copy without the element, wherever that is.
func TestSumWithout(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 37))
	for m := 1; m <= 40; m++ {
		for y := range m {
			a := make([]float64, m)
			for j := range a {
				a[j] = rng.NormFloat64()
			}
			a[y] = math.NaN()
			want := sum(slices.Delete(slices.Clone(a), y, y+1))
			if got := sumWithout(a, y); got != want {
				t.Fatalf("%d of %d: %v, want %v", y, m, got, want)
			}
		}
	}
}
