package vec

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/gemm"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
)

// closeness is the part of |x|² + |z|² below which a squared distance computed from the two has lost too many digits.
const closeness = 1.0 / 16

// SquaredDistances sets dst[i, j] = |x_i - z_j|² for all pairs of a row x_i of x and a row z_j of z: for m and n rows
// of d columns dst is m-by-n. dst may overlap neither x nor z. It panics unless the sizes fit together.
//
// It computes |x_i|² + |z_j|² - 2 x_i·z_j, with one product of matrices: O(m n d). Where this cancels to less than a
// sixteenth of |x_i|² + |z_j|², or is not finite, it computes the pair anew as [SquaredDistance] does. So no distance
// is negative, equal rows have the distance 0 exactly, and the relative error is at most 32(d+3)u to first order,
// underflow apart. Where most rows lie close together compared with their distance from 0 this is several times slower:
// subtract their mean first.
func SquaredDistances[T Float](dst, x, z Matrix[T]) {
	squaredDistances("SquaredDistances", dst, x, z, 1)
}

// SquaredDistancesWorkers is [SquaredDistances] by up to workers goroutines, all cores for 0: see the overview.
func SquaredDistancesWorkers[T Float](dst, x, z Matrix[T], workers int) {
	const name = "SquaredDistancesWorkers"
	squaredDistances(name, dst, x, z, team(name, workers))
}

func squaredDistances[T Float](function string, dst, x, z Matrix[T], workers int) {
	if x.Cols != z.Cols || dst.Rows != x.Rows || dst.Cols != z.Rows {
		panic(unfit(function, "dst is %dx%d, but x is %dx%d and z is %dx%d", dst.Rows, dst.Cols, x.Rows, x.Cols, z.Rows,
			z.Cols))
	}
	x.demand(function)
	z.demand(function)
	dst.demand(function)
	allDistances(dst, x, z, workers)
}

// allDistances is apart from the checks, which take addresses: what goroutines share by address is allocated.
func allDistances[T Float](dst, x, z Matrix[T], workers int) {
	if dst.Rows == 0 || dst.Cols == 0 {
		return
	}
	if x.Cols == 0 {
		for i := range dst.Rows {
			clear(dst.Row(i))
		}
		return
	}
	norms := gemm.Borrow[T](dst.Cols)
	defer norms.Return()
	nz := norms.Slice()
	for j := range nz {
		nz[j] = SquaredNorm(z.Row(j))
	}
	// The rows at a time are so few that the products are still in the cache when the norms join them, and enough that
	// it pays to copy z for them anew.
	rows := max(128, 1<<18/(dst.Cols*int(unsafe.Sizeof(nz[0]))))
	pieces := shape.Pieces(dst.Rows, rows)
	if workers == 1 {
		for p := range pieces {
			distances(p, rows, x, z, nz, dst)
		}
		return
	}
	parallel.Do(gemm.Workers(workers, dst.Rows, dst.Cols, x.Cols), pieces,
		func(_, p int) { distances(p, rows, x, z, nz, dst) })
}

// distances computes piece p of dst, which has rows rows.
func distances[T Float](p, rows int, x, z Matrix[T], nz []T, dst Matrix[T]) {
	from, to := p*rows, min(p*rows+rows, dst.Rows)
	xs, part := x.Slice(from, to, 0, x.Cols), dst.Slice(from, to, 0, dst.Cols)
	Gemm(NoTrans, Transposed, -2, xs, z, 0, part)
	for i := range part.Rows {
		addNorms(xs.Row(i), z, nz, part.Row(i))
	}
}

// addNorms makes distances of the products dst[j] = -2 x·z_j.
func addNorms[T Float](x []T, z Matrix[T], nz, dst []T) {
	nx, largest := SquaredNorm(x), T(math.MaxFloat32)
	double := math.MaxFloat64
	if !isF32[T]() {
		largest = T(double)
	}
	dst = dst[:len(nz)]
	for j, n := range nz {
		sum := nx + n
		d := sum + dst[j]
		if !(d >= closeness*sum && sum <= largest) {
			d = SquaredDistance(x, z.Row(j))
		}
		dst[j] = d
	}
}
