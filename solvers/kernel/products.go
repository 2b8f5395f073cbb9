package kernel

import (
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// NewProducts is for package bundle: the inner products of the examples of x, of which the values of all kernels are
// made. It returns an error where New does, or a kernel is a Sum.
func NewProducts[T vec.Float](x design.Matrix[T], kernels []Kernel, budget int64) (core.Computed[T], error) {
	if len(kernels) == 0 {
		return nil, fmt.Errorf("kernel: no kernels")
	}
	var of Kernel = centred{} // unless a kernel looks at products
	for p, k := range kernels {
		if _, sum := k.(Sum); sum {
			return nil, fmt.Errorf("kernel: kernel %d is a Sum, whose terms a bundle weighs", p)
		}
		if err := check(k); err != nil {
			return nil, fmt.Errorf("%w, in kernel %d", err, p)
		}
		if _, products := looksAt(k); products {
			of = Linear{}
		}
	}
	m, err := New(x, of, budget)
	if err != nil {
		return nil, err
	}
	for p, k := range kernels {
		if err := checkValues(k, m.norms); err != nil {
			return nil, fmt.Errorf("%w, in kernel %d", err, p)
		}
	}
	return products[T]{m, slices.Clone(kernels)}, nil
}

// centred is the inner product of examples less their mean, or less nothing where they are sparse: whatever makes
// distances precise.
type centred struct{ Linear }

// products are the rows of a Matrix of the kernel Linear, or centred.
type products[T vec.Float] struct {
	m       *Matrix[T]
	kernels []Kernel
}

func (p products[T]) Len() int { return p.m.n }

func (p products[T]) Room() int { return p.m.Room() }

func (p products[T]) Features() design.Matrix[T] { return p.m.x }

func (p products[T]) Diagonal(dst []T, k int) {
	for i, norm := range p.m.norms {
		dst[i] = T(p.kernels[k].of(float64(norm)))
	}
}

func (p products[T]) Rounding(k int) (worst, typical float64) {
	return roundingOf[T](p.kernels[k], p.m.d)
}

// keptFrom is the least number of features of which a Compact keeps products. It lives for a few passes over the pairs
// of its examples: with less, the first touch of new memory takes longer than to compute products again.
const keptFrom = 1024

func (p products[T]) Compact(examples []int, keep bool) core.Products[T] {
	m := p.m.Compact(examples)
	if !keep || m.d < keptFrom {
		m.cache = newCache[T](m.n, 0)
	}
	return products[T]{m, p.kernels}
}

func (p products[T]) Float64() (core.Products[float64], error) {
	wide, err := p.m.Float64()
	return products[float64]{wide, p.kernels}, err
}

func (p products[T]) Prepare(keep int) {
	if keep > 0 && !p.m.thin {
		p.m.panels.keep = keep
	}
	p.m.productNorms()
}

func (p products[T]) Held() bool {
	c := p.m.cache
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return len(c.kept) == p.m.n
}

func (p products[T]) Prefix() bool { return !p.m.thin }

func (p products[T]) Vectors(weights []float64, examples []int) (core.Vectors[T], error) {
	k := weigh(p.kernels, weights)
	v, err := vectorsOf(p.m, k, examples)
	return sumVectors[T]{v, k}, err
}

// weigh returns the sum of the kernels with a weight.
func weigh(kernels []Kernel, weights []float64) (k Sum) {
	for q, w := range weights {
		if w > 0 {
			k = append(k, Term{w, kernels[q]})
		}
	}
	return k
}

// productNorms returns |x|² of the examples whose inner products the rows are.
func (m *Matrix[T]) productNorms() []T {
	if m.thin {
		return m.norms
	}
	m.prepare(1)
	return m.panels.norms
}
