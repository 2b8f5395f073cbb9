package loss

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// entry is a loss, and what a naive reader of its formulas computes.
type entry[T vec.Float] struct {
	Loss[T]
	point   func(rng *rand.Rand, m int, y []int, r float64) []float64 // draws a feasible block
	outside func(a []float64, y []int, r float64) float64             // by how much a leaves the domain, relative to r
	dual    func(a []float64, y []int, r float64) float64             // -r phi*(x/r) in the domain
}

func entries[T vec.Float](k int) []entry[T] {
	alpha, beta := form[float64]{k: k, cone: true}, form[float64]{k: k}
	return []entry[T]{
		{TopKHinge[T]{K: k}, alpha.draw, alpha.outside, linear},
		{TopKUsunier[T]{K: k}, beta.draw, beta.outside, linear},
		{TopKHinge[T]{K: k, Smoothing: 0.7}, alpha.draw, alpha.outside, smooth07},
		{TopKUsunier[T]{K: k, Smoothing: 0.7}, beta.draw, beta.outside, smooth07},
		{weighted[T](k, 1, 0), ordered(k, 1).draw, ordered(k, 1).outside, linear},
		{weighted[T](k, 3, 0.7), ordered(k, 3).draw, ordered(k, 3).outside, smooth07},
		{TopKEntropy[T]{K: k}, alpha.draw, alpha.outside, entropy},
		{MultilabelHinge[T]{}, bothSides, unbalanced, linear},
		{MultilabelSoftmax[T]{}, towardsSimplex, outsideSimplex, crossEntropy},
		{SquaredHinge[T]{}, bothSides, signs, squared},
		{LabelHinge[T]{}, boxes(nil), outsideBoxes(nil), plainLabels[T](nil, false)},
		{LabelHinge[T]{someLabels[T]()}, boxes(someLabels[T]().Costs), outsideBoxes(someLabels[T]().Costs),
			plainLabels(someLabels[T](), false)},
		{Logistic[T]{}, boxes(nil), outsideBoxes(nil), entropies(nil)},
		{Logistic[T]{someCosts[T]()}, boxes(someCosts[T]().Costs), outsideBoxes(someCosts[T]().Costs),
			entropies(someCosts[T]().Costs)},
		{SquaredHinge[T]{someLabels[T]()}, bothSides, signs, plainLabels(someLabels[T](), true)},
		{EpsilonInsensitive[T]{someTargets}, eitherSign, beyond, plainTargets(false)},
		{SquaredEpsilonInsensitive[T]{someTargets}, eitherSign, func([]float64, []int, float64) float64 { return 0 },
			plainTargets(true)},
		{OneClass[T]{}, inBoxes, outsideInBoxes, func([]float64, []int, float64) float64 { return 0 }},
	}
}

// inBoxes draws a block with entries from 0 to r, whatever the true classes are.
func inBoxes(rng *rand.Rand, m int, _ []int, r float64) []float64 {
	a := make([]float64, m)
	for j := range a {
		a[j] = r * []float64{0, 1, rng.Float64()}[rng.IntN(3)]
	}
	return a
}

// outsideInBoxes asks for entries from 0 to r.
func outsideInBoxes(a []float64, _ []int, r float64) float64 {
	return max(-slices.Min(a), slices.Max(a)-r) / r
}

// label names e in messages.
func (e entry[T]) label() string { return fmt.Sprintf("%s %+v", e.Traits().Name, e.Loss) }

func (f form[T]) draw(rng *rand.Rand, m int, y []int, r float64) []float64 {
	return wide(f.point(rng, m, y[0], r))
}

// outside asks also that the entries sum to 0.
func (f form[T]) outside(a []T, y []int, r float64) float64 {
	return max(f.infeasible(a, y[0], r), math.Abs(float64(vec.Sum(a)))/r)
}

func linear(a []float64, y []int, r float64) (sum float64) {
	for _, c := range y {
		sum += a[c]
	}
	return sum
}

func smooth07(a []float64, y []int, r float64) float64 {
	return a[y[0]] - 0.7/(2*r)*(norm2(a)-a[y[0]]*a[y[0]])
}

func entropy(a []float64, y []int, r float64) float64 {
	sum := -r * plogp(1-a[y[0]]/r)
	for j, v := range a {
		if j != y[0] {
			sum -= r * plogp(-v/r)
		}
	}
	return sum
}

func squared(a []float64, y []int, r float64) float64 { return vec.AbsSum(a) - norm2(a)/(4*r) }

// bothSides draws a block with entries >= 0 for the true classes and <= 0 for the others, of equal sums up to r.
func bothSides(rng *rand.Rand, m int, y []int, r float64) []float64 {
	a, size := make([]float64, m), r*rng.Float64()
	spread(rng, a, y, size)
	spread(rng, a, others(m, y), -size)
	return a
}

// signs asks for entries >= 0 for the true classes and <= 0 for the others.
func signs(a []float64, y []int, r float64) float64 {
	least := math.Inf(1)
	for j, v := range a {
		if !slices.Contains(y, j) {
			v = -v
		}
		least = min(least, v)
	}
	return -least / r
}

func unbalanced(a []float64, y []int, r float64) float64 {
	return max(signs(a, y, r), math.Abs(vec.Sum(a))/r, linear(a, y, r)/r-1)
}

// towardsSimplex draws r (q - p), q uniform on y and p in the simplex.
func towardsSimplex(rng *rand.Rand, m int, y []int, r float64) []float64 {
	a := make([]float64, m)
	spread(rng, a, others(m, nil), -r)
	for _, c := range y {
		a[c] += r / float64(len(y))
	}
	return a
}

// simplex returns the p of a block r (q - p).
func simplex(a []float64, y []int, r float64) []float64 {
	p := make([]float64, len(a))
	for j, v := range a {
		p[j] = -v / r
	}
	for _, c := range y {
		p[c] += 1 / float64(len(y))
	}
	return p
}

func outsideSimplex(a []float64, y []int, r float64) float64 {
	return max(-slices.Min(simplex(a, y, r)), math.Abs(vec.Sum(a))/r)
}

func crossEntropy(a []float64, y []int, r float64) (sum float64) {
	for _, p := range simplex(a, y, r) {
		sum -= r * plogp(p)
	}
	return sum
}

func plogp(p float64) float64 {
	if p < 1e-300 {
		return 0
	}
	return p * math.Log(p)
}

func norm2(a []float64) (sum float64) {
	for _, v := range a {
		sum += v * v
	}
	return sum
}

func wide[T vec.Float](a []T) []float64 {
	b := make([]float64, len(a))
	for j, v := range a {
		b[j] = float64(v)
	}
	return b
}

func narrow[T vec.Float](a []float64) []T {
	b := make([]T, len(a))
	for j, v := range a {
		b[j] = T(v)
	}
	return b
}

// spread adds size to the given classes in random parts.
func spread(rng *rand.Rand, a []float64, classes []int, size float64) {
	parts, total := make([]float64, len(classes)), 0.0
	for i := range parts {
		if i == 0 || rng.IntN(3) > 0 {
			parts[i] = rng.ExpFloat64()
		}
		total += parts[i]
	}
	for i, c := range classes {
		a[c] += size * parts[i] / total
	}
}

func others(m int, y []int) (classes []int) {
	for j := range m {
		if !slices.Contains(y, j) {
			classes = append(classes, j)
		}
	}
	return classes
}

// drawSet returns the true classes: one, or any number from none to all.
func drawSet(rng *rand.Rand, m int, sets bool) []int {
	count := 1
	if sets {
		count = rng.IntN(m + 1)
	}
	y := rng.Perm(m)[:count]
	slices.Sort(y)
	return y
}

// gap is r phi + r phi* + <a,s>, by the naive formula of phi*.
func (e entry[T]) gap(a, s []T, y []int, r float64) float64 {
	var w Workspace[T]
	b := wide(a)
	g := r*e.Primal(s, y, &w) - e.dual(b, y, r)
	for j, v := range b {
		g += v * float64(s[j])
	}
	return g
}

// trial is one random problem of the tests: a loss, a block of dual variables, and an example.
type trial[T vec.Float] struct {
	entry[T]
	wide Loss[float64] // the same loss
	a, s []T
	y    []int
	h, r float64
	w    *Workspace[T]
}

func (c trial[T]) String() string {
	return fmt.Sprintf("%s y=%v r=%v h=%v s=%v a=%v", c.label(), c.y, c.r, c.h, c.s, c.a)
}

// scale bounds what is added up in a gap: r, where dual variables are bounded, times the largest number of the problem.
func (c trial[T]) scale() float64 {
	size := 1 + c.h*c.r
	for _, v := range c.s {
		size = max(size, math.Abs(float64(v)))
	}
	return size * max(c.r, vec.AbsSum(wide(c.a))/2, c.r*c.Primal(c.s, c.y, c.w)/(6*size))
}

// each of the losses, in random problems.
func trials[T vec.Float](seed uint64, count int, do func(rng *rand.Rand, c trial[T])) {
	rng := rand.New(rand.NewPCG(seed, seed+1))
	var w Workspace[T]
	if testing.Short() {
		count /= 10
	}
	for range count {
		m := 2 + rng.IntN(20)
		r := math.Pow(10, float64(rng.IntN(5)-2))
		h := float64(T(math.Pow(10, float64(rng.IntN(5)-2)) / r))
		s := draw[T](rng, m, math.Pow(10, float64(rng.IntN(3)-1)))
		k := 1 + rng.IntN(m-1)
		for i, e := range entries[T](k) {
			y := drawSet(rng, m, e.Traits().Sets)
			a := narrow[T](e.point(rng, m, y, r*(1-1e-6)))
			e.Repair(a, y, r, &w)
			do(rng, trial[T]{e, entries[float64](k)[i].Loss, a, slices.Clone(s), y, h, r, &w})
		}
	}
}

// Fenchel and Young: no feasible block beats the primal value. And a block that a visit leaves attains it, at the
// scores after the move, so that phi, phi* and the visit belong together.
func TestConjugates(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testConjugates[float64](t, 1e-12) })
	t.Run("float32", func(t *testing.T) { testConjugates[float32](t, 3e-6) })
}

func testConjugates[T vec.Float](t *testing.T, eps float64) {
	trials(13, 4000, func(_ *rand.Rand, c trial[T]) {
		if g := c.gap(c.a, c.s, c.y, c.r); !(g >= -eps*c.scale()) {
			t.Fatalf("%v: %v < 0", c, g)
		}
		size := max(c.r, vec.AbsSum(wide(c.a))/2)
		if got, want := c.Dual(c.a, c.y, c.r, c.w), c.dual(wide(c.a), c.y, c.r); !(math.Abs(got-want) <= eps*size*10) {
			t.Fatalf("%v: dual %v, want %v", c, got, want)
		}
		old, delta, scale := c.String(), make([]T, len(c.a)), c.scale()
		optimize(c.Loss, c.a, c.s, c.y, T(c.h), c.r, delta, c.w)
		for j := range c.s {
			c.s[j] += T(c.h) * delta[j]
		}
		if g := c.gap(c.a, c.s, c.y, c.r); !(math.Abs(g) <= 50*eps*max(scale, c.scale())) {
			t.Fatalf("%s: the visit leads to %v and leaves %g", old, c.a, g)
		}
	})
}

// For one true class the losses of sets are the losses with K = 1.
func TestOneTrueClass(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	var w Workspace[float64]
	for range 500 {
		m := 2 + rng.IntN(9)
		s := draw[float64](rng, m, 2)
		y := []int{rng.IntN(m)}
		r, h := rng.ExpFloat64(), rng.ExpFloat64()
		for _, pair := range [][2]Loss[float64]{
			{TopKHinge[float64]{K: 1}, MultilabelHinge[float64]{}},
			{TopKUsunier[float64]{K: 1}, MultilabelHinge[float64]{}},
			{TopKEntropy[float64]{K: 1}, MultilabelSoftmax[float64]{}},
		} {
			a, b, delta := make([]float64, m), make([]float64, m), make([]float64, m)
			optimize(pair[0], a, s, y, h, r, delta, &w)
			optimize(pair[1], b, s, y, h, r, delta, &w)
			for j := range a {
				if math.Abs(a[j]-b[j]) > 1e-9*r {
					t.Fatalf("%T %v, %T %v", pair[0], a, pair[1], b)
				}
			}
			if p, q := pair[0].Primal(s, y, &w), pair[1].Primal(s, y, &w); math.Abs(p-q) > 1e-12*(1+p) {
				t.Fatalf("%T %v, %T %v", pair[0], p, pair[1], q)
			}
		}
	}
}

// Nothing to tell apart: no loss, no move.
func TestNoTrueClass(t *testing.T) {
	var w Workspace[float64]
	s, a, delta := []float64{1, 2, 3}, make([]float64, 3), make([]float64, 3)
	for _, l := range []Loss[float64]{MultilabelHinge[float64]{}, MultilabelSoftmax[float64]{}} {
		if l.Primal(s, nil, &w) != 0 || l.Dual(a, nil, 1, &w) != 0 || optimize(l, a, s, nil, 1, 1, delta, &w) {
			t.Errorf("%T: %v", l, a)
		}
	}
	l := MultilabelHinge[float64]{}
	if all := []int{0, 1, 2}; l.Primal(s, all, &w) != 0 || optimize(l, a, s, all, 1, 1, delta, &w) {
		t.Errorf("all classes true: %v", a)
	}
}
