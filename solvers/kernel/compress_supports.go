package kernel

import (
	"cmp"
	"slices"

	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// supports are support vectors as a compression sees them.
type supports struct {
	compare func(p, q int) int                        // 0 where they have the same features
	rows    func(dst vec.Matrix[float64], list []int) // sets dst to the rows list of their kernel matrix
}

func (v denseVectors[T]) supports(k Kernel) supports {
	x := vec.NewMatrix[float64](v.x.Rows, v.x.Cols)
	for p := range x.Rows {
		vec.Convert(x.Row(p), v.x.Row(p))
	}
	wide := newDenseVectors(k, x)
	var room vec.Matrix[float64]
	z := wide.centre(x, &room)
	return supports{
		func(p, q int) int { return slices.Compare(v.x.Row(p), v.x.Row(q)) },
		func(dst vec.Matrix[float64], list []int) {
			pairs := dense[float64]{core.Pick(z, list), z, core.Pick(x, list), x, make([]float64, len(list)),
				wide.norms}
			core.Choose(pairs.nx, wide.norms, list)
			evaluate[float64](k, pairs, dst)
		},
	}
}

func (v *sparseVectors[T]) supports(k Kernel) supports {
	norms := make([]float64, v.x.len())
	for p := range norms {
		for _, x := range v.x.row(p).values {
			norms[p] += float64(x) * float64(x)
		}
	}
	wide := widen(v.transposed, norms)
	return supports{
		func(p, q int) int {
			a, b := v.x.row(p), v.x.row(q)
			return cmp.Or(slices.Compare(a.columns, b.columns), slices.Compare(a.values, b.values))
		},
		func(dst vec.Matrix[float64], list []int) {
			for q, p := range list {
				evaluate[float64](k, sparsePairs[float64]{wide.row(p), norms[p], wide}, dst.Slice(q, q+1, 0, dst.Cols))
			}
		},
	}
}

func (v denseVectors[T]) pick(k Kernel, _ int, places []int) (vectors[T], error) {
	return newDenseVectors(k, core.Pick(v.x, places)), nil
}

func (v *sparseVectors[T]) pick(_ Kernel, d int, places []int) (vectors[T], error) {
	x := &sparseRows[T]{ptr: []int{0}}
	for _, p := range places {
		r := v.x.row(p)
		x.columns, x.values = append(x.columns, r.columns...), append(x.values, r.values...)
		x.ptr = append(x.ptr, len(x.values))
	}
	return newSparseVectors(x, d)
}
