package sparse

import (
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// call holds the arguments of any kernel here. Vectors x or y that indices lead into are a matrix a of one column, lda
// = 1.
type call[T float] struct {
	n, lda      int
	alpha, beta T
	idx         []int32
	val, a, y   []T
	sum         T
}

type out int

const (
	returned out = iota
	outA
	outY
)

// kernel describes one kernel to the tests, which all are loops over this table.
type kernel[T float] struct {
	name   string
	matrix bool // a has n columns, and y n elements
	out    out
	run    func(c *call[T])

	// terms calls add for every product that belongs to element i of the output, in the order of the doc comment.
	terms func(c *call[T], add func(i int, f, g, h T))
}

func kernels[T float]() []kernel[T] {
	dot := prove.Pick[T, func(idx *int32, val *T, nnz int, x *T) T](DotF32, DotF64)
	ahead := prove.Pick[T, func(idx *int32, val *T, nnz int, x *T, nextIdx *int32, nextVal *T, p, q, r *byte) T](
		DotAheadF32, DotAheadF64)
	axpy := prove.Pick[T, func(alpha T, idx *int32, val *T, nnz int, y *T)](AxpyF32, AxpyF64)
	gemvt := prove.Pick[T, func(n int, alpha T, a *T, lda int, idx *int32, val *T, nnz int, beta T, y *T)](GemvTF32,
		GemvTF64)
	ger := prove.Pick[T, func(alpha T, idx *int32, val *T, nnz int, y *T, n int, a *T, lda int)](GerF32, GerF64)
	return []kernel[T]{{
		name: "dot",
		run:  func(c *call[T]) { c.sum = dot(ptr(c.idx), ptr(c.val), len(c.idx), ptr(c.a)) },
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for k, j := range c.idx {
				add(0, c.val[k], c.a[j], 1)
			}
		},
	}, {
		name: "dotahead", // asks for memory behind what it reads, and for none
		run: func(c *call[T]) {
			next := unsafe.Add(unsafe.Pointer(ptr(c.val)), 1<<20)
			c.sum = ahead(ptr(c.idx), ptr(c.val), len(c.idx), ptr(c.a), (*int32)(next), (*T)(next), nil, nil, nil)
		},
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for k, j := range c.idx {
				add(0, c.val[k], c.a[j], 1)
			}
		},
	}, {
		name: "axpy", out: outA,
		run: func(c *call[T]) { axpy(c.alpha, ptr(c.idx), ptr(c.val), len(c.idx), ptr(c.a)) },
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for k, j := range c.idx {
				add(int(j), c.alpha, c.val[k], 1)
			}
		},
	}, {
		name: "gemvt", matrix: true, out: outY,
		run: func(c *call[T]) {
			gemvt(c.n, c.alpha, ptr(c.a), c.lda, ptr(c.idx), ptr(c.val), len(c.idx), c.beta, ptr(c.y))
		},
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for k, i := range c.idx {
				for j := range c.n {
					add(j, c.val[k], c.a[int(i)*c.lda+j], c.alpha)
				}
			}
		},
	}, {
		name: "ger", matrix: true, out: outA,
		run: func(c *call[T]) {
			ger(c.alpha, ptr(c.idx), ptr(c.val), len(c.idx), ptr(c.y), c.n, ptr(c.a), c.lda)
		},
		terms: func(c *call[T], add func(i int, f, g, h T)) {
			for k, i := range c.idx {
				for j := range c.n {
					add(int(i)*c.lda+j, c.alpha, c.val[k], c.y[j])
				}
			}
		},
	}}
}

func TestNoAllocation(t *testing.T) { prove.Both(t, noAllocation[float32], noAllocation[float64]) }

func noAllocation[T float](t *testing.T) {
	for _, k := range kernels[T]() {
		var s scene[T]
		s.place(k, 30, 7, 10, layout{}, prove.Odd[T](prove.Rand(1)), prove.Rand(2))
		prove.Tiers(func(tier cpu.Tier) {
			if a := prove.Allocs(10, func() { s.run(&s.c) }); a != 0 {
				t.Errorf("%s on %v: %v allocations", k.name, tier, a)
			}
		})
	}
}
