package bundle

import (
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
)

// Compact returns the bundle of the examples rows of b, in that order, with products of its own, kept under a budget as
// large as b's where examples have at least 1024 features, as kernel.Matrix.Compact does: for active sets and folds.
// Its numbers have the bits of b's. Of given matrices nothing is copied. It panics where a row is out of range or rows
// is empty.
func (b *Bundle[T]) Compact(rows []int) *Bundle[T] {
	if len(rows) == 0 {
		panic(shape.Errorf("bundle: Bundle.Compact", "no examples"))
	}
	b.mustHold("Bundle.Compact", "row", rows)
	return b.compact(rows, true)
}

// compact is Compact. Where keep is false there is no memory for products: each is read once.
func (b *Bundle[T]) compact(rows []int, keep bool) *Bundle[T] {
	c := &Bundle[T]{n: len(rows), kernels: b.kernels}
	for _, g := range b.groups {
		g.Products = g.Products.Compact(rows, keep)
		if g.matrix != nil {
			g.matrix, _ = g.matrix.Subset(rows) // sound: mustHold
		}
		c.groups = append(c.groups, g)
	}
	return c
}

// Float64 returns the bundle of the same examples in float64, for certificates: itself where it is that already, else
// one that keeps no products and converts the numbers of the examples, or of given matrices.
func (b *Bundle[T]) Float64() (*Bundle[float64], error) {
	if same, ok := any(b).(*Bundle[float64]); ok {
		return same, nil
	}
	c := &Bundle[float64]{n: b.n, kernels: b.kernels}
	for _, g := range b.groups {
		wide, err := g.Products.Float64()
		if err != nil {
			return nil, err
		}
		c.groups = append(c.groups, group[float64]{Products: wide, first: g.first, count: g.count, kernels: g.kernels})
	}
	return c, nil
}

// each reports whether all groups are so.
func (b *Bundle[T]) each(so func(core.Products[T]) bool) bool {
	for _, g := range b.groups {
		if !so(g.Products) {
			return false
		}
	}
	return true
}

// keepsAll reports whether the budget keeps the products of all groups.
func (b *Bundle[T]) keepsAll() bool {
	return b.each(func(p core.Products[T]) bool { return p.Room() >= b.n })
}
