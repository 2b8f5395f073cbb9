package loss

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// form is one of the losses, with what a naive reader of the formulas needs to know.
type form[T vec.Float] struct {
	Loss[T]
	k    int
	cone bool
}

func forms[T vec.Float](k int) []form[T] {
	return []form[T]{{TopKHinge[T]{K: k}, k, true}, {TopKUsunier[T]{K: k}, k, false}}
}

func (f form[T]) name() string {
	if f.cone {
		return "alpha"
	}
	return "beta"
}

// naive sorts.
func (f form[T]) naive(s []T, y int) float64 {
	var h []float64
	for j := range s {
		if j != y {
			h = append(h, 1+float64(s[j])-float64(s[y]))
		}
	}
	slices.Sort(h)
	sum := 0.0
	for _, v := range h[len(h)-f.k:] {
		if f.cone || v > 0 {
			sum += v
		}
	}
	return max(0, sum/float64(f.k))
}

// point draws a feasible block: a convex combination of vertices of the set.
func (f form[T]) point(rng *rand.Rand, m, y int, r float64) []T {
	x := make([]float64, m)
	left := r
	for range 1 + rng.IntN(3) {
		part := left * rng.Float64()
		left -= part
		vertex := rng.Perm(m)
		count := f.k
		if !f.cone {
			count = rng.IntN(f.k + 1)
		}
		for _, j := range vertex {
			if j != y && count > 0 {
				x[j] += part / float64(f.k)
				count--
			}
		}
	}
	return block[T](x, y)
}

// block returns -x with the sum of x at y.
func block[T vec.Float](x []float64, y int) []T {
	a, sum := make([]T, len(x)), 0.0
	for j, v := range x {
		if j != y {
			a[j] = -T(v)
			sum += float64(T(v))
		}
	}
	a[y] = T(sum)
	return a
}

// infeasible returns by how much a leaves the set, relative to r.
func (f form[T]) infeasible(a []T, y int, r float64) float64 {
	sum, most, least := 0.0, 0.0, 0.0
	for j, v := range a {
		if j != y {
			x := -float64(v)
			sum, most, least = sum+x, max(most, x), min(least, x)
		}
	}
	limit := r / float64(f.k)
	if f.cone {
		limit = sum / float64(f.k)
	}
	return max(-least, sum-r, most-limit) / r
}

// gap is r phi - (-r phi*) + <a,s>, with <1,x> in float64 in the place of a_y.
func (f form[T]) gap(a, s []T, y int, r float64) float64 {
	var w Workspace[T]
	g := r*f.Primal(s, []int{y}, &w) - f.Dual(a, []int{y}, r, &w)
	for j := range a {
		if j != y {
			g += float64(a[j]) * (float64(s[j]) - float64(s[y]))
		}
	}
	return g
}

func draw[T vec.Float](rng *rand.Rand, m int, scale float64) []T {
	s := make([]T, m)
	for j := range s {
		s[j] = T(scale * rng.NormFloat64())
		if rng.IntN(5) == 0 {
			s[j] = T(math.Round(float64(s[j]))) // ties
		}
	}
	return s
}

// optimize moves a to its optimum, whatever the gap, and reports whether that is a move.
func optimize[T vec.Float](l Loss[T], a, s []T, y []int, h T, r float64, delta []T, w *Workspace[T]) bool {
	_, _, moved := l.Visit(a, s, y, float64(h), r, l.Dual(a, y, r, w), math.Inf(-1), delta, w)
	return moved
}

func TestPrimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var w Workspace[float64]
	for range 5000 {
		m := 2 + rng.IntN(60)
		k, y := 1+rng.IntN(m-1), rng.IntN(m)
		s := draw[float64](rng, m, math.Pow(10, float64(rng.IntN(5)-2)))
		for _, f := range forms[float64](k) {
			got, want := f.Primal(s, []int{y}, &w), f.naive(s, y)
			if !(math.Abs(got-want) <= 1e-12*(1+want)) {
				t.Fatalf("%s k=%d y=%d s=%v: %v, want %v", f.name(), k, y, s, got, want)
			}
		}
	}
}

// The inequality of Fenchel and Young at random points, of which a sign or a factor wrong anywhere makes a false one.
func TestFenchelYoung(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	tight := 0
	for range 20000 {
		m := 2 + rng.IntN(12)
		k, y := 1+rng.IntN(m-1), rng.IntN(m)
		r := math.Pow(10, float64(rng.IntN(7)-3))
		s := draw[float64](rng, m, 2)
		for _, f := range forms[float64](k) {
			a := f.point(rng, m, y, r)
			if v := f.infeasible(a, y, r); v > 1e-14 {
				t.Fatalf("%s: drew a point outside by %g", f.name(), v)
			}
			g := f.gap(a, s, y, r)
			if g < -1e-13*r {
				t.Fatalf("%s k=%d y=%d r=%v s=%v a=%v: %v < 0", f.name(), k, y, r, s, a, g)
			}
			if g < 1e-9*r {
				tight++
			}
		}
	}
	if tight == 0 || tight > 20000 {
		t.Errorf("%d of 40000 points tight: the test has no edge", tight)
	}
}

// Where the update ends the inequality is an equality at the scores after the move: the block is optimal, Propositions
// 4 and section 5. The block is feasible, in float32 too.
func TestUpdate(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testUpdate[float64](t, 1e-13) })
	t.Run("float32", func(t *testing.T) { testUpdate[float32](t, 2e-6) })
}

func testUpdate[T vec.Float](t *testing.T, eps float64) {
	rng := rand.New(rand.NewPCG(5, 6))
	var w Workspace[T]
	for range 20000 {
		m := 2 + rng.IntN(30)
		k, y := 1+rng.IntN(m-1), rng.IntN(m)
		r := math.Pow(10, float64(rng.IntN(7)-3))
		h := T(math.Pow(10, float64(rng.IntN(7)-3)) / r)
		s := draw[T](rng, m, math.Pow(10, float64(rng.IntN(4)-2)))
		for _, f := range forms[T](k) {
			old := f.point(rng, m, y, r*(1-1e-6))
			a, delta := slices.Clone(old), make([]T, m)
			moved := optimize(f.Loss, a, s, []int{y}, h, r, delta, &w)
			if moved != !slices.Equal(a, old) {
				t.Fatalf("moved: %v, %v to %v", moved, old, a)
			}
			if v := f.infeasible(a, y, r); v > 1e-13 {
				t.Fatalf("%s k=%d r=%v h=%v: %v outside by %g", f.name(), k, r, h, a, v)
			}
			after, size := make([]T, m), 1.0
			for j := range s {
				if d := float64(a[j]) - float64(old[j]); math.Abs(d-float64(delta[j])) > eps*r {
					t.Fatalf("delta[%d] = %v, want %v", j, delta[j], d)
				}
				after[j] = s[j] + h*delta[j]
				size = max(size, math.Abs(float64(s[j])), math.Abs(float64(h))*r)
			}
			if g := f.gap(a, after, y, r); !(math.Abs(g) <= 20*eps*r*size) {
				t.Fatalf("%s k=%d y=%d r=%v h=%v s=%v: from %v to %v leaves %g", f.name(), k, y, r, h, s, old, a, g)
			}
		}
	}
}

// A second update from where the first ended finds nothing to do beyond rounding.
func TestUpdateTwice(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var w Workspace[float64]
	for range 2000 {
		m := 2 + rng.IntN(30)
		k, y, r, h := 1+rng.IntN(m-1), rng.IntN(m), rng.ExpFloat64(), rng.ExpFloat64()
		s := draw[float64](rng, m, 1)
		for _, f := range forms[float64](k) {
			a, delta := f.point(rng, m, y, r), make([]float64, m)
			optimize(f.Loss, a, s, []int{y}, h, r, delta, &w)
			vec.Axpy(h, delta, s)
			optimize(f.Loss, a, s, []int{y}, h, r, delta, &w)
			if d := vec.AbsSum(delta); d > 1e-12*(r+1/h) {
				t.Fatalf("%s: moved by %v", f.name(), delta)
			}
		}
	}
}

// Numbers at the edges of float32 neither hang nor leave the set.
func TestExtremes(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	var w Workspace[float32]
	for range 20000 {
		m := 2 + rng.IntN(9)
		k, y := 1+rng.IntN(m-1), rng.IntN(m)
		r := math.Pow(10, float64(rng.IntN(61)-30))
		h := float32(math.Pow(10, float64(rng.IntN(61)-30)))
		s := draw[float32](rng, m, math.Pow(10, float64(rng.IntN(13)-6)))
		for _, f := range forms[float32](k) {
			a, delta := f.point(rng, m, y, r), make([]float32, m)
			optimize(f.Loss, a, s, []int{y}, h, r, delta, &w)
			if v := f.infeasible(a, y, r); !(v <= 1e-13) {
				t.Fatalf("%s k=%d r=%v h=%v s=%v: %v outside by %g", f.name(), k, r, h, s, a, v)
			}
		}
	}
}
