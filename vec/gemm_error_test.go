package vec_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// gemmShapes take every way through a product: direct, packed, by inner products, transposed, in one block and in
// several.
var gemmShapes = [][3]int{{1, 1, 1}, {5, 7, 9}, {16, 16, 16}, {33, 17, 5}, {14, 40, 70}, {64, 10, 300}, {200, 10, 20},
	{10, 64, 300}, {50, 70, 700}, {60, 200, 30}}

// TestGemmError: each element is within the bound of its exact value, (k+4)u Σ|terms| and what underflow may lose.
// Tiles add the terms of a block of k one after the other, multiply by alpha and add the blocks and beta c: fewer
// roundings than terms.
func TestGemmError(t *testing.T) { prove.Both(t, gemmError[float32], gemmError[float64]) }

func gemmError[T vec.Float](t *testing.T) {
	r := prove.Rand(3)
	var sum prove.Sum[T]
	for i, s := range gemmShapes {
		if testing.Short() && s[0]*s[1]*s[2] > 1<<16 {
			continue
		}
		for trans := range 4 {
			kind := prove.Kinds[(i+trans)%len(prove.Kinds)]
			draw := prove.Draw[T](kind, r)
			g := &gemmCall[T]{ta: trans&1 == 1, tb: trans&2 == 2, m: s[0], n: s[1], k: s[2], alpha: draw(0),
				beta: draw(1)}
			g.place(trans, [3]func(int) T{draw, draw, draw})
			prove.Tiers(func(tier cpu.Tier) {
				g.c.Reset()
				runGemm(g)
				got := slices.Clone(g.c.Data)
				g.c.Reset()
				for e := 0; e < g.m*g.n; e += 1 + g.m*g.n/150 { // exact sums are slow
					i, j := e/g.n, e%g.n
					sum.Reset()
					g.terms(i, j, sum.Add)
					if err := sum.Check(got[i*g.n+j]); err != nil {
						t.Fatalf("%v on %v, %s: element (%d, %d): %v", g, tier, kind, i, j, err)
					}
				}
			})
		}
	}
}

// TestGemmSpecial: NaN and infinities arrive where arithmetic takes them, and nowhere else.
func TestGemmSpecial(t *testing.T) { prove.Both(t, gemmSpecial[float32], gemmSpecial[float64]) }

func gemmSpecial[T vec.Float](t *testing.T) {
	r := prove.Rand(4)
	special := []T{T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1)), 0}
	for i := range 120 {
		s := gemmShapes[i%len(gemmShapes)]
		if testing.Short() && (i > 20 || s[0]*s[1]*s[2] > 1<<16) {
			continue
		}
		draw := func(int) T {
			if r.IntN(4*s[2]+40) == 0 {
				return special[r.IntN(4)]
			}
			return T(1 + r.IntN(3))
		}
		g := &gemmCall[T]{ta: i&1 == 1, tb: i&2 == 2, m: s[0], n: s[1], k: s[2], alpha: T(1 + i%3), beta: T(i % 2)}
		g.place(i%16, [3]func(int) T{draw, draw, draw})
		g.exact(t, runGemm[T])
		g.alpha = 0 // neither factor is read
		g.exact(t, runGemm[T])
	}
}

// TestGemmWorkers: the bits do not depend on the number of goroutines.
func TestGemmWorkers(t *testing.T) { prove.Both(t, gemmWorkers[float32], gemmWorkers[float64]) }

func gemmWorkers[T vec.Float](t *testing.T) {
	cores(t, 7)
	r := prove.Rand(5)
	shapes := [][3]int{{300, 200, 150}, {150, 350, 120}, {2000, 10, 300}, {10, 900, 700}, {3000, 20, 60},
		{700, 700, 10}, {20, 5, 40}, {20, 3, 40}}
	if testing.Short() {
		shapes = [][3]int{{120, 80, 130}, {2000, 10, 60}, {20, 5, 40}, {20, 3, 40}}
	}
	for i, s := range shapes {
		draw := prove.Draw[T]("uniform", r)
		for trans := range 4 {
			if !prove.Visits(i, trans, 4) {
				continue
			}
			g := &gemmCall[T]{ta: trans&1 == 1, tb: trans&2 == 2, m: s[0], n: s[1], k: s[2], alpha: 1.1,
				beta: T(trans%2) * 0.3}
			g.place(i, [3]func(int) T{draw, draw, draw})
			prove.Tiers(func(tier cpu.Tier) {
				g.c.Reset()
				runGemm(g)
				want := slices.Clone(g.c.Data)
				for _, workers := range []int{0, 2, 7} {
					g.c.Reset()
					a, b, c := g.matrices()
					vec.GemmWorkers(g.ta, g.tb, g.alpha, a, b, g.beta, c, workers)
					if !slices.Equal(g.c.Data, want) {
						t.Fatalf("%v on %v: %d workers give other bits", g, tier, workers)
					}
				}
			})
		}
	}
	if testing.Short() {
		return
	}
	rows := vec.NewMatrix[T](400, 90)
	for i := range rows.Data {
		rows.Data[i] = T(r.NormFloat64())
	}
	one, many := vec.NewMatrix[T](400, 400), vec.NewMatrix[T](400, 400)
	for _, workers := range []int{2, 5} {
		vec.Gram(one, rows)
		vec.GramWorkers(many, rows, workers)
		equal(t, "Gram", many.Data, one.Data)
		vec.SquaredDistances(one, rows, rows)
		vec.SquaredDistancesWorkers(many, rows, rows, workers)
		equal(t, "SquaredDistances", many.Data, one.Data)
	}
}

// TestTriangleWorkers: nor do the bits of half a product, whose squares several goroutines cut into pieces of so few
// rows that, alone, other ways to compute them were better.
func TestTriangleWorkers(t *testing.T) {
	prove.Both(t, triangleWorkers[float32], triangleWorkers[float64])
}

func triangleWorkers[T vec.Float](t *testing.T) {
	cores(t, 7)
	const n, k = 100, 700
	numbers := []int{2, 3, 6}
	if testing.Short() {
		numbers = []int{3}
	}
	r := prove.Rand(6)
	a := vec.NewMatrix[T](n, k)
	for i := range a.Data {
		a.Data[i] = T(r.NormFloat64())
	}
	prove.Tiers(func(tier cpu.Tier) {
		one, many := vec.NewMatrix[T](n, n), vec.NewMatrix[T](n, n)
		for _, workers := range numbers {
			what := fmt.Sprintf("%v, %d workers", tier, workers)
			for _, half := range []vec.Triangle{vec.Lower, vec.Upper} {
				vec.Syrk(half, vec.NoTrans, 1, a, 0, one)
				vec.SyrkWorkers(half, vec.NoTrans, 1, a, 0, many, workers)
				equal(t, "Syrk on "+what, many.Data, one.Data)
			}
			vec.Gram(one, a)
			vec.GramWorkers(many, a, workers)
			equal(t, "Gram on "+what, many.Data, one.Data)
		}
	})
}

// TestGemmColumns: nor on strides, with which a single column may be a row as well.
func TestGemmColumns(t *testing.T) { prove.Both(t, gemmColumns[float32], gemmColumns[float64]) }

func gemmColumns[T vec.Float](t *testing.T) {
	r := prove.Rand(7)
	for i, s := range [][3]int{{1, 1, 300}, {5, 1, 300}, {1, 7, 300}, {60, 1, 300}, {1, 60, 300}, {40, 50, 1},
		{33, 18, 70}} {
		for trans := range 4 {
			call := func(gaps [3]int) *gemmCall[T] {
				g := &gemmCall[T]{ta: trans&1 == 1, tb: trans&2 == 2, m: s[0], n: s[1], k: s[2], alpha: 1.1, gap: gaps}
				number := prove.Rand(uint64(i))
				draw := func(int) T { return T(number.NormFloat64()) }
				g.place(r.IntN(16), [3]func(int) T{draw, draw, draw})
				return g
			}
			prove.Tiers(func(tier cpu.Tier) {
				var want []T
				for _, gaps := range [][3]int{{}, {3, 0, 0}, {0, 3, 0}, {2, 1, 7}} {
					g := call(gaps)
					runGemm(g)
					var got []T
					_, _, c := g.matrices()
					for i := range c.Rows {
						got = append(got, c.Row(i)...)
					}
					if want == nil {
						want = got
					}
					equal(t, fmt.Sprint(g, " on ", tier), got, want)
				}
			})
		}
	}
}

// TestGemmAllocation: once warm, no way through a product allocates.
func TestGemmAllocation(t *testing.T) {
	prove.Both(t, gemmAllocation[float32], gemmAllocation[float64])
}

func gemmAllocation[T vec.Float](t *testing.T) {
	prove.Tiers(func(tier cpu.Tier) {
		for _, s := range gemmShapes {
			if testing.Short() && s[0]*s[1]*s[2] > 1<<18 {
				continue
			}
			for trans := range 4 {
				g := &gemmCall[T]{ta: trans&1 == 1, tb: trans&2 == 2, m: s[0], n: s[1], k: s[2], alpha: 1}
				one := func(int) T { return 1 }
				g.place(0, [3]func(int) T{one, one, one})
				if n := prove.Allocs(5, func() { runGemm(g) }); n != 0 {
					t.Errorf("%v on %v: %v allocations", g, tier, n)
				}
			}
		}
		x, c := vec.NewMatrix[T](70, 30), vec.NewMatrix[T](70, 70)
		for name, f := range map[string]func(){
			"Syrk":             func() { vec.Syrk(vec.Upper, vec.NoTrans, 1, x, 1, c) },
			"Gram":             func() { vec.Gram(c, x) },
			"SquaredDistances": func() { vec.SquaredDistances(c, x, x) },
		} {
			if n := prove.Allocs(5, f); n != 0 {
				t.Errorf("%s on %v: %v allocations", name, tier, n)
			}
		}
	})
}

// FuzzGemm compares the tiers with plain sums on small integers.
func FuzzGemm(f *testing.F) {
	for i, s := range gemmShapes {
		f.Add(uint64(i), uint16(s[0]), uint16(s[1]), uint16(s[2]), uint16(i*37))
	}
	f.Fuzz(func(t *testing.T, seed uint64, m, n, k, how uint16) {
		fuzzGemm[float32](t, seed, m, n, k, how)
		fuzzGemm[float64](t, seed, m, n, k, how)
	})
}

func fuzzGemm[T vec.Float](t *testing.T, seed uint64, m, n, k, how uint16) {
	g := &gemmCall[T]{m: int(m % 80), n: int(n % 80), k: int(k % 300), ta: how&1 == 1, tb: how&2 == 2}
	g.alpha, g.beta = T(how>>2%4)-1, T(how>>4%4)-1
	g.gap = [3]int{int(how >> 6 % 4), int(how >> 8 % 4), int(how >> 10 % 4)}
	g.integers(prove.Rand(seed))
	g.exact(t, runGemm[T])
}
