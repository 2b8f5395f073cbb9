package kernel

import (
	"math"

	"github.com/dualgap/dualgap/internal/shape"
)

// keptFrom is the least number of features of which a Compact keeps products. It lives for a few passes over the pairs
// of its examples: with less, the first touch of new memory takes longer than to compute products again.
const keptFrom = 1024

// Compact returns the bundle of the examples rows of b, in that order, with products of its own, kept under a budget as
// large as b's where examples have at least 1024 features, as Matrix.Compact does: for active sets and folds. Its
// numbers have the bits of b's. Of given matrices nothing is copied. It panics where a row is out of range or rows is
// empty.
func (b *Bundle[T]) Compact(rows []int) *Bundle[T] {
	if len(rows) == 0 {
		panic(shape.Errorf("kernel: Bundle.Compact", "no examples"))
	}
	b.mustHold("Bundle.Compact", "row", rows)
	return b.each(len(rows), func(g *bundleGroup[T]) (products *Matrix[T], given givenMatrix[T]) {
		if g.products == nil {
			return nil, g.given.subset(rows)
		}
		m := g.products.Compact(rows)
		if m.d < keptFrom {
			m.cache = newCache[T](m.n, 0)
		}
		return m, nil
	})
}

// each returns a bundle of n examples with the same kernels, of what part makes of each group.
func (b *Bundle[T]) each(n int, part func(g *bundleGroup[T]) (*Matrix[T], givenMatrix[T])) *Bundle[T] {
	c := &Bundle[T]{n: n, kernels: b.kernels}
	for g := range b.groups {
		own := b.groups[g]
		own.products, own.given = part(&b.groups[g])
		c.groups = append(c.groups, own)
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
		wide := bundleGroup[float64]{first: g.first, kernels: g.kernels}
		if g.products == nil {
			wide.given = g.given.widen()
		} else {
			m, err := g.products.Float64()
			if err != nil {
				return nil, err
			}
			wide.products = m
		}
		c.groups = append(c.groups, wide)
	}
	return c, nil
}

// squareFits reports whether this machine can address an n-by-n matrix of numbers.
func squareFits(n int) bool { return uint64(n) <= uint64(math.Sqrt(min(math.MaxInt, 1<<47)/8)) }
