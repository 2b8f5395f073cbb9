package kernel

import "github.com/dualgap/dualgap/vec"

// unit is what the numbers of rows and of columns of a product are multiples of, if need be with the last example
// repeated. Then package vec computes all products of dense examples in one way, and each has the same bits wherever it
// is.
const unit = 32

// filled is n filled up to a multiple of unit.
func filled(n int) int { return (n + unit - 1) / unit * unit }

// edge is the most rows and columns of a tile: as many as keep the examples of one side within 2^20 numbers.
func (m *Matrix[T]) edge() int { return min(128, max(unit, 1<<20/max(1, m.d)/unit*unit)) }

// tile is scratch memory of one goroutine for a part of K.
type tile[T vec.Float] struct {
	rows, cols side[T]
	values     vec.Matrix[T]
	pair       vec.Matrix[T] // two examples of a thin Matrix
	list       []int
}

// side is the examples of the rows of a tile, or of its columns.
type side[T vec.Float] struct {
	index []int
	norms []T
	x     vec.Matrix[T] // not of a thin Matrix
}

// tile returns scratch memory, which goes back to m.tiles.
func (m *Matrix[T]) tile() *tile[T] {
	if t, ok := m.tiles.Get().(*tile[T]); ok {
		return t
	}
	t := &tile[T]{values: vec.NewMatrix[T](m.edge(), m.edge())}
	if m.thin {
		t.pair = aligned[T](2, m.d)
	}
	return t
}

// take makes the given examples of m, at most edge, the side.
func (s *side[T]) take(m *Matrix[T], examples []int) {
	s.index = append(s.index[:0], examples...)
	if !m.thin {
		for len(s.index)%unit != 0 {
			s.index = append(s.index, s.index[len(s.index)-1])
		}
		if s.x.Rows == 0 {
			s.x = aligned[T](m.edge(), m.d)
		}
		m.x.Gather(s.x.Slice(0, len(s.index), 0, m.d), s.index)
	}
	s.norms = s.norms[:0]
	for _, i := range s.index {
		s.norms = append(s.norms, m.norms[i])
	}
}

// between returns K[rows, cols] of two sides, and what they are filled up with.
func (m *Matrix[T]) between(rows, cols *side[T], t *tile[T]) vec.Matrix[T] {
	values := t.values.Slice(0, len(rows.index), 0, len(cols.index))
	if m.thin {
		evaluate[T](m.k, thinSides[T]{m, rows, cols, t.pair}, values)
		return values
	}
	x, z := rows.x.Slice(0, values.Rows, 0, m.d), cols.x.Slice(0, values.Cols, 0, m.d)
	evaluate[T](m.k, dense[T]{x, z, rows.norms, cols.norms}, values)
	return values
}

// thinSides are examples in a storage that multiplies them faster than gathered ones.
type thinSides[T vec.Float] struct {
	m          *Matrix[T]
	rows, cols *side[T]
	pair       vec.Matrix[T]
}

func (p thinSides[T]) products(dst vec.Matrix[T]) { p.m.x.Gram(dst, p.rows.index, p.cols.index) }

func (p thinSides[T]) distances(dst vec.Matrix[T]) {
	p.products(dst)
	for q, i := range p.rows.index {
		expand(dst.Row(q), p.rows.norms[q], p.cols.norms, func(j int) T {
			if j = p.cols.index[j]; i == j {
				return 0
			}
			p.m.x.Gather(p.pair, []int{i, j})
			return vec.SquaredDistance(p.pair.Row(0), p.pair.Row(1))
		})
	}
}
