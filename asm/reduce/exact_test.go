package reduce

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// lengths are those at which kernels take another path: every one up to several vectors, and around longer blocks. The
// last ones are left out by -short.
func lengths() (n []int) {
	for i := range 131 {
		n = append(n, i)
	}
	n = append(n, 159, 191, 192, 193, 255, 256, 257, 271, 300)
	if !testing.Short() {
		n = append(n, 511, 512, 513, 1000, 1023, 1024, 1025, 4096+7, 65537)
	}
	return n
}

// data are ways to fill a vector, each for one difficulty. Sums of what they have above one of the thresholds of
// TestExact are exact, or the same in every order.
func data[T float](r *rand.Rand, n int) map[string]func(int) T {
	inf, nan, zero, big, tiny := T(math.Inf(1)), T(math.NaN()), T(math.Copysign(0, -1)), prove.Max[T](), prove.Tiny[T]()
	pool := func(v ...T) func(int) T { return func(int) T { return v[r.IntN(len(v))] } }
	at := r.IntN(max(n, 1))
	one := func(v, other T) func(int) T {
		return func(i int) T {
			if i == at {
				return v
			}
			return other
		}
	}
	return map[string]func(int) T{
		"integers":   func(int) T { return T(r.IntN(201) - 100) },
		"duplicates": pool(1, 2, 3),
		"equal":      func(int) T { return 5 },
		"ascending":  func(i int) T { return T(i * 100 / n) },
		"descending": func(i int) T { return T(-i * 100 / n) },
		"organ pipe": func(i int) T { return T(min(i, n-i) * 100 / n) },
		"negative":   func(int) T { return T(-1 - r.IntN(100)) },
		"one above":  one(9, -1),
		"one below":  one(-9, 1),
		"zeros":      pool(0, zero),
		"denormals":  pool(tiny, -tiny, 3*tiny, 0, zero),
		"infinities": pool(inf, -inf, 0, 1, big, -big),
		"+Inf":       func(int) T { return inf },
		"-Inf":       func(int) T { return -inf },
		"one NaN":    one(nan, 3),
		"NaN in Inf": one(nan, inf),
		"some NaN":   pool(nan, -nan, 1, 2, -1, inf, -inf),
		"NaN":        func(int) T { return nan },
	}
}

// TestExact: all lengths and kinds of data, alignments, thresholds, also with dst and x the same vector.
func TestExact(t *testing.T) { prove.Both(t, exact[float32], exact[float64]) }

func exact[T float](t *testing.T) {
	inf := T(math.Inf(1))
	thresholds := []T{0, T(math.Copysign(0, -1)), 1, -1, 50, -50, 5, inf, -inf, T(math.NaN()), prove.Tiny[T]()}
	for _, k := range kernels[T]() {
		r := prove.Rand(1)
		var s scene[T]
		for _, n := range lengths() {
			i := n
			for _, fill := range data[T](r, n) {
				i++
				if testing.Short() && n > 40 && i%3 != 0 {
					continue
				}
				s.c.t = thresholds[r.IntN(len(thresholds))]
				s.place(k, n, [3]int{r.IntN(16), r.IntN(16), r.IntN(16)}, fill, r.IntN(3) == 0)
				s.check(t, false)
			}
		}
	}
}

// TestSplitStores: where the CPU splits wide stores some entries leave a tier for a lower one.
func TestSplitStores(t *testing.T) {
	defer func(old bool) { cpu.SplitStores = old }(cpu.SplitStores)
	defer cpu.Set(cpu.Level)
	r := prove.Rand(5)
	for _, k := range kernels[float32]() {
		var s scene[float32]
		for n := range 70 {
			s.place(k, n, [3]int{}, func(int) float32 { return float32(r.IntN(9) - 4) }, false)
			for _, tier := range cpu.Tiers() {
				for _, cpu.SplitStores = range []bool{false, true} {
					cpu.Set(tier)
					s.dst.Reset()
					s.run(&s.c)
					if err := s.compare(); err != nil {
						t.Fatalf("%s: %v", s.where(tier), err)
					}
				}
			}
		}
	}
}

// TestAlignments: every offset of x against every one of dst.
func TestAlignments(t *testing.T) { prove.Both(t, alignments[float32], alignments[float64]) }

func alignments[T float](t *testing.T) {
	r := prove.Rand(2)
	lengths := []int{1, 7, 16, 31, 33, 64, 100, 129, 271}
	if testing.Short() {
		lengths = []int{37}
	}
	for _, k := range kernels[T]() {
		var s scene[T]
		s.c.t = 1
		for _, n := range lengths {
			for x := range 16 {
				for dst := range 16 {
					s.place(k, n, [3]int{x, dst, (x + 3*dst) % 16}, func(int) T { return T(r.IntN(5) - 1) }, false)
					s.check(t, false)
				}
			}
		}
	}
}

// TestEveryPlace puts what a kernel looks for at each place, alone.
func TestEveryPlace(t *testing.T) { prove.Both(t, everyPlace[float32], everyPlace[float64]) }

func everyPlace[T float](t *testing.T) {
	nan, inf := T(math.NaN()), T(math.Inf(1))
	lengths := []int{1, 5, 16, 40, 130, 300}
	if testing.Short() {
		lengths = []int{1, 16, 70}
	}
	for _, k := range kernels[T]() {
		var s scene[T]
		for _, n := range lengths {
			for p := range n {
				for _, v := range []T{7, -7, nan, inf, -inf} {
					s.c.t = 0
					s.place(k, n, [3]int{p % 16}, func(i int) T {
						if i == p {
							return v
						}
						return -1
					}, false)
					s.check(t, false)
				}
			}
		}
	}
}

// TestRounding holds sums to their bound, on data of every kind.
func TestRounding(t *testing.T) { prove.Both(t, rounding[float32], rounding[float64]) }

func rounding[T float](t *testing.T) {
	for _, kind := range prove.Kinds {
		r := prove.Rand(3)
		draw := prove.Draw[T](kind, r)
		for _, k := range kernels[T]() {
			var s scene[T]
			for i, n := range lengths() {
				if testing.Short() && i%3 != 0 {
					continue
				}
				s.c.t = draw(i) / 2
				s.place(k, n, [3]int{r.IntN(16), r.IntN(16), r.IntN(16)}, draw, false)
				s.check(t, true)
			}
		}
	}
}

func TestNoAllocation(t *testing.T) { prove.Both(t, noAllocation[float32], noAllocation[float64]) }

func noAllocation[T float](t *testing.T) {
	for _, k := range kernels[T]() {
		var s scene[T]
		s.place(k, 70, [3]int{}, func(i int) T { return T(i % 7) }, false)
		prove.Tiers(func(tier cpu.Tier) {
			if a := prove.Allocs(10, func() { s.run(&s.c) }); a != 0 {
				t.Errorf("%s on %v: %v allocations", k.name, tier, a)
			}
		})
	}
}
