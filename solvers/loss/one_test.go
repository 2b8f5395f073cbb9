package loss

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestVisitOne: VisitOne is Visit of one output, up to the rounding of T.
func TestVisitOne(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testVisitOne[float64](t, 0x1p-50) })
	t.Run("float32", func(t *testing.T) { testVisitOne[float32](t, 0x1p-21) })
}

func testVisitOne[T vec.Float](t *testing.T, eps float64) {
	rng := rand.New(rand.NewPCG(71, 72))
	for _, l := range []Loss[T]{LabelHinge[T]{}, SquaredHinge[T]{}, Logistic[T]{}, EpsilonInsensitive[T]{someTargets},
		SquaredEpsilonInsensitive[T]{someTargets}, OneClass[T]{}} {
		one, ok := l.(One[T])
		if !ok || !one.Ones() {
			t.Fatalf("%s has no VisitOne", l.Traits().Name)
		}
		moves := 0
		for range 2000 {
			w := Workspace[T]{Example: rng.IntN(2000)}
			r, h := math.Exp(2*rng.NormFloat64()), math.Exp(2*rng.NormFloat64())
			y, isTrue := []int{}, rng.IntN(2) == 0
			if isTrue {
				y = append(y, 0)
			}
			a := []T{T(r * []float64{0, 1, -1, 2*rng.Float64() - 1}[rng.IntN(4)])}
			l.Repair(a, y, r, &w)
			s, delta := []T{T([]float64{1, -1, 0, 3 * rng.NormFloat64()}[rng.IntN(4)])}, make([]T, 1, 16)
			term, least := l.Dual(a, y, r, &w), []float64{math.Inf(-1), 0, .1, math.Inf(1)}[rng.IntN(4)]
			to, gap, after := one.VisitOne(a[0], s[0], isTrue, w.Example, h, r, term, least)
			before := a[0]
			wantGap, wantAfter, moved := l.Visit(a, s, y, h, r, term, least, delta, &w)
			if moved {
				moves++
			}
			size := 8 * (1 + math.Abs(float64(s[0]))) * (r + math.Abs(float64(before)) + (1+math.Abs(float64(s[0])))/h)
			if near := math.Abs(gap - least); near <= eps*size { // either may be more
				continue
			}
			if math.Abs(gap-wantGap) > eps*size || math.Abs(after-wantAfter) > eps*size*(1+size/r) ||
				math.Abs(float64(to-a[0])) > eps*size {
				t.Fatalf("%s, true %t, r %v, h %v, s %v, example %d, least %v: from %v to %v, gap %v, term %v, want "+
					"%v, %v, %v", l.Traits().Name, isTrue, r, h, s, w.Example, least, before, to, gap, after, a[0],
					wantGap, wantAfter)
			}
			if fixed := []T{to}; !(gap <= least) {
				l.Repair(fixed, y, r, &w)
				if fixed[0] != to {
					t.Fatalf("%s: %v is outside, want %v", l.Traits().Name, to, fixed[0])
				}
			}
		}
		if moves < 200 {
			t.Errorf("%s: %d moves", l.Traits().Name, moves)
		}
	}
	some := LabelHinge[T]{someLabels[T]()}
	if some.Ones() || (SquaredHinge[T]{someLabels[T]()}).Ones() || (Logistic[T]{someLabels[T]()}).Ones() {
		t.Error("a loss with costs has a VisitOne")
	}
}
