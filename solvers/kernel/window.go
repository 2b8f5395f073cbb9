package kernel

import (
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// batch is the rows of one call of compute, of dense examples.
type batch[T vec.Float] struct {
	rows    []int
	x       vec.Matrix[T] // their examples
	centred vec.Matrix[T] // less the mean
	norms   []T           // of these
	left    unchecked.Left[T]
	room    []T // that left lies in
}

// batch returns the examples of rows, ready for products. It goes back to m.batches.
func (m *Matrix[T]) batch(rows []int) *batch[T] {
	b, _ := m.batches.Get().(*batch[T])
	if b == nil || b.x.Rows < len(rows) {
		b = &batch[T]{x: core.Aligned[T](len(rows), m.d)}
		if m.panels.mean != nil {
			b.centred = core.Aligned[T](len(rows), m.d)
		}
	}
	b.rows = append(b.rows[:0], rows...)
	x := b.x.Slice(0, len(rows), 0, m.d)
	m.x.Gather(x, b.rows)
	b.norms = b.norms[:0]
	for _, i := range rows {
		b.norms = append(b.norms, m.panels.norms[i])
	}
	if m.panels.mean != nil {
		centred := b.centred.Slice(0, len(rows), 0, m.d)
		for p := range x.Rows {
			copy(centred.Row(p), x.Row(p))
		}
		subtract(m.panels.mean, centred)
		x = centred
	}
	if need := unchecked.LeftRoom[T](x.Rows, x.Cols); len(b.room) < need {
		b.room = make([]T, need)
	}
	b.left.Lay(&x, b.room)
	return b
}

// subtract takes mean, nil for none, from every row of x.
func subtract[T vec.Float](mean []T, x vec.Matrix[T]) {
	if mean == nil {
		return
	}
	for i := range x.Rows {
		vec.Axpy(-1, mean, x.Row(i))
	}
}

// window is a goroutine's part of the columns of a batch, and its scratch memory. It is the pairs of the two.
type window[T vec.Float] struct {
	m *Matrix[T]
	*batch[T]
	all      []int // columns; nil for all examples
	from, to int   // places in all

	index    []int         // examples of some of these columns
	z        vec.Matrix[T] // those examples
	panel    []T
	nz       []T // norms of the columns from, ..., to-1 where they are not all examples
	products []T
	near     []int32
}

// window returns scratch memory, which goes back to m.windows.
func (m *Matrix[T]) window() *window[T] {
	if w, ok := m.windows.Get().(*window[T]); ok {
		return w
	}
	return &window[T]{m: m}
}

// column is the example of the column at place q.
func (w *window[T]) column(q int) int {
	if w.all == nil {
		return q
	}
	return w.all[q]
}

// compute sets dst[p][q] for every row and the columns at places from, ..., to-1, of which packed are the panels; nil:
// they are made one by one.
func (w *window[T]) compute(packed []T, dst [][]T) {
	count, cols := w.to-w.from, unchecked.PanelCols[T]()
	products := w.room(len(w.rows), count)
	if packed != nil {
		w.left.Times(&products, packed)
	} else {
		if w.panel == nil {
			w.panel = core.Aligned[T](w.m.d, cols).Data
		}
		for q := 0; q < count; q += cols {
			part := products.Slice(0, len(w.rows), q, min(q+cols, count))
			w.pack(w.panel, w.from+q, w.from+q+part.Cols)
			w.left.Times(&part, w.panel)
		}
	}
	w.evaluate(products, dst)
}

// evaluate sets dst as compute does, from the inner products.
func (w *window[T]) evaluate(products vec.Matrix[T], dst [][]T) {
	if len(w.near) < products.Cols {
		w.near = make([]int32, products.Cols)
	}
	if w.all != nil {
		w.nz = w.nz[:0]
		for _, j := range w.all[w.from:w.to] {
			w.nz = append(w.nz, w.m.panels.norms[j])
		}
	}
	for p := range w.rows {
		values[T](w.m.k, w, p, dst[p][w.from:w.to], products.Row(p), w.near)
	}
}

// pack makes panel the panel of the columns at the given places, at most as many as one has, and returns their
// examples less the mean.
func (w *window[T]) pack(panel []T, from, to int) vec.Matrix[T] {
	z := w.gather(from, to)
	subtract(w.m.panels.mean, z)
	if panel != nil {
		unchecked.PackPanel(panel, &z)
	}
	return z
}

// gather returns the examples of the columns at the given places.
func (w *window[T]) gather(from, to int) vec.Matrix[T] {
	w.index = w.index[:0]
	for q := from; q < to; q++ {
		w.index = append(w.index, w.column(q))
	}
	if w.z.Rows < to-from {
		w.z = core.Aligned[T](to-from, w.m.d)
	}
	z := w.z.Slice(0, to-from, 0, w.m.d)
	w.m.x.Gather(z, w.index)
	return z
}

// room returns memory for rows-by-cols products. Rows of it are not a power of two apart, where they would compete for
// places in the cache.
func (w *window[T]) room(rows, cols int) vec.Matrix[T] {
	stride := shape.Padded(cols, 64) + 16
	if len(w.products) < rows*stride {
		w.products = core.Aligned[T](rows, stride).Data
	}
	return vec.Matrix[T]{Rows: rows, Cols: cols, Data: w.products, Stride: stride}
}

func (w *window[T]) norms(i int) (nx T, nz []T) {
	if w.all == nil {
		return w.batch.norms[i], w.m.panels.norms[w.from:w.to]
	}
	return w.batch.norms[i], w.nz
}

// distance takes the examples as they are. What was subtracted from both makes no difference but for rounding.
func (w *window[T]) distance(i, j int) T {
	z := w.gather(w.from+j, w.from+j+1)
	return vec.SquaredDistance(w.x.Row(i), z.Row(0))
}
