package bundle

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// Bundle is F kernel matrices of the same n examples. It keeps inner products of examples, not values: a group has them
// once for all its kernels, which are one pass away from them. It is safe for concurrent use.
type Bundle[T vec.Float] struct {
	n         int
	kernels   int // F
	groups    []group[T]
	scratches sync.Pool // of *scratch[T]
}

// Group is some kernels of the same features, or one that is given as a matrix.
type Group[T vec.Float] struct {
	X       design.Matrix[T]
	Kernels []kernel.Kernel // none of them a Sum

	Matrix *kernel.Matrix[T] // in place of X and Kernels: of Precomputed or FromDistances
}

// group is a Group, whose kernels are first, first+1, ... of the bundle.
type group[T vec.Float] struct {
	core.Products[T]
	first, count int
	kernels      []kernel.Kernel   // nil: a given matrix
	matrix       *kernel.Matrix[T] // that one, nil where its numbers have been converted
}

// New returns the kernel matrices of the groups, in order. All have the same number of examples, which must not change.
// Products that have been computed are kept in at most budget bytes, an equal share for each group, which counts what
// it counts in kernel.New. It returns an error that names the group where sizes differ, a kernel has a parameter out of
// range or is a Sum, or a number is not finite or too large for a kernel.
func New[T vec.Float](budget int64, groups ...Group[T]) (*Bundle[T], error) {
	if len(groups) == 0 {
		return nil, fmt.Errorf("bundle: no groups")
	}
	if budget < 0 {
		return nil, fmt.Errorf("bundle: a budget of %d bytes, want at least 0", budget)
	}
	b := &Bundle[T]{}
	for g, one := range groups {
		own, err := newGroup(one, budget/int64(len(groups)))
		if err != nil {
			return nil, fmt.Errorf("bundle: group %d: %w", g, err)
		}
		if g > 0 && own.Len() != b.n {
			return nil, fmt.Errorf("bundle: %d examples in group %d, but %d in group 0", own.Len(), g, b.n)
		}
		own.first = b.kernels
		b.n, b.kernels, b.groups = own.Len(), b.kernels+own.count, append(b.groups, own)
	}
	return b, nil
}

func newGroup[T vec.Float](g Group[T], budget int64) (own group[T], err error) {
	if g.Matrix == nil {
		own.Products, err = kernel.NewProducts(g.X, g.Kernels, budget)
		own.kernels, own.count = slices.Clone(g.Kernels), len(g.Kernels)
		return own, err
	}
	if g.X != nil || len(g.Kernels) > 0 {
		return own, fmt.Errorf("a matrix beside features or %d kernels, want one or the other", len(g.Kernels))
	}
	own.Products, err = kernel.GivenProducts(g.Matrix)
	own.matrix, own.count = g.Matrix, 1
	return own, err
}

// Len returns n.
func (b *Bundle[T]) Len() int { return b.n }

// Kernels returns F, the number of kernels.
func (b *Bundle[T]) Kernels() int { return b.kernels }

// Diagonal sets dst[i] = K_k[i, i] for all n examples.
func (b *Bundle[T]) Diagonal(dst []T, k int) {
	if len(dst) != b.n {
		panic(shape.Errorf("bundle: Bundle.Diagonal", "%d numbers for %d examples", len(dst), b.n))
	}
	g := b.groupOf("Bundle.Diagonal", k)
	g.Diagonal(dst, k-g.first)
}

// Rounding is kernel.Matrix.Rounding of K_k.
func (b *Bundle[T]) Rounding(k int) (worst, typical float64) {
	g := b.groupOf("Bundle.Rounding", k)
	return g.Rounding(k - g.first)
}

// groupOf returns the group of kernel k. It panics where there is no such kernel.
func (b *Bundle[T]) groupOf(function string, k int) *group[T] {
	if uint(k) >= uint(b.kernels) {
		panic(shape.Errorf("bundle: "+function, "kernel %d of %d", k, b.kernels))
	}
	g := 0
	for k >= b.groups[g].first+b.groups[g].count {
		g++
	}
	return &b.groups[g]
}

// Groups returns what the bundle was made of. Of a Compact that are examples of its own; a given matrix is then a
// Subset.
func (b *Bundle[T]) Groups() []Group[T] {
	groups := make([]Group[T], len(b.groups))
	for g, own := range b.groups {
		groups[g] = Group[T]{Kernels: slices.Clone(own.kernels), Matrix: own.matrix}
		if computed, ok := own.Products.(core.Computed[T]); ok {
			groups[g].X = computed.Features()
		}
	}
	return groups
}

// mustHold panics unless all of list are examples.
func (b *Bundle[T]) mustHold(function, what string, list []int) {
	for p, i := range list {
		if uint(i) >= uint(b.n) {
			panic(shape.Errorf("bundle: "+function, "%s %d at place %d, want one in 0..%d", what, i, p, b.n-1))
		}
	}
}

// Room returns how many bytes of products the budget keeps at most, as numbers of T: n for each row of each group.
func (b *Bundle[T]) Room() (bytes float64) {
	for _, g := range b.groups {
		if _, computed := g.Products.(core.Computed[T]); computed {
			bytes += float64(min(b.n, g.Room())) * float64(b.n) * float64(unsafe.Sizeof(T(0)))
		}
	}
	return bytes
}
