package vec_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// numbers returns n numbers, among them NaNs, infinities and zeros of both signs, many of them equal.
func numbers[T vec.Float](n int, seed uint64) []T {
	r := prove.Rand(seed)
	special := []T{T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1)), 0, T(math.Copysign(0, -1)), 1, prove.Tiny[T](),
		-prove.Max[T]()}
	x := make([]T, n)
	for i := range x {
		x[i] = T(r.NormFloat64())
		if r.IntN(3) == 0 {
			x[i] = special[r.IntN(len(special))]
		}
	}
	return x
}

// compare orders as Sort promises: descending differs for all but NaNs.
func compare[T vec.Float](descending bool) func(a, b T) int {
	return func(a, b T) int {
		switch {
		case a != a || b != b:
			return slices.Compare([]int{isNaN(a)}, []int{isNaN(b)})
		case a == 0 && b == 0:
			a, b = T(math.Copysign(1, float64(a))), T(math.Copysign(1, float64(b)))
		}
		c := 0
		if a < b {
			c = -1
		} else if a > b {
			c = 1
		}
		if descending {
			return -c
		}
		return c
	}
}

func isNaN[T vec.Float](v T) int {
	if v != v {
		return 1
	}
	return 0
}

// inOrder returns x sorted, stably, by the library.
func inOrder[T vec.Float](x []T, descending bool) []T {
	y := slices.Clone(x)
	slices.SortStableFunc(y, compare[T](descending))
	return y
}

// same wants the same numbers with the same signs, or NaN for NaN.
func same[T vec.Float](t *testing.T, name string, got, want []T) {
	t.Helper()
	for i := range want {
		if !prove.Same(got[i], want[i]) {
			t.Fatalf("%v %s, %d numbers: element %d is %v, want %v", cpu.Level, name, len(want), i, got[i], want[i])
		}
	}
}

var sortLengths = []int{0, 1, 2, 7, 16, 17, 24, 25, 32, 33, 64, 65, 100, 128, 129, 256, 257, 1000, 3000}

func TestSort(t *testing.T) { prove.Both(t, sorts[float32], sorts[float64]) }

func sorts[T vec.Float](t *testing.T) {
	prove.Tiers(func(cpu.Tier) {
		for _, n := range sortLengths {
			x := numbers[T](n, 20)
			up, down := inOrder(x, false), inOrder(x, true)
			y := slices.Clone(x)
			vec.Sort(y)
			same(t, "Sort", y, up)
			y = slices.Clone(x)
			vec.SortDescending(y)
			same(t, "SortDescending", y, down)
			for _, k := range []int{0, 1, n / 3, n - 1, n} {
				if k < 0 || k > n {
					continue
				}
				y = slices.Clone(x)
				vec.PartialSort(y, k)
				same(t, "PartialSort", y[:k], up[:k])
				same(t, "the rest of PartialSort", inOrder(y[k:], false), up[k:])
				if k < n {
					y = slices.Clone(x)
					vec.NthElement(y, k)
					same(t, "NthElement", y[k:k+1], up[k:k+1])
					same(t, "before NthElement", inOrder(y[:k], false), up[:k])
					same(t, "behind NthElement", inOrder(y[k:], false), up[k:])
				}
			}
		}
	})
	x := make([]T, 5)
	demand(t, "PartialSort", func() { vec.PartialSort(x, 6) }, "first 6 of 5")
	demand(t, "PartialSort", func() { vec.PartialSort(x, -1) }, "first -1 of 5")
	demand(t, "NthElement", func() { vec.NthElement(x, 5) }, "element 5 of 5")
	demand(t, "NthElement", func() { vec.NthElement(x[:0], 0) }, "element 0 of 0")
}

// TestSortAllocation: once room has been borrowed, nothing allocates; small arrays stay on the stack.
func TestSortAllocation(t *testing.T) {
	prove.Both(t, sortAllocation[float32], sortAllocation[float64])
}

func sortAllocation[T vec.Float](t *testing.T) {
	long := numbers[T](3000, 21)
	work, idx := make([]T, len(long)), make([]int32, len(long))
	prove.Tiers(func(tier cpu.Tier) {
		for name, f := range map[string]func(){
			"Sort of 20":  func() { x := [20]T{3, 1, 2}; vec.Sort(x[:]); use(x[3]) },
			"Sort":        func() { copy(work, long); vec.Sort(work) },
			"PartialSort": func() { copy(work, long); vec.PartialSort(work, 10) },
			"ArgSort":     func() { vec.ArgSort(idx, long) },
			"SortPairs":   func() { copy(work, long); vec.SortPairs(work, idx) },
			"TopK":        func() { var v [10]T; var i [10]int32; vec.TopK(v[:], i[:], long); use(v[9]) },
			"NthElement":  func() { copy(work, long); vec.NthElement(work, 10) },
		} {
			if n := prove.Allocs(20, f); n != 0 {
				t.Errorf("%s on %v: %v allocations a call", name, tier, n)
			}
		}
	})
}
