package core

import (
	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Products are the inner products <x_i, x_j> of n examples, from which the values of each kernel of a group are one
// pass away. They are safe for concurrent use.
type Products[T vec.Float] interface {
	Len() int                                // n
	Room() int                               // rows that the budget keeps
	Diagonal(dst []T, k int)                 // dst[i] = K_k[i, i]
	Rounding(k int) (worst, typical float64) // of K_k: see kernel.Matrix.Rounding

	// Compact returns the products of some examples, with the bits of these. They keep none where keep is false.
	Compact(examples []int, keep bool) Products[T]

	// Float64 returns the products of the same examples in float64, of which none are kept.
	Float64() (Products[float64], error)

	// Prepare makes what all rows share, before goroutines read them: a copy of the first keep examples, where these
	// are dense, is among that, beside the budget.
	Prepare(keep int)

	// Held reports whether all products are in memory.
	Held() bool

	// Prefix reports whether Open with a count reads no more than that.
	Prefix() bool

	// Open returns r, or a new Reader if r is nil, with the products of at most 64 examples and the first count of
	// all.
	Open(r Reader[T], examples []int, count int) Reader[T]
}

// Computed are Products of examples.
type Computed[T vec.Float] interface {
	Products[T]
	Features() design.Matrix[T]

	// Vectors returns a copy of some examples as support vectors of the kernel Σ_k weights[k] K_k.
	Vectors(weights []float64, examples []int) (Vectors[T], error)
}

// Given are the numbers of a given matrix K, in the place of products: they are the values of its only kernel.
type Given[T vec.Float] interface {
	Products[T]

	// Values returns K[i, examples], in room or where it lies.
	Values(room []T, i int, examples []int) []T
}

// Reader reads products for one goroutine, from Open to Close.
type Reader[T vec.Float] interface {
	// At goes to the products of the example at place p of those opened with the examples from, ..., to-1 of all.
	At(p, from, to int)

	// Values returns the values of kernel k there, in room or where they lie.
	Values(room []T, k int) []T

	// Add adds weight times the values of kernel k to dst.
	Add(dst []T, k int, weight float64)

	Close()
}

// Vectors are support vectors x_p of a kernel k.
type Vectors[T vec.Float] interface {
	// Scores adds Σ_p k(x, x_p) a_p to dst for the examples rows of x.
	Scores(dst, a vec.Matrix[T], x design.Matrix[T], rows []int, s *Scratch[T])

	Form() int // how Write writes them
	Write(c *container.Writer)
}

// How a file has support vectors.
const (
	FormNone   = iota // not at all
	FormDense         // a matrix
	FormSparse        // sparse rows
)
