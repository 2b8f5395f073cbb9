package kernel

import (
	"fmt"
	"sync"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// Between sets dst[i, j] = k(x_i, z_j) for all rows of x and of z. It panics where the sizes do not fit together. O(m n
// d).
func Between[T vec.Float](dst vec.Matrix[T], k Kernel, x, z vec.Matrix[T]) {
	evaluate[T](k, dense[T]{x, z, x, z, norms(x), norms(z)}, dst)
}

func norms[T vec.Float](x vec.Matrix[T]) []T {
	n := make([]T, x.Rows)
	for i := range n {
		n[i] = vec.SquaredNorm(x.Row(i))
	}
	return n
}

// operands are examples x_i and z_j, of whose pairs a kernel is evaluated.
type operands[T vec.Float] interface {
	products(dst vec.Matrix[T]) // dst[i, j] = <x_i, z_j>
	distances[T]
}

// distances are what a kernel of distances asks for besides inner products.
type distances[T vec.Float] interface {
	norms(i int) (nx T, nz []T) // |x_i|² and all |z_j|²
	distance(i, j int) T        // |x_i - z_j|², number by number
}

// dense are pairs of rows of matrices, less a mean, and the rows as they were, for distances of those that are near
// each other.
type dense[T vec.Float] struct {
	x, z       vec.Matrix[T]
	rawX, rawZ vec.Matrix[T]
	nx, nz     []T // squared norms, of x and z
}

func (p dense[T]) products(dst vec.Matrix[T]) {
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, p.x, p.z, 0, dst)
}

func (p dense[T]) norms(i int) (nx T, nz []T) { return p.nx[i], p.nz }

func (p dense[T]) distance(i, j int) T { return vec.SquaredDistance(p.rawX.Row(i), p.rawZ.Row(j)) }

// evaluate sets dst[i, j] = k(x_i, z_j).
func evaluate[T vec.Float](k Kernel, p operands[T], dst vec.Matrix[T]) {
	if dst.Rows == 0 || dst.Cols == 0 {
		return
	}
	p.products(dst)
	room := takeNear(dst.Cols)
	defer nears.Put(room)
	near, copied := *room, []T(nil)
	if _, sum := k.(Sum); sum {
		copied = make([]T, dst.Cols)
	}
	for i := range dst.Rows {
		products := dst.Row(i)
		if copied != nil {
			copy(copied, products)
			products = copied
		}
		values(k, p, i, dst.Row(i), products, near)
	}
}

// nears holds memory for the places of near examples, *[]int32: a row asked alone should not pay for as much as it has
// numbers.
var nears sync.Pool

func takeNear(n int) *[]int32 {
	room, ok := nears.Get().(*[]int32)
	if !ok || cap(*room) < n {
		room = new([]int32)
		*room = make([]int32, n)
	}
	*room = (*room)[:n]
	return room
}

// values sets dst to the values of k for x_i and every z_j, from their inner products. dst may be products unless k is
// a Sum. near has room for as many numbers.
func values[T vec.Float](k Kernel, p distances[T], i int, dst, products []T, near []int32) {
	switch k := k.(type) {
	case Linear, centred:
		copy(dst, products)
	case Polynomial:
		unchecked.Power(dst, products, T(k.scale()), T(k.Offset), k.Degree)
	case Gaussian:
		nx, nz := p.norms(i)
		count := unchecked.Gaussian(dst, products, nz, nx, T(k.Gamma), near)
		for _, j := range near[:count] {
			dst[j] = distant(k, p.distance(i, int(j)))
		}
	case Constant:
		clear(dst)
		addValues(k, 1, p, i, dst, products, near)
	case Sum:
		values(k[0].Kernel, p, i, dst, products, near)
		if k[0].Weight != 1 {
			vec.Scale(T(k[0].Weight), dst)
		}
		addValues(k[1:], 1, p, i, dst, products, near)
	default:
		refuse(k)
	}
}

// addValues adds to dst weight times what values sets it to. dst is not products.
func addValues[T vec.Float](k Kernel, weight float64, p distances[T], i int, dst, products []T, near []int32) {
	switch k := k.(type) {
	case Linear:
		vec.Axpy(T(weight), products, dst)
	case Polynomial:
		unchecked.PowerAdd(dst, products, T(k.scale()), T(k.Offset), k.Degree, T(weight))
	case Gaussian:
		nx, nz := p.norms(i)
		count := unchecked.GaussianAdd(dst, products, nz, nx, T(k.Gamma), T(weight), near)
		for _, j := range near[:count] {
			dst[j] += T(T(weight) * distant(k, p.distance(i, int(j))))
		}
	case Constant:
		unchecked.Power(dst, dst, 1, T(weight*k.Value), 1) // (dst + Value)^1
	case Sum:
		for _, t := range k {
			addValues(t.Kernel, weight*t.Weight, p, i, dst, products, near)
		}
	default:
		refuse(k)
	}
}

func refuse(k Kernel) { panic(fmt.Sprintf("kernel: unknown kernel %T", k)) }

// distant is the value of k for two examples of that squared distance.
func distant[T vec.Float](k Gaussian, distance T) T {
	v := [1]T{distance}
	vec.ExpScaled(v[:], T(-k.Gamma), v[:])
	return v[0]
}
