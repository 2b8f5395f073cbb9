package loss

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestAt: the block that scores name is in the domain, attains the equality of Fenchel and Young by the naive formulas
// of the conjugates, and -a/r is a subgradient of the loss. Scores are random, or hostile.
func TestAt(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testAt[float64](t, 1e-12) })
	t.Run("float32", func(t *testing.T) { testAt[float32](t, 3e-6) })
}

func testAt[T vec.Float](t *testing.T, eps float64) {
	moved := map[string]bool{}
	trials(51, 3000, func(rng *rand.Rand, c trial[T]) {
		if rng.IntN(3) == 0 {
			c.s = hostile[T](rng, len(c.s), c.y)
		}
		for j := range c.a {
			c.a[j] = T(rng.NormFloat64()) // nothing of it stays
		}
		s := slices.Clone(c.s)
		term := At(c.a, c.Loss, c.s, c.y, c.r, c.w)
		if want := c.Dual(c.a, c.y, c.r, c.w); term != want || !slices.Equal(s, c.s) {
			t.Fatalf("%v: term %v, want %v; scores %v, were %v", c, term, want, c.s, s)
		}
		moved[c.label()] = moved[c.label()] || vec.AbsSum(wide(c.a)) > 0
		// As after a visit, to which 50 eps of testConjugates belongs.
		exact, size := wide(c.a), max(c.r, vec.AbsSum(wide(c.a)))
		if d := c.outside(exact, c.y, c.r); !(d <= 2*eps*size/c.r) {
			t.Fatalf("%v: outside by %g", c, d)
		}
		if g := c.gap(c.a, c.s, c.y, c.r); !(math.Abs(g) <= 50*eps*c.scale()) {
			t.Fatalf("%v: gap %g, scale %g", c, g, c.scale())
		}
		// phi(q) >= phi(s) - <a/r, q - s> at any q.
		var w Workspace[float64]
		at, q, along := wide(c.s), wide(c.s), 0.0
		for j := range q {
			q[j] += rng.NormFloat64() * math.Pow(10, float64(rng.IntN(4)-3))
			along += exact[j] * (q[j] - at[j])
		}
		less := c.r*c.wide.Primal(at, c.y, &w) - along - c.r*c.wide.Primal(q, c.y, &w)
		if !(less <= 50*eps*c.scale()) {
			t.Fatalf("%v: no subgradient: at %v by %g", c, q, less)
		}
		c.wide.Repair(exact, c.y, c.r, &w)
		if d := c.outside(exact, c.y, c.r); !(d <= 1e-14*float64(len(exact))*size/c.r) {
			t.Fatalf("%v: repaired it is outside by %g", c, d)
		}
	})
	for _, e := range entries[T](1) {
		if !moved[e.label()] {
			t.Errorf("%s: no block but 0", e.label())
		}
	}
}

// hostile draws scores that are all the same, of very different sizes, or such that margins are met exactly.
func hostile[T vec.Float](rng *rand.Rand, m int, y []int) []T {
	s := make([]T, m)
	size := math.Pow(10, float64(rng.IntN(60)-30))
	kind := rng.IntN(4)
	for j := range s {
		switch kind {
		case 0: // all the same
			s[j] = T(size)
		case 1: // two sizes
			s[j] = T(size * float64(rng.IntN(3)-1))
		case 2: // the margin of a true class over a false one is 1 or 0
			s[j] = T(rng.IntN(2))
			if slices.Contains(y, j) {
				s[j] = 1
			}
		default:
			s[j] = T(math.Pow(10, float64(rng.IntN(40)-20)) * rng.NormFloat64())
		}
	}
	return s
}

// TestAtSmooth: of smooth losses At is the limit of visits from 0 as the norm of the example goes to 0, and what a
// training of one example without a regularizer to speak of ends with.
func TestAtSmooth(t *testing.T) {
	trials(53, 500, func(_ *rand.Rand, c trial[float64]) {
		switch l := c.Loss.(type) {
		case TopKHinge[float64]:
			if l.Smoothing == 0 {
				return
			}
		case TopKUsunier[float64]:
			if l.Smoothing == 0 {
				return
			}
		case Usunier[float64]:
			if l.Smoothing == 0 {
				return
			}
		case MultilabelHinge[float64], LabelHinge[float64], EpsilonInsensitive[float64]:
			return
		}
		At(c.a, c.Loss, c.s, c.y, c.r, c.w)
		const norm = 1e-7
		b, delta := make([]float64, len(c.a)), make([]float64, len(c.a))
		optimize(c.Loss, b, c.s, c.y, norm/c.r, c.r, delta, c.w)
		// In units of r the slope of the dual differs by norm |b|, and its curvature is 1/4 at least: of the entropies
		// 1, of the squares 1/2 over the cost of a label, which is up to 2.
		// A block moves by that in the 2-norm: the entry of a true class, the sum of the others, by sqrt(m) times that.
		size := vec.AbsSum(c.a)
		for j, v := range b {
			bound := 4*norm*size + 1e-7*c.r
			if !c.Traits().Sets && j == c.y[0] {
				bound *= math.Sqrt(float64(len(b)))
			}
			if !(math.Abs(v-c.a[j]) <= bound) {
				t.Fatalf("%v: %v, but by a visit %v", c, c.a, b)
			}
		}
	})
}

// foreign hides what a loss has besides the methods of Loss.
type foreign[T vec.Float] struct{ Loss[T] }

// TestAtForeign: of a loss that has no closed form the gap is as small as At says: h/2 |a|², h = sqrt(u)/r, for the
// norm, and sqrt(u) times |s| r for each of m numbers and once more |s| for what such a move is worth.
func TestAtForeign(t *testing.T) {
	trials(55, 500, func(_ *rand.Rand, c trial[float64]) {
		most := 2.0 // margins too
		for _, v := range c.s {
			most = max(most, 1+math.Abs(v))
		}
		c.w.Quadratic = 7
		At(c.a, foreign[float64]{c.Loss}, c.s, c.y, c.r, c.w)
		bound := 16 * math.Sqrt(unit[float64]()) * float64(len(c.a)) * most * most * c.r
		if g := c.gap(c.a, c.s, c.y, c.r); !(math.Abs(g) <= bound) || c.w.Quadratic != 7 {
			t.Fatalf("%v: gap %g, want at most %g; quadratic %v", c, g, bound, c.w.Quadratic)
		}
	})
	for _, r := range []float64{1e-300, 1e300} {
		if h := atNorm[float32](r); float64(float32(h)) == 0 || math.IsInf(float64(float32(1/h)), 0) {
			t.Errorf("r = %v: a norm of %v", r, h)
		}
	}
}

// TestAtAllocates: nothing, once its workspace has grown.
func TestAtAllocates(t *testing.T) { prove.Both(t, testAtAllocates[float32], testAtAllocates[float64]) }

func testAtAllocates[T vec.Float](t *testing.T) {
	const m = 300
	s, a, y := draw[T](rand.New(rand.NewPCG(57, 58)), m, 2), make([]T, m), []int{5}
	var w Workspace[T]
	for _, e := range entries[T](3) {
		At(a, e.Loss, s, y, 2, &w)
		if n := prove.Allocs(20, func() { At(a, e.Loss, s, y, 2, &w) }); n > 0 {
			t.Errorf("%s: %v allocations", e.label(), n)
		}
	}
}
