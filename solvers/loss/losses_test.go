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
	name  string
	sets  bool // of true classes
	loss  Loss[T]
	dual  func(a []float64, y []int, r float64) float64 // -r phi*(x/r); NaN outside the domain
	point func(rng *rand.Rand, m int, y []int, r float64) []float64
}

func entries[T vec.Float](k int) []entry[T] {
	gamma := 0.7
	alpha := func(rng *rand.Rand, m int, y []int, r float64) []float64 {
		return wide(form[float64]{k: k, cone: true}.point(rng, m, y[0], r))
	}
	beta := func(rng *rand.Rand, m int, y []int, r float64) []float64 {
		return wide(form[float64]{k: k}.point(rng, m, y[0], r))
	}
	smooth := func(a []float64, y []int, r float64) float64 {
		return a[y[0]] - gamma/(2*r)*(norm2(a)-a[y[0]]*a[y[0]])
	}
	return []entry[T]{
		{"alpha", false, TopKHinge[T]{K: k}, func(a []float64, y []int, r float64) float64 { return a[y[0]] }, alpha},
		{"beta", false, TopKUsunier[T]{K: k}, func(a []float64, y []int, r float64) float64 { return a[y[0]] }, beta},
		{"alpha smooth", false, TopKHinge[T]{K: k, Smoothing: gamma}, smooth, alpha},
		{"beta smooth", false, TopKUsunier[T]{K: k, Smoothing: gamma}, smooth, beta},
		{"entropy", false, TopKEntropy[T]{K: k}, func(a []float64, y []int, r float64) float64 {
			sum := -r * plogp(1-a[y[0]]/r)
			for j, v := range a {
				if j != y[0] {
					sum -= r * plogp(-v/r)
				}
			}
			return sum
		}, alpha},
		{"multilabel hinge", true, MultilabelHinge[T]{}, func(a []float64, y []int, r float64) float64 {
			sum := 0.0
			for _, c := range y {
				sum += a[c]
			}
			return sum
		}, func(rng *rand.Rand, m int, y []int, r float64) []float64 {
			a, size := make([]float64, m), r*rng.Float64()
			spread(rng, a, y, size)
			spread(rng, a, others(m, y), -size)
			return a
		}},
		{"multilabel softmax", true, MultilabelSoftmax[T]{}, func(a []float64, y []int, r float64) float64 {
			sum := 0.0
			for j, v := range a {
				p := -v / r
				if slices.Contains(y, j) {
					p += 1 / float64(len(y))
				}
				sum -= r * plogp(p)
			}
			return sum
		}, func(rng *rand.Rand, m int, y []int, r float64) []float64 {
			a := make([]float64, m)
			spread(rng, a, others(m, nil), -r)
			for _, c := range y {
				a[c] += r / float64(len(y))
			}
			return a
		}},
	}
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

// drawSet returns a set of true classes, neither empty nor all.
func drawSet(rng *rand.Rand, m int, sets bool) []int {
	count := 1
	if sets {
		count = 1 + rng.IntN(m-1)
	}
	y := rng.Perm(m)[:count]
	slices.Sort(y)
	return y
}

// gap is r phi + r phi* + <a,s>, by the naive formula of phi*.
func (e entry[T]) gap(a, s []T, y []int, r float64) float64 {
	var w Workspace[T]
	b := wide(a)
	g := r*e.loss.Primal(s, y, &w) - e.dual(b, y, r)
	for j, v := range b {
		g += v * float64(s[j])
	}
	return g
}

// Fenchel and Young: no feasible block beats the primal value. And a block that an update leaves attains it, at the scores
// after the move, so that phi, phi* and the update belong together.
func TestConjugates(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testConjugates[float64](t, 1e-12) })
	t.Run("float32", func(t *testing.T) { testConjugates[float32](t, 3e-6) })
}

func testConjugates[T vec.Float](t *testing.T, eps float64) {
	rng := rand.New(rand.NewPCG(13, 14))
	var w Workspace[T]
	count := 4000
	if testing.Short() {
		count = 400
	}
	for range count {
		m := 2 + rng.IntN(20)
		k := 1 + rng.IntN(m-1)
		r := math.Pow(10, float64(rng.IntN(5)-2))
		h := T(math.Pow(10, float64(rng.IntN(5)-2)) / r)
		s := draw[T](rng, m, math.Pow(10, float64(rng.IntN(3)-1)))
		for _, e := range entries[T](k) {
			y := drawSet(rng, m, e.sets)
			label := fmt.Sprintf("%s k=%d y=%v r=%v h=%v s=%v", e.name, k, y, r, h, s)
			point := e.point(rng, m, y, r*(1-1e-6))
			if e.name == "multilabel softmax" {
				point = e.point(rng, m, y, r)
			}
			old := narrow[T](point)
			e.loss.Repair(old, y, r, &w)
			size := 1 + float64(h)*r
			for _, v := range s {
				size = max(size, math.Abs(float64(v)))
			}
			if g := e.gap(old, s, y, r); !(g >= -eps*r*size) {
				t.Fatalf("%s: %v < 0 at %v", label, g, old)
			}
			if got, want := e.loss.Dual(old, y, r, &w), e.dual(wide(old), y, r); !(math.Abs(got-want) <= eps*r*10) {
				t.Fatalf("%s: dual %v, want %v", label, got, want)
			}
			a, delta, after := slices.Clone(old), make([]T, m), make([]T, m)
			optimize(e.loss, a, s, y, h, r, delta, &w)
			for j := range s {
				after[j] = s[j] + h*delta[j]
			}
			if g := e.gap(a, after, y, r); !(math.Abs(g) <= 50*eps*r*size) {
				t.Fatalf("%s: the update from %v to %v leaves %g", label, old, a, g)
			}
			// Repair leaves a feasible block alone, and sums are 0 after it.
			exact := wide(a)
			var w64 Workspace[float64]
			entries[float64](k)[slices.IndexFunc(entries[T](k), func(o entry[T]) bool { return o.name == e.name })].loss.Repair(exact, y, r, &w64)
			sum := 0.0
			for j, v := range exact {
				sum += v
				if math.Abs(v-float64(a[j])) > 2*eps*r {
					t.Fatalf("%s: repaired %v to %v", label, a, exact)
				}
			}
			if math.Abs(sum) > 1e-14*r*float64(m) {
				t.Fatalf("%s: entries sum to %g", label, sum)
			}
		}
	}
}

// For one true class the losses of sets are those of K = 1.
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
