package kernel

import "github.com/dualgap/dualgap/internal/shape"

// Pin returns row i of K where it lies: no copy of it is made, and it must not be changed. A row that is not there yet
// is computed. It stays where it is until Release has been called as many times as Pin, by whatever goroutine. It
// panics where i is out of range.
//
// While all rows that the budget has room for are pinned, further ones lie in memory of their own, beside the budget,
// until they are released; so do the rows of a Subset at all times. O(1) for a row that is there, without allocation;
// else the cost of Rows.
func (m *Matrix[T]) Pin(i int) []T {
	m.mustHold("Matrix.Pin", i)
	if row := m.cache.pin(i); row != nil {
		return row
	}
	l := m.lent()
	defer m.lents.Put(l)
	m.lend(l, []int{i}, keep, 1)
	row := l.Rows[0]
	l.clear()
	return row
}

// Release ends a Pin of row i, whose numbers must not be read any more unless others have pinned it. It panics where i
// is out of range or not pinned. O(1).
func (m *Matrix[T]) Release(i int) {
	m.mustHold("Matrix.Release", i)
	c := m.cache
	c.mutex.Lock()
	defer c.mutex.Unlock()
	k := c.find(i)
	if k == nil || k.pins == 0 {
		panic(shape.Errorf("kernel: Matrix.Release", "row %d is not pinned", i))
	}
	c.add(k, -1)
}

// mustHold panics unless all of list are examples.
func (m *Matrix[T]) mustHold(function string, list ...int) {
	for p, i := range list {
		if uint(i) >= uint(m.n) {
			panic(shape.Errorf("kernel: "+function, "example %d at place %d, want one in 0..%d", i, p, m.n-1))
		}
	}
}

// pin returns row i, pinned once more, or nil where it is not in memory.
func (c *cache[T]) pin(i int) []T {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	k := c.find(i)
	if k == nil {
		return nil
	}
	k.asked = true
	c.add(k, 1)
	return k.values
}
