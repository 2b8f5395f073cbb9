package kernel

import (
	"github.com/dualgap/dualgap/vec"

	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
)

// borrowed are rows of a Matrix that are read where they lie: in memory already, or computed, and kept if there is
// room.
type borrowed[T vec.Float] struct {
	to      [][]T         // the rows
	held    []*kept[T]    // where they are kept; nil: elsewhere
	scratch vec.Matrix[T] // for these

	// The rows that have to be computed: their places in to, their places in the cache or -1, their numbers, their
	// memory.
	missing, at, index []int
	into               [][]T
}

// borrowing returns memory for borrowed rows, which goes back to m.borrows.
func (m *Matrix[T]) borrowing() *borrowed[T] {
	if l, ok := m.borrows.Get().(*borrowed[T]); ok {
		return l
	}
	return new(borrowed[T])
}

// borrow makes l the given rows of a matrix that is no Subset and not precomputed, to be read until giveBack. A row p
// that is not kept lies in row p of room, which may be the zero Matrix: then memory is taken for it.
func (m *Matrix[T]) borrow(l *borrowed[T], rows []int, room vec.Matrix[T], workers int) {
	m.cache.begin(l, rows, room)
	if len(l.missing) > 0 {
		m.compute(workers, l.index, nil, l.into)
		m.count.Add(int64(len(l.missing)))
		m.cache.finish(l)
	}
}

func (m *Matrix[T]) giveBack(l *borrowed[T]) {
	c := m.cache
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, k := range l.held {
		if k != nil {
			c.addInner(k, -1)
		}
	}
	clear(l.to)
	clear(l.held)
}

// begin holds the rows that are in memory, and memory for the others.
func (c *cache[T]) begin(l *borrowed[T], rows []int, room vec.Matrix[T]) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	l.to, l.held = l.to[:0], l.held[:0]
	l.missing, l.at, l.index, l.into = l.missing[:0], l.at[:0], l.index[:0], l.into[:0]
	homeless := false
	for p, i := range rows {
		k := c.find(i)
		if k != nil {
			k.asked = true
		} else {
			at := c.free()
			if at >= 0 {
				k = &c.kept[at]
			} else {
				homeless = true
			}
			l.missing, l.at, l.index = append(l.missing, p), append(l.at, at), append(l.index, i)
		}
		row := []T(nil)
		if k != nil {
			c.addInner(k, 1)
			row = k.values
		}
		l.to, l.held = append(l.to, row), append(l.held, k)
	}
	if homeless && room.Rows == 0 {
		if len(rows) > l.scratch.Rows || c.n > l.scratch.Cols {
			l.scratch = core.Aligned[T](len(rows), c.n)
		}
		room = l.scratch.Slice(0, len(rows), 0, c.n)
	}
	for q, p := range l.missing {
		if l.at[q] < 0 {
			l.to[p] = room.Row(p)
		}
		l.into = append(l.into, l.to[p])
	}
}

// finish moves the computed rows to the cache, except where other goroutines were quicker.
func (c *cache[T]) finish(l *borrowed[T]) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for q, p := range l.missing {
		if at := l.at[q]; at >= 0 {
			l.held[p] = c.settle(l.index[q], at)
			l.to[p] = l.held[p].values
		}
	}
	clear(l.into)
}

// settle makes the memory at a place, which is held, row i, unless that has got into memory meanwhile: then it holds
// that in its stead. It returns what is held.
func (c *cache[T]) settle(i, at int) *kept[T] {
	if other := c.find(i); other != nil {
		c.addInner(&c.kept[at], -1)
		c.addInner(other, 1)
		return other
	}
	return c.assign(i, at)
}

// addInner is add for pins by this package, which Release must not end.
func (c *cache[T]) addInner(k *kept[T], pins int32) {
	k.inner += pins
	c.add(k, pins)
}
