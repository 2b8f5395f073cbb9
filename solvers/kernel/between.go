package kernel

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

// Between sets dst[i, j] = k(x_i, z_j) for all rows of x and of z. It panics where the sizes do not fit together. O(m n
// d) for each term of the kernel.
func Between[T vec.Float](dst vec.Matrix[T], k Kernel, x, z vec.Matrix[T]) {
	evaluate[T](k, dense[T]{x, z, norms(x), norms(z)}, dst)
}

func norms[T vec.Float](x vec.Matrix[T]) []T {
	n := make([]T, x.Rows)
	for i := range n {
		n[i] = vec.SquaredNorm(x.Row(i))
	}
	return n
}

// pairs are examples x_i and z_j, of whose pairs a kernel is evaluated.
type pairs[T vec.Float] interface {
	products(dst vec.Matrix[T])  // dst[i, j] = <x_i, z_j>
	distances(dst vec.Matrix[T]) // dst[i, j] = |x_i - z_j|²
}

type dense[T vec.Float] struct {
	x, z   vec.Matrix[T]
	nx, nz []T // squared norms
}

func (p dense[T]) products(dst vec.Matrix[T]) {
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, p.x, p.z, 0, dst)
}

func (p dense[T]) distances(dst vec.Matrix[T]) {
	p.products(dst)
	for i := range dst.Rows {
		expand(dst.Row(i), p.nx[i], p.nz, func(j int) T { return vec.SquaredDistance(p.x.Row(i), p.z.Row(j)) })
	}
}

// expand makes |x - z_j|² = |x|² + |z_j|² - 2<x, z_j> of the products in row. Where that cancels near says what it is.
func expand[T vec.Float](row []T, norm T, norms []T, near func(j int) T) {
	const closeness = 1.0 / 16
	for j, v := range row {
		sum := norm + norms[j]
		d := sum - 2*v
		if !(d >= closeness*sum) {
			d = near(j)
		}
		row[j] = d
	}
}

func evaluate[T vec.Float](k Kernel, p pairs[T], dst vec.Matrix[T]) {
	if dst.Rows == 0 || dst.Cols == 0 {
		return
	}
	switch k := k.(type) {
	case Linear:
		p.products(dst)
	case Polynomial:
		p.products(dst)
		scale, offset := T(k.scale()), T(k.Offset)
		for i := range dst.Rows {
			row := dst.Row(i)
			for j, v := range row {
				row[j] = power(scale*v+offset, k.Degree)
			}
		}
	case Gaussian:
		p.distances(dst)
		for i := range dst.Rows {
			vec.ExpScaled(dst.Row(i), T(-k.Gamma), dst.Row(i))
		}
	case Sum:
		term := vec.NewMatrix[T](dst.Rows, dst.Cols)
		for i := range dst.Rows {
			clear(dst.Row(i))
		}
		for _, t := range k {
			evaluate(t.Kernel, p, term)
			for i := range dst.Rows {
				vec.Axpy(T(t.Weight), term.Row(i), dst.Row(i))
			}
		}
	default:
		panic(fmt.Sprintf("kernel: unknown kernel %T", k))
	}
}
