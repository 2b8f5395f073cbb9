package loss

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestVisit holds Visit of every loss to its contract, three times in turn as a solver would, W changing between.
func TestVisit(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testVisit[float64](t, 1e-12) })
	t.Run("float32", func(t *testing.T) { testVisit[float32](t, 3e-6) })
}

// slack bounds the error of the gap and of the dual term of a loss that is a sum over labels: its visits compute these
// in T. A label with margin u adds, in the notation of package loss, (r v + |a|) |q| at most, where |q| <= u + |s|, and
// for the square r v (|q| + |a|/(2 r v))² + |a| |q|. Each is a product of some four roundings, and so is each term of
// the dual; m of them are summed.
func (c trial[T]) slack() float64 {
	if !c.Traits().Separable {
		return 0
	}
	sum := 0.0
	for j, v := range c.a {
		a, weight, q := math.Abs(float64(v)), c.r, 1+math.Abs(float64(c.s[j]))
		if l := c.costs(); l != nil {
			margin, _ := someMargin(0, j)
			weight, q = c.r*l[j], math.Abs(margin)+math.Abs(float64(c.s[j]))
		}
		if c.Traits().Name == "logistic" {
			weight, q = c.r*costOf(c.costs(), j), 1+math.Abs(float64(c.s[j]))
		}
		sum += (weight+a)*q + a
		if c.Traits().Name == "squared hinge" {
			sum += weight * (q + a/(2*weight)) * (q + a/(2*weight))
		}
	}
	return float64(len(c.a)+6) * unit[T]() * sum
}

// costs are the costs of someLabels, nil where the loss has none.
func (c trial[T]) costs() []float64 {
	switch l := c.Loss.(type) {
	case LabelHinge[T]:
		if l.Label != nil {
			return l.Costs
		}
	case Logistic[T]:
		if l.Label != nil {
			return l.Costs
		}
	case SquaredHinge[T]:
		if l.Label != nil {
			return l.Costs
		}
	}
	return nil
}

func testVisit[T vec.Float](t *testing.T, eps float64) {
	trials(21, 2000, func(rng *rand.Rand, c trial[T]) {
		delta := make([]T, len(c.a), len(c.a)+8*rng.IntN(2))
		for range 3 {
			before, old, scale := c.String(), slices.Clone(c.a), c.scale()
			c.w.Zero = vec.AbsSum(wide(c.a)) == 0 // changes no answer
			term := c.Dual(c.a, c.y, c.r, c.w)

			// Of the gap the inner product is the part in T: m products and sums round to unit/2 each. The rest is in
			// float64: some m sums of numbers up to scale.
			want, sum := c.r*c.Primal(c.s, c.y, c.w)-term, 0.0
			for j, v := range c.a {
				want += float64(v) * float64(c.s[j])
				sum += math.Abs(float64(v) * float64(c.s[j]))
			}
			m := float64(len(c.a))
			bound := unit[T]()*m*sum + 0x1p-50*m*(scale+c.r*c.Primal(c.s, c.y, c.w)+math.Abs(term)+sum)
			slack := c.slack()
			bound += slack
			gap, _, _ := c.Visit(c.a, c.s, c.y, c.h, c.r, term, math.Inf(1), delta, c.w)
			if !(math.Abs(gap-want) <= bound) {
				t.Fatalf("%s: gap %v, want %v within %v", before, gap, want, bound)
			}
			for _, least := range []float64{gap, math.Inf(1), math.NaN()} {
				same, after, moved := c.Visit(c.a, c.s, c.y, c.h, c.r, term, least, delta, c.w)
				if same != gap || after != term || moved || !slices.Equal(c.a, old) {
					t.Fatalf("%s: gap %v of at least %v: moved %t to %v, %v", before, same, least, moved, c.a, after)
				}
			}
			for j := range delta {
				delta[j] = 7
			}
			_, after, moved := c.Visit(c.a, c.s, c.y, c.h, c.r, term, math.Nextafter(gap, math.Inf(-1)), delta, c.w)
			gain, zero := after-term, true
			for j, d := range delta {
				if d != c.a[j]-old[j] {
					t.Fatalf("%s: moved to %v by %v", before, c.a, delta)
				}
				zero = zero && d == 0
				gain -= float64(d) * (float64(c.s[j]) + c.h/2*float64(d))
			}
			if moved == zero {
				t.Fatalf("%s: moved %t by %v", before, moved, delta)
			}
			if !(gain >= -eps*max(scale, c.scale())) {
				t.Fatalf("%s: the dual falls by %g at %v", before, -gain, c.a)
			}
			size := max(c.r, vec.AbsSum(wide(c.a))/2)
			bound = 0x1p-50*m*size + c.slack()
			if c.Traits().AllMove && len(c.y) == 1 {
				// r p log p has the slope r (1 + log p), and p is 1 less a sum of m terms up to 1.
				p := max(float64(c.a[c.y[0]]), 0)/c.r - 1
				bound += 0x1p-52 * m * c.r * math.Abs(math.Log(max(-p, 0x1p-53)))
			}
			if dual := c.Dual(c.a, c.y, c.r, c.w); math.Abs(after-dual) > bound {
				t.Fatalf("%s: dual term %v, want %v", before, after, dual)
			}
			c.inDomain(t, before, eps)
			for j, d := range delta {
				c.s[j] += T(c.h) * d
			}
			c.s[rng.IntN(len(c.s))] += T(rng.NormFloat64()) // by the moves of other examples
		}
	})
}

// inDomain asks that a is in the domain: within the rounding of T, and in float64 once it is repaired, which moves it
// no further.
func (c trial[T]) inDomain(t *testing.T, before string, eps float64) {
	t.Helper()
	exact := wide(c.a)
	if d := c.outside(exact, c.y, c.r); !(d <= 2*eps) {
		t.Fatalf("%s: %v is outside by %g", before, c.a, d)
	}
	var w Workspace[float64]
	c.wide.Repair(exact, c.y, c.r, &w)
	for j, v := range exact {
		if math.Abs(v-float64(c.a[j])) > 2*eps*c.r {
			t.Fatalf("%s: repaired %v to %v", before, c.a, exact)
		}
	}
	if d := c.outside(exact, c.y, c.r); !(d <= 1e-14*float64(len(exact))) {
		t.Fatalf("%s: repaired %v is outside by %g", before, exact, d)
	}
}

// TestVisitNaN: a score of NaN is a gap of NaN, and nothing moves.
func TestVisitNaN(t *testing.T) {
	trials(23, 500, func(rng *rand.Rand, c trial[float64]) {
		old, term := slices.Clone(c.a), c.Dual(c.a, c.y, c.r, c.w)
		c.s[rng.IntN(len(c.s))] = math.NaN()
		gap, after, moved := c.Visit(c.a, c.s, c.y, c.h, c.r, term, math.Inf(-1), make([]float64, len(c.a)), c.w)
		if !math.IsNaN(gap) || after != term || moved || !slices.Equal(c.a, old) {
			t.Fatalf("%v: gap %v, moved %t from %v", c, gap, moved, old)
		}
	})
}

// TestVisitKeepsToDelta: a visit writes no more than the capacity of delta, and what it writes behind the last class is
// 0.
func TestVisitKeepsToDelta(t *testing.T) {
	trials(25, 200, func(_ *rand.Rand, c trial[float32]) {
		m := len(c.a)
		memory := make([]float32, m+16)
		for _, capacity := range []int{m, m + 8} {
			for j := range memory {
				memory[j] = 7
			}
			optimize(c.Loss, c.a, c.s, c.y, float32(c.h), c.r, memory[:m:capacity], c.w)
			for j, v := range memory[m:] {
				if v != 7 && (v != 0 || m+j >= capacity) {
					t.Fatalf("%v: wrote %v at %d of a capacity of %d", c, v, m+j, capacity)
				}
			}
		}
	})
}

// TestAllMove: in some visit a class stays, unless the loss says that all move.
func TestAllMove(t *testing.T) {
	stay := map[string]bool{}
	trials(27, 500, func(_ *rand.Rand, c trial[float64]) {
		delta := make([]float64, len(c.a))
		if optimize(c.Loss, c.a, c.s, c.y, c.h, c.r, delta, c.w) && slices.Contains(delta, 0) {
			stay[c.Traits().Name] = true
		}
	})
	for _, e := range entries[float64](1) {
		if traits := e.Traits(); stay[traits.Name] == traits.AllMove {
			t.Errorf("%s: a class that stays: %t, yet AllMove is %t", traits.Name, stay[traits.Name], traits.AllMove)
		}
	}
}

func TestVisitAllocs(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, k := range []int{1, 5, 40} {
		for _, e := range entries[float32](k) {
			var w Workspace[float32]
			y, s, a, delta := []int{7}, draw[float32](rng, 50, 1), make([]float32, 50), make([]float32, 50)
			if e.Traits().Sets {
				y = []int{7, 12}
			}
			if n := prove.Allocs(10, func() {
				clear(a)
				e.Visit(a, s, y, 2, 1, e.Dual(a, y, 1, &w), 0, delta, &w)
			}); n != 0 {
				t.Errorf("%s: %v allocations", e.label(), n)
			}
		}
	}
}

// TestVisitTrueClassAlone: a move of the entry of the true class alone, by which rounding was off, is a move.
func TestVisitTrueClassAlone(t *testing.T) {
	var w Workspace[float64]
	l, s, y, delta := TopKHinge[float64]{K: 2}, []float64{50, 0, 60, 70}, []int{1}, make([]float64, 4)
	a := make([]float64, 4)
	optimize(l, a, s, y, 1, 1, delta, &w)
	want := a[1]
	a[1] = math.Nextafter(want, 2)
	moved := optimize(l, a, s, y, 1, 1, delta, &w)
	if !moved || a[1] != want || delta[1] >= 0 || delta[0] != 0 || delta[2] != 0 {
		t.Errorf("moved %t to %v by %v, want %v for class 1 again", moved, a, delta, want)
	}
}
