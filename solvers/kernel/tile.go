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
	own        vec.Matrix[T]
	wide       vec.Matrix[S]
}

// take begins with other columns.
func (t *tile[T, S]) take(cols []int) {
	t.cols, t.packed, t.neighbours = cols, false, core.Run(cols)
}

// values returns the tile with the rows of b, until the next call.
func (t *tile[T, S]) values(m *Matrix[T], b *blockRows[T]) vec.Matrix[S] {
	rows, cols := len(b.held.Rows), len(t.cols)
	if t.own.Rows == 0 {
		t.own, t.to = vec.NewMatrix[T](edge, edge), make([][]T, edge)
		for q := range t.to {
			t.to[q] = t.own.Row(q)
		}
	}
	k := t.own.Slice(0, rows, 0, cols)
	switch {
	case b.examples != nil:
		t.compute(m, b.examples)
	case t.neighbours:
		for q, row := range b.held.Rows {
			copy(k.Row(q), row[t.cols[0]:])
		}
	default:
		for q, row := range b.held.Rows {
			core.Choose(k.Row(q), row, t.cols)
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
func (t *tile[T, S]) compute(m *Matrix[T], b *batch[T]) {
	if t.window == nil {
		t.window, t.panels = m.window(), core.Aligned[T](m.edge(), m.d).Data
	}
	w, cols := t.window, unchecked.PanelCols[T]()
	w.batch, w.all, w.from, w.to = b, t.cols, 0, len(t.cols)
	for q := 0; q < len(t.cols) && !t.packed; q += cols {
		w.pack(t.panels[q*m.d:], q, min(q+cols, len(t.cols)))
	}
	t.packed = true
	w.compute(t.panels, t.to)
	w.batch, w.all = nil, nil
}
