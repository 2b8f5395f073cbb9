package kernel

import (
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// sparseVectors are support vectors in sparse rows, and the same numbers feature by feature: an example meets those of
// its own features only. Features that no support vector has are in no list, so that memory does not grow with d.
type sparseVectors[T vec.Float] struct {
	x     *sparseRows[T]
	norms []T

	features []int32 // that support vectors have, ascending
	start    []int   // numbers of feature features[f] are at start[f] to start[f+1] of:
	who      []int32 // support vectors, ascending
	with     []T     // their numbers
}

func newSparseVectors[T vec.Float](x *sparseRows[T]) *sparseVectors[T] {
	v := &sparseVectors[T]{x: x, norms: make([]T, x.len())}
	v.features = slices.Clone(x.columns)
	slices.Sort(v.features)
	v.features = slices.Clip(slices.Compact(v.features))
	v.start = make([]int, len(v.features)+1)
	for _, c := range x.columns {
		f, _ := slices.BinarySearch(v.features, c)
		v.start[f+1]++
	}
	for f := range v.features {
		v.start[f+1] += v.start[f]
	}
	v.who, v.with = make([]int32, len(x.columns)), make([]T, len(x.columns))
	next := slices.Clone(v.start)
	for p := range x.len() {
		r := x.row(p)
		v.norms[p] = vec.SquaredNorm(r.values)
		for k, c := range r.columns {
			f, _ := slices.BinarySearch(v.features, c)
			v.who[next[f]], v.with[next[f]] = int32(p), r.values[k]
			next[f]++
		}
	}
	return v
}

// blockRows keeps the kernel's values within 2^20 numbers.
func (v *sparseVectors[T]) blockRows() int { return min(64, max(1, 1<<20/max(1, v.x.len()))) }

func (v *sparseVectors[T]) scores(k Kernel, dst, a vec.Matrix[T], x solvers.Features[T], rows []int, s *scratch[T]) {
	s.values = atLeast(s.values, len(rows), v.x.len())
	values := s.values.Slice(0, len(rows), 0, v.x.len())
	each(x, rows, s, func(p int, r sparseRow[T]) {
		evaluate[T](k, sparsePairs[T]{r, v}, values.Slice(p, p+1, 0, values.Cols))
	})
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, values, a, 1, dst)
}

// sparsePairs are an example and all support vectors.
type sparsePairs[T vec.Float] struct {
	example sparseRow[T]
	v       *sparseVectors[T]
}

func (p sparsePairs[T]) products(dst vec.Matrix[T]) {
	to, v, f := dst.Row(0), p.v, 0
	clear(to)
	for k, c := range p.example.columns {
		step, found := slices.BinarySearch(v.features[f:], c)
		f += step
		if found {
			vec.SparseAxpy(p.example.values[k], v.who[v.start[f]:v.start[f+1]], v.with[v.start[f]:v.start[f+1]], to)
		}
	}
}

func (p sparsePairs[T]) distances(dst vec.Matrix[T]) {
	p.products(dst)
	expand(dst.Row(0), vec.SquaredNorm(p.example.values), p.v.norms, func(j int) T {
		return p.example.squaredDistance(p.v.x.row(j))
	})
}
