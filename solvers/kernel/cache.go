package kernel

import (
	"sync"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// cache keeps rows of n numbers. When it is full a row that has not been asked for since the hand came by last gives
// way: the clock algorithm, which is nearly the least recently used one.
type cache[T vec.Float] struct {
	mutex sync.Mutex
	place []int32 // of each row among those kept, or -1
	kept  []kept[T]
	room  int // most rows kept
	hand  int
}

type kept[T vec.Float] struct {
	row    int
	values []T
	asked  bool
}

func newCache[T vec.Float](n int, budget int64) *cache[T] {
	c := &cache[T]{room: int(min(int64(n), budget/(int64(n)*int64(unsafe.Sizeof(T(0))))))}
	if c.room > 0 {
		c.place = make([]int32, n)
		for i := range c.place {
			c.place[i] = -1
		}
	}
	return c
}

// get sets dst[p] to row rows[p] where it is kept and appends p to missing where it is not.
func (c *cache[T]) get(rows []int, dst vec.Matrix[T], missing []int) []int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for p, i := range rows {
		if c.room == 0 || c.place[i] < 0 {
			missing = append(missing, p)
			continue
		}
		k := &c.kept[c.place[i]]
		k.asked = true
		copy(dst.Row(p), k.values)
	}
	return missing
}

// put keeps the given rows, which are the first of values.
func (c *cache[T]) put(rows []int, values vec.Matrix[T]) {
	if c.room == 0 {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for q, i := range rows {
		if c.place[i] >= 0 {
			continue
		}
		at := len(c.kept)
		if at < c.room {
			c.kept = append(c.kept, kept[T]{values: make([]T, values.Cols)})
		} else {
			for c.kept[c.hand].asked {
				c.kept[c.hand].asked = false
				c.hand = (c.hand + 1) % c.room
			}
			at = c.hand
			c.hand = (c.hand + 1) % c.room
			c.place[c.kept[at].row] = -1
		}
		k := &c.kept[at]
		k.row, k.asked = i, false
		copy(k.values, values.Row(q))
		c.place[i] = int32(at)
	}
}
