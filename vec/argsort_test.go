package vec_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// positions returns 0..n-1 in the order of x, stably, by the library.
func positions[T vec.Float](x []T, descending bool) []int32 {
	idx := make([]int32, len(x))
	for i := range idx {
		idx[i] = int32(i)
	}
	c := compare[T](descending)
	slices.SortStableFunc(idx, func(i, j int32) int { return c(x[i], x[j]) })
	return idx
}

func TestArgSort(t *testing.T) { prove.Both(t, argSorts[float32], argSorts[float64]) }

func argSorts[T vec.Float](t *testing.T) {
	prove.Tiers(func(tier cpu.Tier) {
		for _, n := range sortLengths {
			x := numbers[T](n, 22)
			for _, descending := range []bool{false, true} {
				argSort, sortPairs := vec.ArgSort[T], vec.SortPairs[T]
				if descending {
					argSort, sortPairs = vec.ArgSortDescending[T], vec.SortPairsDescending[T]
				}
				want := positions(x, descending)
				idx := make([]int32, n)
				argSort(idx, x)
				if !slices.Equal(idx, want) {
					t.Fatalf("%v, n=%d, descending %t: positions %v, want %v", tier, n, descending, idx, want)
				}
				// Positions as payloads are in order already: what is equal keeps its order.
				keys := slices.Clone(x)
				slices.Sort(idx)
				sortPairs(keys, idx)
				if !slices.Equal(idx, want) {
					t.Fatalf("%v, n=%d, descending %t: payloads %v, want %v", tier, n, descending, idx, want)
				}
				same(t, "SortPairs", keys, inOrder(x, descending))
			}
		}
	})
	x, idx := make([]T, 5), make([]int32, 4)
	demand(t, "ArgSort", func() { vec.ArgSort(idx, x) }, "lengths 4 and 5 differ")
	demand(t, "SortPairs", func() { vec.SortPairs(x, idx) }, "lengths 5 and 4 differ")
}

// topInputs are what thresholds find easy and hard.
func topInputs[T vec.Float](n int) map[string][]T {
	r := prove.Rand(23)
	make := func(f func(i int) T) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = f(i)
		}
		return x
	}
	zero, nan := T(math.Copysign(0, -1)), T(math.NaN())
	return map[string][]T{
		"random":     make(func(int) T { return T(r.NormFloat64()) }),
		"special":    numbers[T](n, 24),
		"ascending":  make(func(i int) T { return T(i) }),
		"descending": make(func(i int) T { return T(-i) }),
		"equal":      make(func(int) T { return 2 }),
		"few":        make(func(int) T { return T(r.IntN(3)) }),
		"zeros":      make(func(i int) T { return []T{zero, 0}[min(i, r.IntN(40))/39] }),
		"-Inf":       make(func(i int) T { return []T{T(math.Inf(-1)), nan, -1}[r.IntN(40)%3] }),
		"NaN":        make(func(int) T { return nan }),
		// where guesses look, of 16384 for k = 100
		"sampled": make(func(i int) T { return T(r.Float64()) + []T{0, 1000}[min(1, max(0, 32-i%409))] }),
		// where guesses find too much, and too little
		"front": make(func(i int) T { return T(r.Float64()) + T(max(0, 32-i)) }),
		"rare":  make(func(i int) T { return []T{T(i), nan}[min(1, i%401)] }),
		"late":  make(func(i int) T { return []T{nan, zero, 0, T(i)}[4*i/max(n, 1)] }),
	}
}

func TestTopK(t *testing.T) { prove.Both(t, topK[float32], topK[float64]) }

func topK[T vec.Float](t *testing.T) {
	lengths := []int{1, 2, 10, 100, 255, 256, 257, 300, 1000, 5000, 50_000}
	if testing.Short() {
		lengths = []int{1, 10, 257, 2000}
	}
	for _, n := range lengths {
		for kind, x := range topInputs[T](n) {
			want := positions(x, true)
			before := slices.Clone(x)
			prove.Tiers(func(tier cpu.Tier) {
				for _, k := range []int{0, 1, 2, 10, 100, n / 2, n} {
					if k > n {
						continue
					}
					values, idx := make([]T, k), make([]int32, k)
					vec.TopK(values, idx, x)
					for i, at := range idx {
						if at != want[i] || prove.Bits(values[i]) != prove.Bits(x[at]) {
							t.Fatalf("%v, %s, n=%d, k=%d: place %d is %v at %d, want %v at %d", tier, kind, n, k, i,
								values[i], at, x[want[i]], want[i])
						}
					}
				}
			})
			if !slices.EqualFunc(x, before, func(a, b T) bool { return prove.Bits(a) == prove.Bits(b) }) {
				t.Fatalf("%s, n=%d: the input changed", kind, n)
			}
		}
	}
	x := make([]T, 5)
	demand(t, "TopK", func() { vec.TopK(make([]T, 3), make([]int32, 2), x) }, "lengths 3 and 2 differ")
	demand(t, "TopK", func() { vec.TopK(make([]T, 6), make([]int32, 6), x) }, "first 6 of 5")
	vec.TopK(nil, nil, x)
	vec.TopK[T](nil, nil, nil)
}

// FuzzTopK draws small integers and special values, whose ties are many.
func FuzzTopK(f *testing.F) {
	f.Add([]byte{1, 2, 3, 2, 1, 0, 9, 9, 9}, uint16(3), uint16(9))
	f.Add([]byte("the quick brown fox jumps over the lazy dog"), uint16(100), uint16(2000))
	f.Fuzz(func(t *testing.T, data []byte, k, n uint16) {
		if len(data) == 0 {
			return
		}
		special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0}
		x := make([]float64, n)
		for i := range x {
			b := int(data[i%len(data)]) + i/len(data)%3
			if x[i] = float64(b) - 100; b < len(special) {
				x[i] = special[b]
			}
		}
		k = min(k, n)
		want := positions(x, true)[:k]
		prove.Tiers(func(tier cpu.Tier) {
			values, idx := make([]float64, k), make([]int32, k)
			vec.TopK(values, idx, x)
			if !slices.Equal(idx, want) {
				t.Fatalf("%v, n=%d, k=%d: %v, want %v", tier, n, k, idx, want)
			}
		})
	})
}
