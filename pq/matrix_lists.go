package pq

import (
	"slices"

	"github.com/dualgap/dualgap/asm/lookup"
	"github.com/dualgap/dualgap/internal/shape"
)

// lists holds for each subspace the rows of each code, out of superRows rows, as lookup.Collect16 wants them: numbers
// relative to the first of these rows, n for a line of zeros. Subspace q has room for stride of them.
type lists struct {
	n, stride   int
	rows, order []uint16
}

// listsFor returns the lists of the given rows, n of them, or of those from start on where rows is nil.
func (x *Matrix) listsFor(workers int, rows []int, start, n int, s *scratch) []lists {
	if rows == nil && start%superRows == 0 && (n%superRows == 0 || start+n == x.n) {
		x.index.Do(func() { x.makeLists(workers, nil, 0, x.n, &s.workers[0], &x.lists) })
		return x.lists[start/superRows:]
	}
	x.makeLists(workers, rows, start, n, &s.workers[0], &s.lists)
	return s.lists
}

// makeLists sorts by counting. It reuses what memory all has.
func (x *Matrix) makeLists(workers int, rows []int, start, n int, w *worker, all *[]lists) {
	count := shape.Pieces(n, superRows)
	for len(*all) < count {
		*all = append(*all, lists{})
	}
	for k := range count {
		first, last := k*superRows, min((k+1)*superRows, n)
		l := &(*all)[k]
		l.n = last - first
		l.stride = l.n + 3*lookup.Rows
		l.rows, l.order = atLeast(l.rows, x.q.m*l.stride), atLeast(l.order, x.q.m*2*lookup.Rows)
		each(workers, unsorted{l, w.codesOf(x, rows, start+first, start+last), x.q.m}, x.q.m, unsorted.sort)
	}
}

// unsorted are codes in blocks of m subspaces, and the lists that they become.
type unsorted struct {
	*lists
	codes []byte
	m     int
}

// sort fills the lists of subspace q. Lists of the same length become neighbours.
func (l unsorted) sort(_, q int) {
	var count [lookup.Rows]uint16
	l.each(q, func(_ int, c byte) { count[c]++ })
	order, rows := l.order[2*lookup.Rows*q:][:2*lookup.Rows], l.rows[l.stride*q:][:l.stride]
	var byLength [lookup.Rows]uint32 // four rows, code: sorted as one number
	for c, n := range count {
		byLength[c] = uint32(shape.Pieces(int(n), 4))<<16 | uint32(c)
	}
	slices.Sort(byLength[:])
	var next [lookup.Rows]uint16
	place := uint16(0)
	for k, v := range byLength {
		c, fours := uint16(v), uint16(v>>16)
		order[2*k], order[2*k+1] = c, fours
		next[c] = place
		place += 4 * fours
		for i := next[c] + count[c]; i < place; i++ {
			rows[i] = uint16(l.n)
		}
	}
	l.each(q, func(i int, c byte) {
		rows[next[c]] = uint16(i)
		next[c]++
	})
}

// each calls f for every row with its code in subspace q.
func (l unsorted) each(q int, f func(i int, c byte)) {
	for i := 0; i < l.n; i += lookup.Rows {
		for k, c := range l.codes[(i/lookup.Rows*l.m+q)*lookup.Rows:][:min(lookup.Rows, l.n-i)] {
			f(i+k, c)
		}
	}
}
