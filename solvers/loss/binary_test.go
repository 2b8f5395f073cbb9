package loss

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestBinary: what is computed of many examples at once is what the loss says of each, up to some ten roundings; at 0
// to the bit.
func TestBinary(t *testing.T) {
	rng := prove.Rand(61)
	prove.Tiers(func(tier cpu.Tier) {
		for _, l := range []Loss[float64]{LabelHinge[float64]{}, SquaredHinge[float64]{}, Logistic[float64]{}} {
			b, name := BinaryOf(l), l.Traits().Name
			for n := range BinaryAtOnce + 1 {
				ts, a, x, r := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
				for k := range n {
					ts[k] = []float64{0, rng.NormFloat64(), 40 * rng.NormFloat64(), 1}[rng.IntN(4)]
					r[k] = math.Exp(3 * rng.NormFloat64())
					a[k] = r[k] * []float64{0, 1, rng.Float64(), math.Exp(-40 * rng.Float64()), 2, -1}[rng.IntN(6)]
				}
				copy(x, a)
				phi, terms := make([]float64, n), make([]float64, n)
				b.Primal(phi, ts)
				b.Dual(terms, x, r)
				var w Workspace[float64]
				for k := range n {
					s, one := ts[k:k+1], []float64{a[k]}
					l.Repair(one, []int{0}, r[k], &w)
					want, wantTerm := l.Primal(s, []int{0}, &w), l.Dual(one, []int{0}, r[k], &w)
					exact := ts[k] == 0
					if off := math.Abs(phi[k] - want); !(off <= 0x1p-49*want) || exact && off > 0 {
						t.Fatalf("%v, %s: loss %v at %v, want %v", tier, name, phi[k], ts[k], want)
					}
					exact = one[0] == 0
					off, bound := math.Abs(terms[k]-wantTerm), 0x1p-49*(math.Abs(wantTerm)+x[k])
					if x[k] != one[0] || !(off <= bound) || exact && off > 0 {
						t.Fatalf("%v, %s: from %v of %v to %v, term %v, want %v, %v", tier, name, a[k], r[k], x[k],
							terms[k], one[0], wantTerm)
					}
				}
			}
		}
	})
	costs := LabelHinge[float64]{someLabels[float64]()}
	if BinaryOf[float64](costs) != nil || BinaryOf[float64](OneClass[float64]{}) != nil {
		t.Error("another loss counts as one of two classes")
	}
}

// TestBinaryAllocs: nothing is allocated.
func TestBinaryAllocs(t *testing.T) {
	b, x, r := BinaryOf[float64](Logistic[float64]{}), make([]float64, 100), make([]float64, 100)
	for k := range r {
		x[k], r[k] = .5, 1
	}
	if n := prove.Allocs(10, func() { b.Primal(x, x); b.Dual(x, x, r) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
