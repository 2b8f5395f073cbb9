package blas

import "github.com/dualgap/dualgap/internal/prove"

// call holds the arguments of any kernel here, and the sum that it returns.
type call[T float] struct {
	m, n, lda   int
	alpha, beta T
	x, y, a     []T
	sum         T
}

// dim says which of m and n is the length of a vector.
type dim int

const (
	none dim = iota
	byM
	byN
)

// out says which argument a kernel writes.
type out int

const (
	returned out = iota
	outX
	outY
	outA
)

// kernel describes one kernel to the tests, which all are loops over this table.
type kernel[T float] struct {
	name            string
	x, y            dim
	matrix, scalars bool // takes a, lda and m; takes alpha
	beta            bool // takes beta
	out             out
	square          bool // a term is (f-g)², not f*g*h
	bitwise         bool // rounds once: the same bits on every tier
	anyZero         bool // promises no sign of a zero
	run             func(c *call[T])

	// terms calls add for every product that belongs to element i of the output, in the order of the doc comment.
	terms func(c *call[T], add func(i int, f, g, h T))
}

func kernels[T float]() []kernel[T] {
	type one = func(x *T, n int) T
	type two = func(x, y *T, n int) T
	type gemv = func(m, n int, alpha T, a *T, lda int, x *T, beta T, y *T)
	dot, sqdist := prove.Pick[T, two](DotF32, DotF64), prove.Pick[T, two](SqDistF32, SqDistF64)
	sqnorm, sum, abssum := prove.Pick[T, one](SqNormF32, SqNormF64), prove.Pick[T, one](SumF32, SumF64),
		prove.Pick[T, one](AbsSumF32, AbsSumF64)
	scal := prove.Pick[T, func(alpha T, x *T, n int)](ScalF32, ScalF64)
	axpy := prove.Pick[T, func(alpha T, x, y *T, n int)](AxpyF32, AxpyF64)
	ger := prove.Pick[T, func(m, n int, alpha T, x, y, a *T, lda int)](GerF32, GerF64)
	plain, transposed := prove.Pick[T, gemv](GemvF32, GemvF64), prove.Pick[T, gemv](GemvTF32, GemvTF64)

	return []kernel[T]{{
		name: "dot", x: byN, y: byN,
		run: func(c *call[T]) { c.sum = dot(ptr(c.x), ptr(c.y), c.n) },
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for i := range c.n {
				add(0, c.x[i], c.y[i], 1)
			}
		},
	}, {
		name: "sqdist", x: byN, y: byN, square: true,
		run: func(c *call[T]) { c.sum = sqdist(ptr(c.x), ptr(c.y), c.n) },
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for i := range c.n {
				add(0, c.x[i], c.y[i], 1)
			}
		},
	}, {
		name: "sqnorm", x: byN,
		run: func(c *call[T]) { c.sum = sqnorm(ptr(c.x), c.n) },
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for i := range c.n {
				add(0, c.x[i], c.x[i], 1)
			}
		},
	}, {
		name: "sum", x: byN,
		run: func(c *call[T]) { c.sum = sum(ptr(c.x), c.n) },
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for i := range c.n {
				add(0, c.x[i], 1, 1)
			}
		},
	}, {
		name: "abssum", x: byN,
		run: func(c *call[T]) { c.sum = abssum(ptr(c.x), c.n) },
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for i := range c.n {
				add(0, max(c.x[i], -c.x[i]), 1, 1)
			}
		},
	}, {
		name: "scal", x: byN, scalars: true, out: outX, bitwise: true,
		run: func(c *call[T]) { scal(c.alpha, ptr(c.x), c.n) },
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for i := range c.n {
				add(i, c.alpha, c.x[i], 1)
			}
		},
	}, {
		name: "axpy", x: byN, y: byN, scalars: true, out: outY,
		run: func(c *call[T]) { axpy(c.alpha, ptr(c.x), ptr(c.y), c.n) },
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for i := range c.n {
				add(i, c.y[i], 1, 1)
				add(i, c.alpha, c.x[i], 1)
			}
		},
	}, {
		name: "ger", x: byM, y: byN, matrix: true, scalars: true, out: outA,
		run: func(c *call[T]) { ger(c.m, c.n, c.alpha, ptr(c.x), ptr(c.y), ptr(c.a), c.lda) },
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for i := range c.m {
				for j := range c.n {
					add(i*c.lda+j, c.a[i*c.lda+j], 1, 1)
					add(i*c.lda+j, c.alpha, c.x[i], c.y[j])
				}
			}
		},
	}, {
		name: "gemv", x: byN, y: byM, matrix: true, scalars: true, beta: true, out: outY, anyZero: true,
		run: func(c *call[T]) { plain(c.m, c.n, c.alpha, ptr(c.a), c.lda, ptr(c.x), c.beta, ptr(c.y)) },
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for i := range c.m {
				for j := range c.n {
					add(i, c.a[i*c.lda+j], c.x[j], c.alpha)
				}
				if c.beta != 0 {
					add(i, c.beta, c.y[i], 1)
				}
			}
		},
	}, {
		name: "gemvt", x: byM, y: byN, matrix: true, scalars: true, beta: true, out: outY, anyZero: true,
		run: func(c *call[T]) { transposed(c.m, c.n, c.alpha, ptr(c.a), c.lda, ptr(c.x), c.beta, ptr(c.y)) },
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for j := range c.n {
				for i := range c.m {
					add(j, c.a[i*c.lda+j], c.x[i], c.alpha)
				}
				if c.beta != 0 {
					add(j, c.beta, c.y[j], 1)
				}
			}
		},
	}}
}
