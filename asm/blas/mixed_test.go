package blas

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// small draws the small integers of prove, on which sums have one result in every order.
func small(seed uint64) mixedSource {
	r := prove.Rand(seed)
	return mixedSource{a: prove.Odd[float32](r), x: prove.Even[float64](r), y: prove.Even[float64](r)}
}

// TestMixedVectorsExact is TestVectorsExact for dot and axpy of float32 with float64.
func TestMixedVectorsExact(t *testing.T) {
	from := small(1)
	for _, k := range mixedKernels {
		if k.matrix {
			continue
		}
		var s mixedScene
		for _, n := range lengths() {
			for i := range 16 {
				if !visits(n, i) {
					continue
				}
				s.c.alpha = []float64{2, -1, 0.5, -3}[i%4]
				other := (7*i + n) % 16
				s.place(k, 1, n, layout{a: i, x: other, y: other}, from)
				s.check(t)
			}
		}
	}
}

// TestMixedMatricesExact is TestMatricesExact for a matrix of float32 with vectors of float64.
func TestMixedMatricesExact(t *testing.T) {
	r, from := prove.Rand(2), small(3)
	for _, k := range mixedKernels {
		if !k.matrix {
			continue
		}
		var s mixedScene
		shapes(func(m, n int) {
			for b, beta := range []float64{0, 1, -2} {
				if !prove.Visits(m+n, b, 3) {
					continue
				}
				from := from
				if beta == 0 {
					from.y = func(int) float64 { return -prove.Poison[float64]() }
				}
				s.c.alpha, s.c.beta = []float64{1, -1, 0.5, 3}[r.IntN(4)], beta
				gap := []int{0, 1, 3, 7, 16, 21}[r.IntN(6)]
				s.place(k, m, n, layout{x: r.IntN(16), y: r.IntN(16), a: r.IntN(32), gap: gap}, from)
				s.check(t)
			}
		})
	}
}

// TestMixedSplitStores: where the CPU splits wide stores some entries leave a tier for a lower one.
func TestMixedSplitStores(t *testing.T) {
	defer func(old bool) { cpu.SplitStores = old }(cpu.SplitStores)
	defer cpu.Set(cpu.Level)
	from := small(4)
	for _, k := range mixedKernels {
		var s mixedScene
		for n := range 70 {
			s.c.alpha, s.c.beta = 2, 1
			s.place(k, 9, n, layout{}, from)
			s.expect()
			for _, tier := range cpu.Tiers() {
				for _, cpu.SplitStores = range []bool{false, true} {
					cpu.Set(tier)
					s.checkOne(t, tier)
				}
			}
		}
	}
}

// TestMixedRounding holds every tier to the bound of prove.Sum for float64, on sums of every condition: vectors or sums
// rounded to float32 on the way would miss it.
func TestMixedRounding(t *testing.T) {
	for _, kind := range prove.Kinds {
		r := prove.Rand(5)
		draw := prove.Draw[float64](kind, r)
		from := mixedSource{prove.Draw[float32](kind, r), draw, draw}
		for _, k := range mixedKernels {
			var s mixedScene
			sizes := [][2]int{}
			for _, n := range lengths() {
				if n < 4096 && (n%7 < 2 || !testing.Short()) {
					sizes = append(sizes, [2]int{1, n})
				}
			}
			if k.matrix {
				sizes = sizes[:0]
				for _, m := range []int{1, 2, 3, 4, 5, 7, 8, 13, 19, 64} {
					for _, n := range []int{1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 70, 100, 129, 209} {
						if !testing.Short() || m*n%3 == 0 {
							sizes = append(sizes, [2]int{m, n})
						}
					}
				}
			}
			for i, size := range sizes {
				s.c.alpha, s.c.beta = 2*r.Float64()-1, []float64{0, 1, r.Float64()}[i%3]
				s.place(k, size[0], size[1], layout{x: r.IntN(16), y: r.IntN(16), a: r.IntN(32), gap: r.IntN(20)}, from)
				s.checkBound(t)
			}
		}
	}
}

// TestMixedDenormals: integers times the smallest denormal of float32, which is no denormal of float64, and of float64:
// any flush to zero, before the conversion or behind it, shows.
func TestMixedDenormals(t *testing.T) {
	from := small(6)
	tiny32, tiny64 := prove.Tiny[float32](), prove.Tiny[float64]()
	data := mixedSource{
		a: func(i int) float32 { return from.a(i) * tiny32 },
		x: from.x,
		y: func(i int) float64 { return from.y(i) * float64(tiny32) },
	}
	vectors := mixedSource{
		a: from.a,
		x: func(i int) float64 { return from.x(i) * tiny64 },
		y: func(i int) float64 { return from.y(i) * tiny64 },
	}
	for _, k := range mixedKernels {
		var s mixedScene
		for n := range 140 {
			for _, from := range []mixedSource{data, vectors} {
				s.c.alpha, s.c.beta = -3, 2
				if k.name == "axpy" && n%2 == 0 {
					s.c.alpha *= tiny64
					from = mixedSource{a: vectors.a, y: vectors.y}
				}
				s.place(k, 1+n%11, n, layout{a: n % 32, x: n / 2 % 16, y: n / 2 % 16, gap: n % 3}, from)
				s.check(t)
			}
		}
	}
}

// TestMixedZeros: the sum of nothing, and of nothing but -0, is +0; axpy keeps the signs of zeros.
func TestMixedZeros(t *testing.T) {
	minus, plus := func(int) float64 { return math.Copysign(0, -1) }, func(int) float64 { return 0 }
	data := func(f func(int) float64) func(int) float32 { return func(i int) float32 { return float32(f(i)) } }
	for _, k := range mixedKernels {
		var s mixedScene
		for n := range 70 {
			for _, alpha := range []float64{1, -1} {
				for _, from := range []mixedSource{
					{data(minus), plus, minus}, {data(minus), minus, plus}, {data(plus), minus, minus},
				} {
					s.c.alpha, s.c.beta = alpha, alpha
					s.place(k, 3, n, layout{}, from)
					s.check(t)
				}
			}
		}
	}
}

// TestMixedSpecial puts NaN, infinities, the largest numbers and -0 at every position of the data, with each such
// number of float64 beside it, in the vector that is read or in the one that is written.
func TestMixedSpecial(t *testing.T) {
	inf, nan, big, zero := math.Inf(1), math.NaN(), math.MaxFloat64, math.Copysign(0, -1)
	numbers := []float64{nan, inf, -inf, big, -big, zero, 1}
	sizes := [][2]int{{1, 1}, {3, 5}, {4, 17}, {9, 33}, {1, 130}, {2, 73}}
	if testing.Short() {
		sizes = [][2]int{{1, 1}, {3, 5}, {9, 17}, {1, 40}}
	}
	from := small(7)
	for _, k := range mixedKernels {
		var s mixedScene
		for _, size := range sizes {
			m, n := size[0], size[1]
			if !k.matrix {
				m = 1
			}
			for p := range m * n {
				at := func(d dim) int { return [...]int{none: 0, byM: p / n, byN: p % n}[d] }
				for i, data := range append([]float64{math.MaxFloat32, -math.MaxFloat32}, numbers...) {
					if data == big || data == -big {
						continue // no float32
					}
					for j, v := range numbers {
						if !prove.Visits(p, len(numbers)*i+j, 4) {
							continue
						}
						read, written := from, from
						read.a = put(p, float32(data), from.a)
						read.x, written.a = put(at(k.x), v, from.x), read.a
						written.y = put(at(k.y), v, from.y)
						s.c.alpha, s.c.beta = 1, float64((p+i+j)%2)
						for _, from := range []mixedSource{read, written} {
							s.place(k, m, n, layout{gap: p % 3}, from)
							s.check(t)
						}
					}
				}
			}
		}
	}
}

// TestMixedSpecialFactors is TestSpecialFactors for the kernels of two types: an infinite alpha only where it meets no
// sum.
func TestMixedSpecialFactors(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	from := small(8)
	for _, k := range mixedKernels {
		if !k.scalars {
			continue
		}
		alphas, betas := []float64{0, zero, nan, inf, -inf, math.MaxFloat64}, []float64{1}
		if k.beta {
			alphas, betas = []float64{0, 1, nan}, []float64{0, zero, 1, nan, inf}
		}
		var s mixedScene
		for n := 1; n < 140; n++ {
			for _, alpha := range alphas {
				for _, beta := range betas {
					s.c.alpha, s.c.beta = alpha, beta
					s.place(k, 1+n%9, n, layout{gap: n % 2}, from)
					s.check(t)
				}
			}
		}
	}
}
