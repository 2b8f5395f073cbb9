package kernel

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Bundle is several kernel matrices of the same n examples, for models that learn how to weigh them. The kernels come
// in groups, of which each looks at features of its own: the inner products of a group are computed once for all its
// kernels, and it is products that are kept, not values, from which all kernels of the group are one pass away. It is
// safe for concurrent use.
type Bundle[T vec.Float] struct {
	n       int
	groups  []bundleGroup[T]
	kernels []Kernel
	pool    sync.Pool // of *bundleScratch[T]
}

// Group is some kernels of the same features, or one that is given as a matrix.
type Group[T vec.Float] struct {
	X       design.Matrix[T]
	Kernels []Kernel // none of them a Sum

	Matrix *Matrix[T] // in place of X and Kernels: of Precomputed or FromDistances
}

// bundleGroup is a Group, whose kernels are those from first on.
type bundleGroup[T vec.Float] struct {
	products *Matrix[T] // of the kernel Linear, or centred; nil where a matrix is given
	given    givenMatrix[T]
	first    int
	kernels  []Kernel // of a given matrix, whose numbers take the place of products, Linear
}

// NewBundle returns the kernel matrices of the groups, in order. All have the same number of examples, which must not
// change. Products that have been computed are kept in at most budget bytes, an equal share for each group, which
// counts what it counts in New. It returns an error that names the group where sizes differ, a kernel has a parameter
// out of range or is a Sum, or a number is not finite or too large for a kernel.
func NewBundle[T vec.Float](budget int64, groups ...Group[T]) (*Bundle[T], error) {
	if len(groups) == 0 {
		return nil, fmt.Errorf("kernel: a bundle of no groups")
	}
	if budget < 0 {
		return nil, fmt.Errorf("kernel: a budget of %d bytes, need at least 0", budget)
	}
	b := &Bundle[T]{}
	for g, group := range groups {
		own, n, err := newGroup(group, budget/int64(len(groups)))
		if err != nil {
			return nil, fmt.Errorf("%w, in group %d", err, g)
		}
		if g > 0 && n != b.n {
			return nil, fmt.Errorf("kernel: %d examples in group %d, but %d in group 0", n, g, b.n)
		}
		b.n, own.first = n, len(b.kernels)
		b.groups, b.kernels = append(b.groups, own), append(b.kernels, own.kernels...)
	}
	return b, nil
}

// newGroup returns the group and its number of examples.
func newGroup[T vec.Float](g Group[T], budget int64) (own bundleGroup[T], n int, err error) {
	switch {
	case g.Matrix == nil:
		own.products, err = newProducts(g, budget)
		if err != nil {
			return own, 0, err
		}
		own.kernels = slices.Clone(g.Kernels)
		return own, own.products.n, nil
	case g.X != nil || len(g.Kernels) > 0:
		return own, 0, fmt.Errorf("kernel: a matrix beside features or %d kernels, need one or the other",
			len(g.Kernels))
	case g.Matrix.k != nil:
		return own, 0, fmt.Errorf("kernel: the matrix of a %T, need one that is given: of a kernel, give features",
			g.Matrix.k)
	}
	own.given, own.kernels = givenOf(g.Matrix), []Kernel{Linear{}}
	return own, g.Matrix.n, nil
}

// newProducts returns the inner products of the examples of a group, whose kernels it checks. Where all of them look at
// distances alone the examples are those less their mean.
func newProducts[T vec.Float](g Group[T], budget int64) (*Matrix[T], error) {
	if len(g.Kernels) == 0 {
		return nil, fmt.Errorf("kernel: no kernels")
	}
	var of Kernel = centred{}
	for p, k := range g.Kernels {
		if _, sum := k.(Sum); sum {
			return nil, fmt.Errorf("kernel: kernel %d is a Sum, whose terms are to be weighed by Combine", p)
		}
		if err := check(k); err != nil {
			return nil, fmt.Errorf("%w, in kernel %d", err, p)
		}
		if _, products := looksAt(k); products {
			of = Linear{}
		}
	}
	m, err := New(g.X, of, budget)
	if err != nil {
		return nil, err
	}
	for p, k := range g.Kernels {
		if err := checkValues(k, m.norms); err != nil {
			return nil, fmt.Errorf("%w, in kernel %d", err, p)
		}
	}
	return m, nil
}

// centred is the inner product of examples less their mean, or less nothing where they are sparse: whatever makes
// distances precise.
type centred struct{ Linear }

// Len returns n.
func (b *Bundle[T]) Len() int { return b.n }

// Kernels returns the number of kernels.
func (b *Bundle[T]) Kernels() int { return len(b.kernels) }

// Computed returns how many rows of products have been computed so far for Rows and Combine, of all groups together.
func (b *Bundle[T]) Computed() (rows int64) {
	for _, g := range b.groups {
		if g.products != nil {
			rows += g.products.Computed()
		}
	}
	return rows
}

// Diagonal sets dst[i] = K_k[i, i] for all n examples.
func (b *Bundle[T]) Diagonal(dst []T, k int) {
	if len(dst) != b.n {
		panic(shape.Errorf("kernel: Bundle.Diagonal", "%d numbers for %d examples", len(dst), b.n))
	}
	group := b.groupOf("Bundle.Diagonal", k)
	if group.products != nil {
		for i, norm := range group.products.norms {
			dst[i] = T(b.kernels[k].of(float64(norm)))
		}
		return
	}
	row := make([]T, b.n)
	for i := range dst {
		dst[i] = group.given.row(row, i, nil, i+1)[i]
	}
}

// groupOf returns the group of kernel k. It panics where there is no such kernel.
func (b *Bundle[T]) groupOf(function string, k int) *bundleGroup[T] {
	if uint(k) >= uint(len(b.kernels)) {
		panic(shape.Errorf("kernel: "+function, "kernel %d of %d", k, len(b.kernels)))
	}
	g := 0
	for g+1 < len(b.groups) && b.groups[g+1].first <= k {
		g++
	}
	return &b.groups[g]
}

// Groups returns what the bundle was made of. Of a Compact that are examples of its own; a given matrix is then a
// Subset.
func (b *Bundle[T]) Groups() []Group[T] {
	groups := make([]Group[T], len(b.groups))
	for g := range b.groups {
		if own := &b.groups[g]; own.products != nil {
			groups[g] = Group[T]{X: own.products.x, Kernels: slices.Clone(own.kernels)}
		} else {
			groups[g] = Group[T]{Matrix: own.given.matrix()}
		}
	}
	return groups
}

// mustHold panics unless all of list are examples.
func (b *Bundle[T]) mustHold(function, what string, list []int) {
	(&Matrix[T]{n: b.n}).mustHold(function, what, list)
}

// Room returns how many bytes of products the budget keeps at most, as numbers of T: n for each row of each group.
func (b *Bundle[T]) Room() (bytes float64) {
	for i := range b.groups {
		if p := b.groups[i].products; p != nil {
			bytes += float64(min(p.n, p.Room())) * float64(p.n) * float64(unsafe.Sizeof(T(0)))
		}
	}
	return bytes
}
