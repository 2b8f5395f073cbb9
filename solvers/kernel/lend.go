package kernel

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Lent are rows of a Matrix that are read where they lie, from Lend to Return. The zero value is ready for use, and an
// old one is used again without allocation.
type Lent[T vec.Float] struct {
	Rows [][]T // not to be changed

	kept    []*kept[T] // where they are
	missing []int      // places of the rows that were not in memory
	index   []int      // these rows
	into    [][]T      // their memory
}

// Lend makes l the given rows of K, each n numbers, until Return: no copies are made of rows that are kept. Others are
// computed as by Rows, and kept if there is room. Rows that lie beside the budget take as much memory as a copy. It
// panics as Rows does.
func (m *Matrix[T]) Lend(l *Lent[T], rows []int, workers int) {
	workers, err := parallel.Cores(workers, m.n)
	if err != nil {
		panic(shape.Errorf("kernel: Matrix.Lend", "%v", err))
	}
	m.mustHold("Matrix.Lend", rows...)
	m.lend(l, rows, keep, workers)
}

// Return ends Lend: the rows of l must not be read any more.
func (m *Matrix[T]) Return(l *Lent[T]) {
	c := m.cache
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, k := range l.kept {
		if k != nil {
			c.add(k, -1)
		}
	}
	l.clear()
}

func (l *Lent[T]) clear() {
	clear(l.Rows)
	clear(l.kept)
	clear(l.into)
	l.Rows, l.kept, l.missing, l.index, l.into = l.Rows[:0], l.kept[:0], l.missing[:0], l.index[:0], l.into[:0]
}

// lent returns memory for lent rows, which goes back to m.lents.
func (m *Matrix[T]) lent() *Lent[T] {
	if l, ok := m.lents.Get().(*Lent[T]); ok {
		return l
	}
	return new(Lent[T])
}

// lending says what becomes of rows that are not in memory.
type lending int

const (
	held  lending = iota // they are not lent
	aside                // they are computed, and not kept
	keep                 // they are computed, and kept if there is room
)

func (m *Matrix[T]) lend(l *Lent[T], rows []int, how lending, workers int) {
	m.cache.hold(l, rows, how)
	for from := 0; from < len(l.into); from += batchRows {
		to := min(from+batchRows, len(l.into))
		m.count.Add(int64(m.source.compute(l.into[from:to], l.index[from:to], workers)))
	}
	if len(l.into) > 0 {
		m.cache.publish(l)
	}
}

// hold pins the rows that are in memory, and memory for the others.
func (c *cache[T]) hold(l *Lent[T], rows []int, how lending) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	l.clear()
	for p, i := range rows {
		k := c.find(i)
		if k != nil {
			k.asked = true
		} else {
			l.missing, l.index = append(l.missing, p), append(l.index, i)
			if how == keep {
				k = c.free()
			}
			if k == nil && how != held {
				k = c.beside()
			}
			if k != nil {
				l.into = append(l.into, k.values)
			}
		}
		var row []T
		if k != nil {
			c.add(k, 1)
			row = k.values
		}
		l.Rows, l.kept = append(l.Rows, row), append(l.kept, k)
	}
}

// publish puts the computed rows into the cache, except where other goroutines were quicker: then l holds what these
// made.
func (c *cache[T]) publish(l *Lent[T]) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for q, p := range l.missing {
		i, k := l.index[q], l.kept[p]
		if other := c.find(i); other != nil {
			c.add(k, -1)
			c.add(other, 1)
			l.kept[p], l.Rows[p] = other, other.values
			continue
		}
		c.assign(i, k)
	}
}
