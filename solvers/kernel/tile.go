package kernel

import (
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// tile is a goroutine's scratch memory for tiles of K with the same columns, as numbers of type S.
type tile[T, S vec.Float] struct {
	cols       []int
	neighbours bool // they follow one another
	packed     bool // they are in panels
	panels     []T
	window     *window[T]
	to         [][]T
	single     *tile[float32, float64] // of products that are exact in float32
	own        vec.Matrix[T]
	wide       vec.Matrix[S]
}

// take begins with other columns.
func (t *tile[T, S]) take(cols []int) {
	t.cols, t.packed, t.neighbours = cols, false, core.Run(cols)
}

// values returns the tile with the rows of b, until the next call.
func (t *tile[T, S]) values(m *Matrix[T], b *blockRows[T]) vec.Matrix[S] {
	rows, cols := b.to-b.from, len(t.cols)
	if t.own.Rows == 0 {
		t.own, t.to = vec.NewMatrix[T](edge, edge), make([][]T, edge)
		for q := range t.to {
			t.to[q] = t.own.Row(q)
		}
	}
	k := t.own.Slice(0, rows, 0, cols)
	switch {
	case b.examples != nil:
		t.compute(m, b)
	case t.neighbours:
		for q, row := range b.held.Rows {
			copy(k.Row(q), row[t.cols[0]:])
		}
	default:
		for q, row := range b.held.Rows {
			unchecked.Take(k.Row(q), row, t.cols)
		}
	}
	if same, ok := any(k).(vec.Matrix[S]); ok {
		return same
	}
	t.wide = core.AtLeast(t.wide, edge, edge)
	w := t.wide.Slice(0, rows, 0, cols)
	for q := range rows {
		vec.Convert(w.Row(q), k.Row(q))
	}
	return w
}

// compute sets own to the tile with the rows of b.
func (t *tile[T, S]) compute(m *Matrix[T], b *blockRows[T]) {
	if t.window == nil {
		t.window = m.window()
	}
	w := t.window
	w.batch, w.all, w.from, w.to = b.examples, t.cols, 0, len(t.cols)
	if m.single != nil {
		w.evaluate(t.exact(m, b), t.to)
	} else {
		t.pack(m)
		w.compute(t.panels, t.to)
	}
	w.batch, w.all = nil, nil
}

// pack makes the panels of the columns, once.
func (t *tile[T, S]) pack(m *Matrix[T]) {
	if t.panels == nil {
		t.panels = core.Aligned[T](m.edge(), m.d).Data
	}
	cols := unchecked.PanelCols[T]()
	for q := 0; q < len(t.cols) && !t.packed; q += cols {
		t.window.pack(t.panels[q*m.d:], q, min(q+cols, len(t.cols)))
	}
	t.packed = true
}

// exact returns the tile's inner products, which are exact in float32.
func (t *tile[T, S]) exact(m *Matrix[T], b *blockRows[T]) vec.Matrix[T] {
	if t.single == nil {
		t.single = new(tile[float32, float64])
	}
	if !t.packed {
		t.single.take(t.cols)
		t.packed = true
	}
	products := t.single.values(m.single, &blockRows[float32]{from: b.from, to: b.to, examples: b.single})
	return any(products).(vec.Matrix[T])
}
