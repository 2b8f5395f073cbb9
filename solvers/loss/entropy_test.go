package loss

import (
	"fmt"
	"math"
	"testing"
)

// TestDualsOfLittle: dual terms of dual variables near 0 have a small relative error. Of one class with x besides the
// true one the term over r is
//
//	-x log x - (1-x) log(1-x) = -x log x + x - x²/2 - x³/6 - ...
//
// three of whose terms are enough for x <= 1e-5. Logarithms and products are off by some units in the last place.
func TestDualsOfLittle(t *testing.T) {
	var w Workspace[float64]
	for _, r := range []float64{1e-3, 1, 1e6} {
		for x := 1e-5; x > 1e-200; x /= 7 {
			want := r * (-x*math.Log(x) + x - x*x/2 - x*x*x/6)
			a := []float64{0, r * x, -r * x}
			for _, l := range []Loss[float64]{TopKEntropy[float64]{K: 1}, TopKEntropy[float64]{K: 2},
				MultilabelSoftmax[float64]{}} {
				if got := l.Dual(a, []int{1}, r, &w); math.Abs(got-want) > 16*0x1p-53*want {
					t.Fatalf("%s, r = %v, x = %v: %v, want %v", l.Traits().Name, r, x, got, want)
				}
			}
		}
	}
	for s, want := range map[float64]float64{0: 0, .5: -math.Ln2 / 2, 1: 0, 1 + 1e-12: 0, math.NaN(): math.NaN()} {
		if got := entropyOfRest(s) + 0; fmt.Sprint(got) != fmt.Sprint(want) { // not -0
			t.Errorf("the rest of %v: %v, want %v", s, got, want)
		}
	}
}
