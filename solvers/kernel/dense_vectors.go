package kernel

import (
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// denseVectors are support vectors as rows of a matrix. Distances are computed from vectors less the mean, as a Matrix
// does.
type denseVectors[T vec.Float] struct {
	x     vec.Matrix[T]
	mean  []T // nil where nothing is subtracted
	norms []T // squared, of x less mean
}

func newDenseVectors[T vec.Float](k Kernel, x vec.Matrix[T]) denseVectors[T] {
	if _, products := looksAt(k); products || x.Rows == 0 {
		return denseVectors[T]{x, nil, norms(x)}
	}
	v := denseVectors[T]{x, mean(x.Rows, x.Cols, x.Row), make([]T, x.Rows)}
	row := core.Aligned[T](1, x.Cols)
	for p := range v.norms {
		copy(row.Row(0), x.Row(p))
		subtract(v.mean, row)
		v.norms[p] = vec.SquaredNorm(row.Row(0))
	}
	return v
}

// blockRows is also the number of support vectors that they meet at a time.
func (v denseVectors[T]) blockRows() int { return min(256, max(16, 1<<20/v.x.Cols)) }

func (v denseVectors[T]) scores(k Kernel, dst, a vec.Matrix[T], x design.Matrix[T], rows []int, s *core.Scratch[T]) {
	size, d := v.blockRows(), v.x.Cols
	s.X, s.Values = core.AtLeast(s.X, len(rows), d), core.AtLeast(s.Values, len(rows), min(size, v.x.Rows))
	examples := s.X.Slice(0, len(rows), 0, d)
	x.Gather(examples, rows)
	p := dense[T]{x: v.centre(examples, &s.Z), rawX: examples}
	s.Norms = s.Norms[:0]
	for i := range rows {
		s.Norms = append(s.Norms, vec.SquaredNorm(p.x.Row(i)))
	}
	p.nx = s.Norms
	for j := 0; j < v.x.Rows; j += size {
		to := min(j+size, v.x.Rows)
		p.rawZ = v.x.Slice(j, to, 0, d)
		p.z, p.nz = v.centre(p.rawZ, &s.Support), v.norms[j:to]
		values := s.Values.Slice(0, len(rows), 0, to-j)
		evaluate[T](k, p, values)
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, values, a.Slice(j, to, 0, a.Cols), 1, dst)
	}
}

// centre returns x less the mean: x itself where that is nil, else a copy in room.
func (v denseVectors[T]) centre(x vec.Matrix[T], room *vec.Matrix[T]) vec.Matrix[T] {
	if v.mean == nil {
		return x
	}
	*room = core.AtLeast(*room, x.Rows, x.Cols)
	c := room.Slice(0, x.Rows, 0, x.Cols)
	for i := range x.Rows {
		copy(c.Row(i), x.Row(i))
	}
	subtract(v.mean, c)
	return c
}
