package pq

import "github.com/dualgap/dualgap/asm/lookup"

// lists holds for each subspace the rows of each code, out of superRows rows: list c of subspace q is
// rows[q*n+start[q*257+c] : q*n+start[q*257+c+1]], numbers relative to the first of these rows, in rising order.
type lists struct {
	n           int
	rows, start []uint16
}

// listsFor returns the lists of the given rows, n of them.
func (x *Matrix) listsFor(rows []int, n int, s *scratch) []lists {
	if rows == nil {
		x.index.Do(func() { x.makeLists(nil, x.n, s.workers, &x.lists) })
		return x.lists
	}
	x.makeLists(rows, n, s.workers, &s.lists)
	return s.lists
}

// makeLists sorts by counting. It reuses what memory all has.
func (x *Matrix) makeLists(rows []int, n int, workers []worker, all *[]lists) {
	count := (n + superRows - 1) / superRows
	for len(*all) < count {
		*all = append(*all, lists{})
	}
	for k := range count {
		first, last := k*superRows, min((k+1)*superRows, n)
		l := &(*all)[k]
		l.n = last - first
		l.rows, l.start = atLeast(l.rows, x.q.m*l.n), atLeast(l.start, x.q.m*(lookup.Rows+1))
		codes := workers[0].codesOf(x, rows, first, last)
		parallel(x.o.Workers, x.q.m, func(_, q int) {
			l.sort(codes, q, x.q.m)
		})
	}
}

// sort fills the lists of subspace q from codes in blocks of m subspaces.
func (l *lists) sort(codes []byte, q, m int) {
	start := l.start[q*(lookup.Rows+1):][:lookup.Rows+1]
	rows := l.rows[q*l.n:][:l.n]
	clear(start)
	for i := 0; i < l.n; i += lookup.Rows {
		for _, c := range codes[(i/lookup.Rows*m+q)*lookup.Rows:][:min(lookup.Rows, l.n-i)] {
			start[int(c)+1]++
		}
	}
	var next [lookup.Rows]uint16
	for c := range lookup.Rows {
		next[c] = start[c]
		start[c+1] += start[c]
	}
	for i := 0; i < l.n; i += lookup.Rows {
		for k, c := range codes[(i/lookup.Rows*m+q)*lookup.Rows:][:min(lookup.Rows, l.n-i)] {
			rows[next[c]] = uint16(i + k)
			next[c]++
		}
	}
}
