package loss

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// someTargets go by steps of 0.25, so that deviations of exactly epsilon occur: 2000 of one example, or of as many
// examples.
var someTargets = makeTargets()

func makeTargets() *Targets {
	t := &Targets{Epsilon: .25}
	for c := range 2000 {
		t.Y = append(t.Y, float64(c%7)/4-.5)
	}
	return t
}

// eitherSign draws a block with |a_c| <= r.
func eitherSign(rng *rand.Rand, m int, _ []int, r float64) []float64 {
	a := make([]float64, m)
	for c := range a {
		a[c] = r * []float64{0, 1, -1, 2*rng.Float64() - 1}[rng.IntN(4)]
	}
	return a
}

func beyond(a []float64, _ []int, r float64) float64 {
	most := 0.0
	for _, v := range a {
		most = max(most, math.Abs(v))
	}
	return most/r - 1
}

// plainTargets is the dual term of example 0.
func plainTargets(square bool) func(a []float64, y []int, r float64) float64 {
	return func(a []float64, _ []int, r float64) (sum float64) {
		for c, v := range a {
			sum += someTargets.Y[c]*v - someTargets.Epsilon*math.Abs(v)
			if square {
				sum -= v * v / (4 * r)
			}
		}
		return sum
	}
}

// TestTargetsOfExamples: the targets belong to the example that the workspace names; without any they are 0.
func TestTargetsOfExamples(t *testing.T) {
	w := Workspace[float64]{Example: 5} // of 3 outputs: targets 15, 16, 17
	s, a := []float64{1, 2, -3}, []float64{.5, -1, 0}
	y, free := someTargets.Y[15:18], someTargets.Epsilon
	want, wantDual, wantSquare := 0.0, 0.0, 0.0
	for c := range s {
		off := max(0, math.Abs(s[c]-y[c])-free)
		want, wantSquare = want+off, wantSquare+off*off
		wantDual += y[c]*a[c] - free*math.Abs(a[c])
	}
	if got := (EpsilonInsensitive[float64]{someTargets}).Primal(s, nil, &w); got != want {
		t.Errorf("loss %v, want %v", got, want)
	}
	if got := (SquaredEpsilonInsensitive[float64]{someTargets}).Primal(s, nil, &w); got != wantSquare {
		t.Errorf("squared loss %v, want %v", got, wantSquare)
	}
	if got := (EpsilonInsensitive[float64]{someTargets}).Dual(a, nil, 2, &w); got != wantDual {
		t.Errorf("dual term %v, want %v", got, wantDual)
	}
	var none EpsilonInsensitive[float64]
	if got := none.Primal(s, nil, &w); got != 6 {
		t.Errorf("without targets %v, want 6", got)
	}
	if got := (EpsilonInsensitive[float64]{&Targets{Epsilon: 1}}).Primal(s, nil, &w); got != 3 {
		t.Errorf("with epsilon alone %v, want 3", got)
	}
}

// TestInsensitiveVisit: a visit goes where a search over the interval finds the maximum.
func TestInsensitiveVisit(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	for range 300 {
		var w Workspace[float64]
		w.Example = rng.IntN(2000)
		r, h := math.Exp(rng.NormFloat64()), math.Exp(2*rng.NormFloat64())
		s, from := []float64{3 * rng.NormFloat64()}, float64(r*(2*rng.Float64()-1)) // no FMA of it
		y := someTargets.Y[w.Example]
		for _, square := range []bool{false, true} {
			var l Loss[float64] = EpsilonInsensitive[float64]{someTargets}
			value := func(x float64) float64 {
				v := y*x - .25*math.Abs(x) - s[0]*(x-from) - h/2*(x-from)*(x-from)
				if square {
					v -= x * x / (4 * r)
				}
				return v
			}
			low, high := -r, r
			if square {
				l, low, high = SquaredEpsilonInsensitive[float64]{someTargets}, -1e3, 1e3
			}
			a, delta := []float64{from}, []float64{0}
			_, after, _ := l.Visit(a, s, nil, h, r, l.Dual(a, nil, r, &w), math.Inf(-1), delta, &w)
			for range 200 { // a concave function of one variable
				if a, b := low+(high-low)/3, high-(high-low)/3; value(a) < value(b) {
					low = a
				} else {
					high = b
				}
			}
			if best := value((low + high) / 2); !(value(a[0]) >= best-1e-12*(1+math.Abs(best))) {
				t.Fatalf("square %t, r %v, h %v, s %v, y %v: from %v to %v, worth %v, but %v at %v", square, r, h, s, y,
					from, a[0], value(a[0]), best, low)
			}
			if got := l.Dual(a, nil, r, &w); got != after {
				t.Errorf("term %v, told %v", got, after)
			}
			if vec.AbsSum(a) > 0 && a[0]-from != delta[0] {
				t.Errorf("from %v to %v by %v", from, a[0], delta[0])
			}
		}
	}
}

// TestExcess: what is left of a difference that is rounded has the digits of the exact one, whichever side it is of.
// Its rounding is at most 2⁻⁵³ (free + |z|), a part of 2⁻²¹ of a z that is no less than 2⁻³² free, and below that it is
// taken into account.
func TestExcess(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		y := 1e6 * rng.NormFloat64()
		free := math.Abs(1e6 * rng.NormFloat64())
		s := y + free*float64(2*rng.IntN(2)-1) + []float64{0, 1e-9, 1}[rng.IntN(3)]*rng.NormFloat64()
		exact := new(big.Float).SetPrec(300).SetFloat64(s)
		exact.Abs(exact.Sub(exact, big.NewFloat(y)))
		want, _ := exact.Sub(exact, big.NewFloat(free)).Float64()
		if got := Excess(s, y, free); !(math.Abs(got-want) <= 0x1p-20*math.Abs(want)) {
			t.Fatalf("|%v - %v| - %v = %v, want %v", s, y, free, got, want)
		}
	}
	if got := Excess(math.NaN(), 1, 2); got == got {
		t.Errorf("of NaN %v", got)
	}
}
