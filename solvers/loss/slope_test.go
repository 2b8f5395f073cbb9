package loss

import (
	"math"
	"math/rand/v2"
	"testing"
)

// at returns the value of the slope at a score that is no kink.
func (s *Slope) at(score float64) float64 {
	line := s.Left
	for _, k := range s.Kinks {
		if score > k.At {
			line.A, line.B = line.A+k.More.A, line.B+k.More.B
		}
	}
	return line.A + line.B*score
}

// TestDerivatives: Slope and Curve are the derivatives of the losses, and the second one is the first one's.
func TestDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(111, 112))
	const h = 1e-6
	for _, l := range []Loss[float64]{LabelHinge[float64]{}, SquaredHinge[float64]{}, OneClass[float64]{},
		EpsilonInsensitive[float64]{someTargets}, SquaredEpsilonInsensitive[float64]{someTargets},
		Logistic[float64]{}} {
		sloped, isSloped := l.(Sloped)
		curved, isCurved := l.(Curved)
		if isSloped == isCurved {
			t.Fatalf("%s is Sloped: %t, Curved: %t", l.Traits().Name, isSloped, isCurved)
		}
		for range 500 {
			w := Workspace[float64]{Example: rng.IntN(2000)}
			y, isTrue := []int{}, rng.IntN(2) == 0
			if isTrue {
				y = append(y, 0)
			}
			s, r := 3*rng.NormFloat64(), rng.ExpFloat64()
			phi := func(s float64) float64 { return l.Primal([]float64{s}, y, &w) }
			var slope, low, high float64
			if isSloped {
				of := sloped.Slope(w.Example, isTrue)
				slope = of.at(s)
				low, high = of.Interval(r)
				if math.Abs(s-of.Kinks[0].At) < h || math.Abs(s-of.Kinks[1].At) < h {
					continue
				}
			} else {
				var bend float64
				slope, bend = curved.Curve(s, isTrue)
				left, _ := curved.Curve(s-h, isTrue)
				right, _ := curved.Curve(s+h, isTrue)
				if want := (right - left) / (2 * h); math.Abs(bend-want) > 1e-8 {
					t.Fatalf("%s, true %t at %v: second derivative %v, want %v", l.Traits().Name, isTrue, s, bend, want)
				}
				from, _ := curved.Curve(math.Inf(-1), isTrue)
				to, flat := curved.Curve(math.Inf(1), isTrue)
				if low, high = -r*to, -r*from; flat != 0 {
					t.Fatalf("%s, true %t: second derivative %v at infinity", l.Traits().Name, isTrue, flat)
				}
			}
			if want := (phi(s+h) - phi(s-h)) / (2 * h); math.Abs(slope-want) > 1e-7*(1+math.Abs(s)) {
				t.Fatalf("%s, true %t at %v: derivative %v, want %v", l.Traits().Name, isTrue, s, slope, want)
			}
			if a := -r * slope; a < low || a > high {
				t.Fatalf("%s, true %t at %v: dual variable %v outside of [%v, %v]", l.Traits().Name, isTrue, s, a, low,
					high)
			}
			for _, end := range []float64{low, high} { // nothing beyond is in the domain
				if math.IsInf(end, 0) {
					continue
				}
				a := []float64{end + math.Copysign(.1*r, end-(max(low, -1e9)+min(high, 1e9))/2)}
				outside := a[0]
				if l.Repair(a, y, r, &w); math.Abs(a[0]-end) > 1e-15*r {
					t.Fatalf("%s, true %t: %v is moved to %v, want %v", l.Traits().Name, isTrue, outside, a[0], end)
				}
			}
		}
	}
}
