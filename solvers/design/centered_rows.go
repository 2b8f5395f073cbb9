package design

import (
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// CenteredRows returns a copy of the sparse rows x_i - mean, for a mean that is 0 in all but a few columns: a row has a
// number more for each of these where x has none. Others of mean are d numbers, as [Centered] has them, whose rows are
// not sparse. Differences are rounded once. O(nonzeros of x + n times the nonzeros of mean). It panics where mean has
// not d numbers.
func CenteredRows[T vec.Float](x SparseRows[T], mean []T) SparseRows[T] {
	n, d := x.Dims()
	if len(mean) != d {
		panic(shape.Errorf("design: CenteredRows", "a mean of %d numbers for %d features", len(mean), d))
	}
	var off []int32
	for j, v := range mean {
		if v != 0 {
			off = append(off, int32(j))
		}
	}
	size := 0
	for i := range n {
		columns, _ := x.Row(i)
		size += len(columns) + len(off)
		for _, j := range columns {
			if mean[j] != 0 {
				size--
			}
		}
	}
	c := &compressed[T]{n: n, d: d, ptr: make([]int, 1, n+1), columns: make([]int32, 0, size),
		values: make([]T, 0, size)}
	for i := range n {
		columns, values := x.Row(i)
		rest := off
		for k, j := range columns {
			for len(rest) > 0 && rest[0] < j {
				c.push(rest[0], -mean[rest[0]])
				rest = rest[1:]
			}
			if len(rest) > 0 && rest[0] == j {
				rest = rest[1:]
			}
			c.push(j, values[k]-mean[j])
		}
		for _, j := range rest {
			c.push(j, -mean[j])
		}
		c.ptr = append(c.ptr, len(c.columns))
	}
	return &sparse[T, T]{x: c}
}

// push adds a number to the row that is being made.
func (c *compressed[T]) push(column int32, value T) {
	c.columns, c.values = append(c.columns, column), append(c.values, value)
}
