package vec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// gemmCall is a product with its operands in poisoned memory.
type gemmCall[T vec.Float] struct {
	ta, tb      vec.Trans
	m, n, k     int
	alpha, beta T
	a, b, c     prove.Memory[T]
	gap         [3]int
}

// place lays out the operands with from's numbers, their rows that many elements further apart than needed.
func (g *gemmCall[T]) place(offset int, from [3]func(int) T) {
	rows := func(t vec.Trans, r, c int) (int, int) {
		if t {
			return c, r
		}
		return r, c
	}
	for i, m := range []*prove.Memory[T]{&g.a, &g.b, &g.c} {
		r, c := rows(g.ta, g.m, g.k)
		if i == 1 {
			r, c = rows(g.tb, g.k, g.n)
		} else if i == 2 {
			r, c = g.m, g.n
		}
		m.Place(offset+i, r, c, c+g.gap[i], from[i])
	}
}

func (g *gemmCall[T]) matrices() (a, b, c vec.Matrix[T]) {
	op := func(t vec.Trans, r, c, gap int, data []T) vec.Matrix[T] {
		if t {
			r, c = c, r
		}
		return vec.Matrix[T]{Rows: r, Cols: c, Stride: c + gap, Data: data}
	}
	return op(g.ta, g.m, g.k, g.gap[0], g.a.Data), op(g.tb, g.k, g.n, g.gap[1], g.b.Data),
		op(false, g.m, g.n, g.gap[2], g.c.Data)
}

func (g *gemmCall[T]) String() string {
	return fmt.Sprintf("%dx%dx%d transposed %v %v alpha=%v beta=%v gaps %v", g.m, g.n, g.k, g.ta, g.tb, g.alpha, g.beta,
		g.gap)
}

// terms calls add for each term of element (i, j).
func (g *gemmCall[T]) terms(i, j int, add func(f, g, h T)) {
	a, b, c := g.matrices()
	element := func(t vec.Trans, x *vec.Matrix[T], i, j int) T {
		if t {
			i, j = j, i
		}
		return x.Data[i*x.Stride+j]
	}
	if g.alpha != 0 {
		for p := range g.k {
			add(element(g.ta, &a, i, p), element(g.tb, &b, p, j), g.alpha)
		}
	}
	if g.beta != 0 {
		add(g.beta, c.Data[i*c.Stride+j], 1)
	}
}

// exact demands the one result that sums of small integers have, on every tier, and all other memory untouched.
func (g *gemmCall[T]) exact(t testing.TB, run func(g *gemmCall[T])) {
	t.Helper()
	g.c.Reset()
	want := g.c.Want()
	for i := range g.m {
		for j := range g.n {
			var sum T
			g.terms(i, j, func(f, g, h T) { sum += f * g * h })
			want[i*(g.n+g.gap[2])+j] = sum
		}
	}
	prove.Tiers(func(tier cpu.Tier) {
		g.a.Reset()
		g.b.Reset()
		g.c.Reset()
		run(g)
		for i, m := range []*prove.Memory[T]{&g.a, &g.b, &g.c} {
			if err := m.Diff(true); err != nil {
				t.Fatalf("%v on %v: %c: %v", g, tier, "abc"[i], err)
			}
		}
	})
}

func runGemm[T vec.Float](g *gemmCall[T]) {
	a, b, c := g.matrices()
	vec.Gemm(g.ta, g.tb, g.alpha, a, b, g.beta, c)
}

// integers are numbers on which sums of any order agree; beta = 0 must not read what C holds.
func (g *gemmCall[T]) integers(r *rand.Rand) {
	old := prove.Even[T](r)
	if g.beta == 0 {
		old = func(int) T { return prove.Poison[T]() }
	}
	g.place(r.IntN(16), [3]func(int) T{prove.Odd[T](r), prove.Even[T](r), old})
}

func TestGemmExact(t *testing.T) { prove.Both(t, gemmExact[float32], gemmExact[float64]) }

// gemmExact runs through all small sizes and transpositions, and through larger ones at random.
func gemmExact[T vec.Float](t *testing.T) {
	r := prove.Rand(1)
	g := new(gemmCall[T])
	scalars := []T{1, 0, 2, -1}
	one := func(m, n, k int) {
		i := r.IntN(1 << 20)
		g.m, g.n, g.k = m, n, k
		g.ta, g.tb = i&1 == 1, i&2 == 2
		g.alpha, g.beta = scalars[i>>2%4], scalars[i>>4%4]
		g.gap = [3]int{i >> 6 % 4, i >> 8 % 4, i >> 10 % 4}
		g.integers(r)
		g.exact(t, runGemm[T])
	}
	most, random := 16, 200
	if testing.Short() {
		most, random = 5, 15
	}
	for m := range most + 1 {
		for n := range most + 1 {
			for k := range most + 1 {
				one(m, n, k)
			}
		}
	}
	for range random {
		one(r.IntN(90), r.IntN(150), r.IntN(90))
	}
	for _, s := range [][3]int{{64, 10, 784}, {784, 10, 64}, {10, 64, 784}, {8, 100, 784}, {300, 301, 40},
		{40, 300, 500}, {130, 700, 17}, {520, 33, 350}} {
		if !testing.Short() || s[0]*s[1]*s[2] < 1<<19 {
			one(s[0], s[1], s[2])
		}
	}
}

func TestSyrkExact(t *testing.T) { prove.Both(t, syrkExact[float32], syrkExact[float64]) }

// syrkExact demands that the triangle be right and the other untouched, and that Gram fill both.
func syrkExact[T vec.Float](t *testing.T) {
	r := prove.Rand(2)
	scalars := []T{1, 0, 2, -1}
	for i := range 200 {
		n, k := i/2, r.IntN(40)
		if i >= 190 {
			n, k = r.IntN(300), r.IntN(500)
		}
		if testing.Short() && i%10 != 0 {
			continue
		}
		half, trans := vec.Triangle(r.IntN(2) == 1), vec.Trans(r.IntN(2) == 1)
		g := &gemmCall[T]{ta: trans, tb: !trans, m: n, n: n, k: k, alpha: scalars[r.IntN(4)], beta: scalars[r.IntN(4)]}
		g.gap = [3]int{r.IntN(4), r.IntN(4), r.IntN(4)}
		g.gap[1] = g.gap[0]
		whole := r.IntN(3) == 0
		if whole {
			g.ta, g.tb, g.alpha, g.beta = false, true, 1, 0
		}
		g.integers(r)
		g.b = prove.Memory[T]{}
		rows, cols := n, k
		if g.ta {
			rows, cols = k, n
		}
		seed := r.Uint64()
		for _, m := range []*prove.Memory[T]{&g.a, &g.b} { // the same numbers, so that the terms are A Aᵀ's
			m.Place(3, rows, cols, cols+g.gap[0], prove.Odd[T](prove.Rand(seed)))
		}
		g.triangle(t, half, whole)
	}
}

func (g *gemmCall[T]) triangle(t *testing.T, half vec.Triangle, whole bool) {
	t.Helper()
	want := g.c.Want()
	for i := range g.m {
		for j := range g.n {
			if !whole && (half == vec.Lower && j > i || half == vec.Upper && j < i) {
				continue
			}
			var sum T
			g.terms(i, j, func(f, g, h T) { sum += f * g * h })
			want[i*(g.n+g.gap[2])+j] = sum
		}
	}
	prove.Tiers(func(tier cpu.Tier) {
		for _, workers := range []int{1, 3} {
			g.a.Reset()
			g.c.Reset()
			a, _, c := g.matrices()
			if whole {
				vec.GramWorkers(c, a, workers)
			} else {
				vec.SyrkWorkers(half, g.ta, g.alpha, a, g.beta, c, workers)
			}
			for i, m := range []*prove.Memory[T]{&g.a, &g.c} {
				if err := m.Diff(true); err != nil {
					t.Fatalf("%v upper %v whole %v on %v: %c: %v", g, half, whole, tier, "ac"[i], err)
				}
			}
		}
	})
}

func TestGemmPanics(t *testing.T) {
	a, b, c := vec.NewMatrix[float32](2, 3), vec.NewMatrix[float32](3, 4), vec.NewMatrix[float32](2, 4)
	demand(t, "Gemm", func() { vec.Gemm(true, false, 1, a, b, 0, c) }, "op(A) is 3x2", "op(B) is 3x4", "C is 2x4")
	demand(t, "Gemm", func() { vec.Gemm(false, false, 1, a, b, 0, b) }, "C is 3x4")
	a.Data = a.Data[:5]
	demand(t, "Gemm", func() { vec.Gemm(false, false, 1, a, b, 0, c) }, "5 numbers are too few")
	for i := range 3 {
		m := [3]vec.Matrix[float32]{vec.NewMatrix[float32](2, 3), vec.NewMatrix[float32](3, 4),
			vec.NewMatrix[float32](2, 4)}
		gemm := func() { vec.Gemm(false, false, 1, m[0], m[1], 1, m[2]) }
		m[i].Stride--
		demand(t, "Gemm", gemm, "is less than")
		m[i].Stride += 2
		demand(t, "Gemm", gemm, "numbers are too few")
	}
	demand(t, "Syrk", func() { vec.Syrk(vec.Upper, false, 1, b, 0, c) }, "C is 2x4", "op(A) is 3x4")
}

func TestConvert(t *testing.T) {
	wide := []float64{1, -0.1, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(-1)}
	narrow, back := make([]float32, 5), make([]float64, 5)
	vec.Convert(narrow, wide)
	equal(t, "float32", narrow, []float32{1, -0.1, float32(math.Inf(1)), 0, float32(math.Inf(-1))})
	vec.Convert(back, narrow)
	equal(t, "float64", back, []float64{1, float64(float32(-0.1)), math.Inf(1), 0, math.Inf(-1)})
	same := make([]float64, 5)
	vec.Convert(same, back)
	equal(t, "a copy", same, back)
	demand(t, "Convert", func() { vec.Convert(narrow, wide[:4]) }, "lengths 5 and 4 differ")
}
