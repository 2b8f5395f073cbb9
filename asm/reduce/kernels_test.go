package reduce

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/internal/prove"
)

// call holds the arguments of any kernel here, and what it returns.
type call[T float] struct {
	n     int
	t     T // the threshold; the lower bound
	x     []T
	dst   []T
	idx   []int32
	value T
	count int
}

// upper is the upper bound that goes with the lower.
func (c *call[T]) upper() T { return c.t + 3 }

// kernel describes one kernel to the tests, which all are loops over this table.
type kernel[T float] struct {
	name     string
	dst, idx bool // what it writes beside its results
	run      func(c *call[T])

	// define does the same by the definition, to want. What it leaves of dst and idx behind the first count elements is
	// free.
	define func(c, want *call[T])
	// terms calls add for each term f-g of a value that is a sum.
	terms func(c *call[T], add func(f, g T))
}

func kernels[T float]() []kernel[T] {
	sumabove := prove.Pick[T, func(x *T, n int, t T) (T, int)](SumAboveF32, SumAboveF64)
	compress := prove.Pick[T, func(x *T, n int, t T, val *T, idx *int32) int](CompressF32, CompressF64)
	type number = func(x *T, n int) T
	type index = func(x *T, n int) int
	largest, smallest := prove.Pick[T, number](MaxF32, MaxF64), prove.Pick[T, number](MinF32, MinF64)
	argmax, argmin := prove.Pick[T, index](ArgMaxF32, ArgMaxF64), prove.Pick[T, index](ArgMinF32, ArgMinF64)
	clip := prove.Pick[T, func(dst, x *T, n int, lo, hi T)](ClipF32, ClipF64)
	return []kernel[T]{{
		name: "clip", dst: true,
		run: func(c *call[T]) { clip(ptr(c.dst), ptr(c.x), c.n, c.t, c.upper()) },
		define: func(c, want *call[T]) {
			for i, v := range c.x {
				switch {
				case v < c.t:
					v = c.t
				case v > c.upper():
					v = c.upper()
				}
				want.dst[i] = v
			}
		},
	}, {
		name: "max",
		run:  func(c *call[T]) { c.value = largest(ptr(c.x), c.n) },
		define: func(c, want *call[T]) {
			want.value = T(math.Inf(-1))
			for _, v := range c.x {
				want.value = max(want.value, v) // NaN if either is
			}
		},
	}, {
		name: "min",
		run:  func(c *call[T]) { c.value = smallest(ptr(c.x), c.n) },
		define: func(c, want *call[T]) {
			want.value = T(math.Inf(1))
			for _, v := range c.x {
				want.value = min(want.value, v)
			}
		},
	}, {
		name:   "argmax",
		run:    func(c *call[T]) { c.count = argmax(ptr(c.x), c.n) },
		define: func(c, want *call[T]) { want.count = first(c.x, func(v, w T) bool { return v >= w }) },
	}, {
		name:   "argmin",
		run:    func(c *call[T]) { c.count = argmin(ptr(c.x), c.n) },
		define: func(c, want *call[T]) { want.count = first(c.x, func(v, w T) bool { return v <= w }) },
	}, {
		name: "sumabove",
		run:  func(c *call[T]) { c.value, c.count = sumabove(ptr(c.x), c.n, c.t) },
		define: func(c, want *call[T]) {
			for _, v := range c.x {
				if v > c.t {
					want.value += v - c.t
					want.count++
				}
			}
		},
		terms: func(c *call[T], add func(f, g T)) {
			for _, v := range c.x {
				if v > c.t {
					add(v, c.t)
				}
			}
		},
	}, {
		name: "compress", dst: true, idx: true,
		run: func(c *call[T]) { c.count = compress(ptr(c.x), c.n, c.t, ptr(c.dst), ptr(c.idx)) },
		define: func(c, want *call[T]) {
			for i, v := range c.x {
				if v > c.t {
					want.dst[want.count], want.idx[want.count] = v, int32(i)
					want.count++
				}
			}
		},
	}}
}

// first returns the index of the first NaN, or of the first element that is as good as every other, or -1.
func first[T float](x []T, asGood func(v, w T) bool) int {
	if i := slices.IndexFunc(x, func(v T) bool { return v != v }); i >= 0 || len(x) == 0 {
		return i
	}
	best := x[0]
	for _, v := range x {
		if !asGood(best, v) {
			best = v
		}
	}
	return slices.Index(x, best)
}
