package dataset

import (
	"sync"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// blockRows chosen rows are copied together for a product of matrices.
const blockRows = 64

// firstCache is a size that first-level caches have.
const firstCache = 32 << 10

// room holds copied rows.
type room[T vec.Float] struct {
	rows  []T
	block Dense[T] // some of them as examples
}

var rooms32, rooms64 sync.Pool // of *room

func roomsOf[T vec.Float]() *sync.Pool {
	if unsafe.Sizeof(*new(T)) == 4 {
		return &rooms32
	}
	return &rooms64
}

// blocks calls do for the chosen rows, block after block, with the place p of the first. All rows, and rows that follow
// one another, are taken where they lie; others are copied.
func (a *Dense[T]) blocks(rows []int, do func(p int, x vec.Matrix[T])) {
	if rows == nil {
		do(0, a.Matrix)
		return
	}
	rooms := roomsOf[T]()
	r, _ := rooms.Get().(*room[T])
	if r == nil {
		r = new(room[T])
	}
	if need := min(blockRows, len(rows)) * a.Cols; len(r.rows) < need {
		r.rows = make([]T, need)
	}
	for p := 0; p < len(rows); p += blockRows {
		part := rows[p:min(p+blockRows, len(rows))]
		if x, ok := a.window(part); ok {
			do(p, x)
			continue
		}
		x := vec.MatrixOf(len(part), a.Cols, r.rows[:len(part)*a.Cols])
		a.Gather(x, part)
		do(p, x)
	}
	rooms.Put(r)
}

// window returns the chosen rows as they lie in memory, and whether they follow one another.
func (a *Dense[T]) window(rows []int) (vec.Matrix[T], bool) {
	switch {
	case rows == nil:
		return a.Matrix, true
	case len(rows) == 0 || !follow(rows) || rows[0] < 0 || rows[0]+len(rows) > a.Rows:
		return vec.Matrix[T]{}, false
	}
	return a.Slice(rows[0], rows[0]+len(rows), 0, a.Cols), true
}

// follow reports whether each of rows is the one after its neighbour.
func follow(rows []int) bool {
	for p, i := range rows {
		if i != rows[0]+p {
			return false
		}
	}
	return true
}

// singly reports whether products with W go row by row: few rows, or a W that stays in the first cache, are not worth
// copying for.
func (a *Dense[T]) singly(rows []int, n, m int) bool {
	return n < 4 || rows != nil && a.Cols*m*int(unsafe.Sizeof(*new(T))) <= firstCache
}
