package kernel

import (
	"github.com/dualgap/dualgap/internal/shape"

	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
)

// Pin returns row i of K where it lies: no copy of it is made, and it must not be changed. A row that is not there yet
// is computed. It stays where it is until Release has been called as many times as Pin, by whatever goroutine. It
// panics where i is out of range.
//
// While all rows that the budget has room for are pinned, further ones lie in memory of their own, beside the budget,
// until they are released; so do the rows of a Subset at all times. O(1) for a row that is there, without allocation;
// else the cost of Rows.
func (m *Matrix[T]) Pin(i int) []T {
	m.mustHave("Matrix.Pin", i)
	c := m.cache
	if row := c.pin(i); row != nil {
		return row
	}
	k, at := c.reserve()
	m.from().fill(k.values, i)
	return c.publish(i, k, at)
}

// Release ends a Pin of row i, whose numbers must not be read any more unless others have pinned it. It panics where i
// is out of range or not pinned. O(1).
func (m *Matrix[T]) Release(i int) {
	m.mustHave("Matrix.Release", i)
	if !m.cache.release(i) {
		panic(shape.Errorf("kernel: Matrix.Release", "row %d is not pinned", i))
	}
}

// mustHave panics unless i is one of the n rows.
func (m *Matrix[T]) mustHave(function string, i int) {
	if uint(i) >= uint(m.n) {
		panic(shape.Errorf("kernel: "+function, "row %d, want one in 0..%d", i, m.n-1))
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

// add changes the number of pins of a row. One beside the budget lasts as long as it has any.
func (c *cache[T]) add(k *kept[T], pins int32) {
	before := k.pins > 0
	k.pins += pins
	switch after := k.pins > 0; {
	case before == after:
	case k.beside && before:
		delete(c.others, k.row)
	case k.beside:
	case after:
		c.pinned++
	default:
		c.pinned--
	}
}

// reserve returns memory for a row that is to be computed, pinned already, and its place; beside the budget, -1.
func (c *cache[T]) reserve() (k *kept[T], at int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if at = c.free(); at >= 0 {
		k = &c.kept[at]
	} else {
		k = &kept[T]{row: -1, beside: true, values: core.Aligned[T](1, c.n).Row(0)}
	}
	c.add(k, 1)
	return k, at
}

// publish makes the memory at the reserved place row i and returns that, unless another goroutine was quicker: then it
// returns what that one made, and the place is free again.
func (c *cache[T]) publish(i int, k *kept[T], at int) []T {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if other := c.find(i); other != nil {
		c.add(k, -1)
		c.add(other, 1)
		return other.values
	}
	if at >= 0 {
		return c.assign(i, at).values
	}
	if c.others == nil {
		c.others = map[int]*kept[T]{}
	}
	k.row, c.others[i] = i, k
	return k.values
}

// release takes a pin from row i and reports whether it had one.
func (c *cache[T]) release(i int) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	k := c.find(i)
	if k == nil || k.pins == k.inner {
		return false
	}
	c.add(k, -1)
	return true
}

// pinHeld pins the rows that are in memory, sets to[p] to row rows[p], nil where it is not, and returns how many are
// not.
func (c *cache[T]) pinHeld(rows []int, to [][]T) (missing int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for p, i := range rows {
		to[p] = nil
		if k := c.find(i); k != nil {
			k.asked = true
			c.addInner(k, 1)
			to[p] = k.values
		} else {
			missing++
		}
	}
	return missing
}

// unpinHeld ends a pinHeld.
func (c *cache[T]) unpinHeld(rows []int, to [][]T) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for p, i := range rows {
		if to[p] != nil {
			c.addInner(c.find(i), -1)
		}
	}
}
