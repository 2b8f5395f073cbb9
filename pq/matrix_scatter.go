package pq

import "github.com/dualgap/dualgap/asm/lookup"

// scatterWidth is up to how many outputs rows are added one by one. The sums of a few subspaces then fit the first
// cache, where they are read and written as fast as rows are read from the second, and that is what lists ask for.
const scatterWidth = 8

// scatter adds superRows packed rows to the D_q of the subspaces [from, to), row by row.
func (j *accumulate) scatter(super, from, to int) {
	first, m := super*superRows, j.x.q.m
	codes := j.s.codes
	if j.rows == nil {
		codes = j.x.blocks[(j.start+j.first)*m:]
	}
	together := 4 // subspaces, whose sums are 32 KB; of codes that come later no more than 16 subspaces are asked for
	if j.width == 1 {
		together = 16
	}
	for ; from < to; from += together {
		nq, d := min(together, to-from), &j.s.d[from*lookup.Rows*j.width]
		for row := first; row < min(first+superRows, j.last-j.first); row += lookup.Rows {
			at, line := row*m+from*lookup.Rows, &j.s.b[(row+super)*j.width]
			later := &codes[at]
			if next := at + m*lookup.Rows; next < len(codes) {
				later = &codes[next]
			}
			if j.width == 1 {
				lookup.Scatter1(d, &codes[at], nq, line, later)
			} else {
				lookup.Scatter8(d, &codes[at], nq, line, later)
			}
		}
	}
}
