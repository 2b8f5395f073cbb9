package kernel

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// piece is how many columns are taken at a time: their products and norms stay in the first-level cache for all kernels
// of a group.
const piece = 2048

// bundleScratch is scratch memory of a call.
type bundleScratch[T vec.Float] struct {
	loan   loan[T]
	block  vec.Matrix[T] // of products
	to     [][]T         // its rows
	wanted []int         // kernels of a group
	norms  []T           // of the columns
	pieces []bundlePiece[T]
}

// values makes values of some rows, those from place from on, of the products of a group.
func (c *bundleCall[T]) values(g *bundleGroup[T], s *bundleScratch[T], from int, some []int, products [][]T,
	workers int) {
	m, count := g.products, c.count()
	var norms []T // of a given matrix there are none, and none are asked for
	if m != nil {
		norms = m.productNorms()
	}
	all := norms
	if m != nil && c.cols != nil {
		s.norms = s.norms[:0]
		for _, j := range c.cols {
			s.norms = append(s.norms, all[j])
		}
		norms = s.norms
	}
	for len(s.pieces) < workers {
		s.pieces = append(s.pieces, bundlePiece[T]{near: make([]int32, piece)})
	}
	parallel.Do(workers, (count+piece-1)/piece, func(w, q int) {
		t := &s.pieces[w]
		start, end := q*piece, min((q+1)*piece, count)
		t.m, t.cols, t.from = m, c.cols, start
		if m != nil {
			t.nz = norms[start:end]
		}
		for p, i := range some {
			if t.row = i; m != nil {
				t.nx = all[i]
			}
			v := products[p][start:end]
			for _, k := range s.wanted {
				if c.each != nil {
					values(g.kernels[k], t, 0, c.each[g.first+k].Row(from + p)[start:end], v, t.near)
				} else {
					addValues(g.kernels[k], c.weights[g.first+k], t, 0, c.sum.Row(from + p)[start:end], v, t.near)
				}
			}
		}
		t.m, t.cols, t.nz = nil, nil, nil
	})
}

// productNorms returns |x|² of the examples whose inner products the rows are.
func (m *Matrix[T]) productNorms() []T {
	if m.thin {
		return m.norms
	}
	m.prepare(1)
	return m.panels.norms
}

// bundlePiece is the distances of an example from neighbouring columns, and scratch memory of a goroutine.
type bundlePiece[T vec.Float] struct {
	m    *Matrix[T]
	row  int
	nx   T
	cols []int // nil for all
	from int   // the first column
	nz   []T
	near []int32
	pair vec.Matrix[T]
}

func (t *bundlePiece[T]) norms(int) (nx T, nz []T) { return t.nx, t.nz }

func (t *bundlePiece[T]) distance(_, j int) T {
	j += t.from
	if t.cols != nil {
		j = t.cols[j]
	}
	if j == t.row {
		return 0
	}
	if t.m.thin {
		return t.m.sparse.row(t.row).squaredDistance(t.m.sparse.row(j))
	}
	if t.pair.Cols < t.m.d {
		t.pair = aligned[T](2, t.m.d)
	}
	pair := t.pair.Slice(0, 2, 0, t.m.d)
	t.m.x.Gather(pair, []int{t.row, j})
	return vec.SquaredDistance(pair.Row(0), pair.Row(1))
}
