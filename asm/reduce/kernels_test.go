package reduce

import "github.com/dualgap/dualgap/internal/prove"

// call holds the arguments of any kernel here, and what it returns.
type call[T float] struct {
	n     int
	t     T // the threshold
	x     []T
	dst   []T
	idx   []int32
	value T
	count int
}

// kernel describes one kernel to the tests, which all are loops over this table.
type kernel[T float] struct {
	name     string
	dst, idx bool // what it writes beside its results
	run      func(c *call[T])

	// define does the same by the definition, to want. What it leaves of dst and idx behind the first count elements is free.
	define func(c, want *call[T])
	// terms calls add for each term f-g of a value that is a sum.
	terms func(c *call[T], add func(f, g T))
}

func kernels[T float]() []kernel[T] {
	sumabove := prove.Pick[T, func(x *T, n int, t T) (T, int)](SumAboveF32, SumAboveF64)
	compress := prove.Pick[T, func(x *T, n int, t T, val *T, idx *int32) int](CompressF32, CompressF64)
	return []kernel[T]{{
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
