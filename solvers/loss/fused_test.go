package loss

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// byProjection moves a to its optimum by package project and returns the tolerance. The b_j are rounded to T, by up to
// four units of numbers up to |h_j|/h + |x_j| + |a_y|. That moves x_j as much, and t; so are h_j itself and x_j.
func byProjection[T vec.Float](a, s []T, y int, h T, r float64, delta []T, w *Workspace[T]) (tolerance float64) {
	b := w.take(len(a) - 1)
	target(b, a, s, y, 1, 1/h, 1)
	size := r
	for _, v := range s {
		size = max(size, (1+math.Abs(float64(v))+math.Abs(float64(s[y])))/float64(h)+r)
	}
	th := project.TopKSimplex(b, b, 1, inner[T](r), 1, &w.projection)
	settle(b, 1, r, th.U, false)
	moveX(a, b, y, delta)
	return 16 * unit[T]() * size
}

// TestFused: a fused visit is the projection, Primal and Dual, with a delta that has room for lanes and without.
func TestFused(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testFused[float64](t, 0x1p-52) })
	t.Run("float32", func(t *testing.T) { testFused[float32](t, 0x1p-23) })
}

func testFused[T vec.Float](t *testing.T, eps float64) {
	rng := rand.New(rand.NewPCG(17, 18))
	var w Workspace[T]
	for _, l := range []Loss[T]{TopKHinge[T]{K: 1}, TopKUsunier[T]{K: 1}} {
		for range 3000 {
			m := 2 + rng.IntN(60)
			y, r, h := []int{rng.IntN(m)}, math.Exp(2*rng.NormFloat64()), math.Exp(2*rng.NormFloat64())
			a, s, size := make([]T, m), draw[T](rng, m, 1), 1.0
			for _, v := range s {
				size = max(size, math.Abs(float64(v)))
			}
			delta, want := make([]T, m, m+8*rng.IntN(2)), make([]T, m)
			for range 3 { // from zero, and from where that leads to
				old, projected, term := slices.Clone(a), slices.Clone(a), l.Dual(a, y, r, &w)
				tolerance := byProjection(projected, s, y[0], T(h), r, want, &w)
				gap := r*l.Primal(s, y, &w) - term + float64(vec.Dot(a, s))
				got, after, _ := l.Visit(a, s, y, float64(T(h)), r, term, math.Inf(-1), delta, &w)
				for c, v := range a {
					if delta[c] != v-old[c] {
						t.Fatalf("%T, m=%d: from %v to %v with delta = %v", l, m, old, a, delta)
					}
					within := tolerance
					if c == y[0] { // the sum of the others
						within *= float64(m)
					}
					if math.Abs(float64(v-projected[c])) > within {
						t.Fatalf("%T, m=%d: a = %v, by projection %v, within %v", l, m, a, projected, tolerance)
					}
				}
				// the inner product rounds m times, to eps/2 each, sums of at most 2 r size
				if bound := eps * float64(m+4) * size * r; math.Abs(got-gap) > bound {
					t.Fatalf("%T, m=%d: gap %v, want %v within %v", l, m, got, gap, bound)
				}
				if dual := l.Dual(a, y, r, &w); math.Abs(after-dual) > 0x1p-50*float64(m)*r {
					t.Fatalf("%T, m=%d: dual term %v, want %v", l, m, after, dual)
				}
				if _, same, moved := l.Visit(a, s, y, h, r, after, 100*size*r, delta, &w); same != after || moved {
					t.Fatalf("%T, m=%d: a negligible gap: %v, %t", l, m, same, moved)
				}
				for c := range s { // as W changes
					s[c] += delta[c] * T(h)
				}
			}
		}
	}
}

// TestFusedRefused: scores that outgrow the kernel take the plain way, which keeps to the domain.
func TestFusedRefused(t *testing.T) {
	var w Workspace[float64]
	a, s, delta := []float64{-0.1, 0.1, 0}, []float64{-1e308, 1e308, -1e308}, make([]float64, 3)
	gap, after, moved := TopKHinge[float64]{K: 1}.Visit(a, s, []int{1}, 1e-300, 0.5, 0.1, 0, delta, &w)
	if !(gap > 1e307) || after != 0 || !moved {
		t.Errorf("gap %v, dual term %v, moved %t, want a move to 0", gap, after, moved)
	}
	if a[0] != 0 || a[2] != 0 || a[1] != 0 || delta[0] != 0.1 {
		t.Errorf("a = %v, delta = %v, want dual variables of 0", a, delta)
	}
}

// TestFusedTraits: what one kernel computes is fused, and nothing else.
func TestFusedTraits(t *testing.T) {
	for l, want := range map[Loss[float32]]bool{
		TopKHinge[float32]{K: 1}: true, TopKUsunier[float32]{K: 1}: true,
		TopKHinge[float32]{K: 2}: false, TopKHinge[float32]{K: 1, Smoothing: 1}: false,
		TopKUsunier[float32]{K: 2}: false, TopKUsunier[float32]{K: 1, Smoothing: 1}: false,
		TopKEntropy[float32]{K: 1}: false, MultilabelHinge[float32]{}: false, MultilabelSoftmax[float32]{}: false,
	} {
		if got := l.Traits().Fused; got != want {
			t.Errorf("%T%+v: fused %t, want %t", l, l, got, want)
		}
	}
}
