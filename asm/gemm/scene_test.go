package gemm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// operand is a matrix in memory: element (i, j) is Data[i/group*panel+i%group*row+j*col].
type operand[T float] struct {
	prove.Memory[T]
	row, col, group, panel int
}

func (o *operand[T]) at(i, j int) int { return i/o.group*o.panel + i%o.group*o.row + j*o.col }

// scene is one call of a kernel: what it reads, what it writes, and what that should become.
type scene[T float] struct {
	name string
	in   []*operand[T]
	out  *operand[T]
	want func(at func(i, j int) int, set func(at int, v T)) // calls set for each element written
	run  func()
}

// check runs the kernel on the tier in use and demands the result bit for bit, zeros of any sign, and all else
// untouched.
func (s *scene[T]) check(t testing.TB, tier cpu.Tier) {
	t.Helper()
	for _, o := range append(s.in, s.out) {
		o.Reset()
	}
	want := s.out.Want()
	s.want(s.out.at, func(at int, v T) { want[at] = v })
	s.run()
	for i, o := range append(s.in, s.out) {
		if err := o.Diff(true); err != nil {
			t.Fatalf("%s on %v: operand %d: %v", s.name, tier, i, err)
		}
	}
}

// rows is a row-major matrix with a gap behind each row.
func rows[T float](offset, m, n, gap int, fill func(int) T) *operand[T] {
	o := &operand[T]{row: n + gap, col: 1, group: max(m, 1)}
	o.Place(offset, m, n, n+gap, fill)
	return o
}

// columns is the same transposed: element (i, j) is what row j holds in column i.
func columns[T float](offset, m, n, gap int, fill func(int) T) *operand[T] {
	o := rows(offset, n, m, gap, fill)
	o.row, o.col, o.group = 1, m+gap, max(m, 1)
	return o
}

// panels is a matrix packed in groups of rows, each transposed.
func panels[T float](offset, m, n, group, gap int, fill func(int) T) *operand[T] {
	o := &operand[T]{row: 1, col: group + gap, group: group, panel: n * (group + gap)}
	o.Place(offset, (m+group-1)/group*n, group, group+gap, fill)
	return o
}

// tilesScene draws a call of Tiles for the tier in use.
func tilesScene[T float](r *rand.Rand, m, n, k int) *scene[T] {
	s := shapeOf[T]()
	nv := r.IntN(len(s.rows))
	mr := 1 + r.IntN(min(s.rows[nv], max(m, 1)))
	nr := 1 + r.IntN((nv+1)*s.lanes)
	alpha, beta := []T{1, 2, -1}[r.IntN(3)], []T{0, 1, -2}[r.IntN(3)]
	old := prove.Even[T](r)
	if beta == 0 {
		old = func(int) T { return prove.Poison[T]() }
	}
	layout := func(m, n, group int, fill func(int) T) *operand[T] {
		switch r.IntN(3) {
		case 0:
			return rows(r.IntN(16), m, n, r.IntN(4), fill)
		case 1:
			return columns(r.IntN(16), m, n, r.IntN(4), fill)
		}
		return panels(r.IntN(16), m, n, group, r.IntN(4), fill)
	}
	a := layout(m, k, mr, prove.Odd[T](r))
	b := columns(r.IntN(16), n, k, r.IntN(4), prove.Even[T](r)) // element (j, p): its rows are B's
	if r.IntN(2) == 0 {
		b = panels(r.IntN(16), n, k, nr, r.IntN(4), prove.Even[T](r))
	}
	c := rows(r.IntN(16), m, n, r.IntN(4), old)
	apanel, bpanel := mr*a.row, nr
	if a.panel > 0 {
		apanel = a.panel
	}
	if b.panel > 0 {
		bpanel = b.panel
	}
	return &scene[T]{
		name: fmt.Sprintf("tiles %dx%dx%d mr=%d nr=%d alpha=%v beta=%v", m, n, k, mr, nr, alpha, beta),
		in:   []*operand[T]{a, b}, out: c,
		want: func(at func(i, j int) int, set func(at int, v T)) {
			for i := range m {
				for j := range n {
					var sum T
					for p := range k {
						sum += a.Data[a.at(i, p)] * b.Data[b.at(j, p)]
					}
					sum *= alpha
					if beta != 0 {
						sum += beta * c.Data[at(i, j)]
					}
					set(at(i, j), sum)
				}
			}
		},
		run: func() {
			tiles(m, n, k, alpha, ptr(a.Data), a.row, a.col, mr, apanel, ptr(b.Data), b.col, nr, bpanel, beta,
				ptr(c.Data), c.row)
		},
	}
}

// dotsScene draws a call of Dots for the tier in use.
func dotsScene[T float](r *rand.Rand, m, n, k int) *scene[T] {
	nr := 1 + r.IntN(max(shapeOf[T]().cols, 1))
	alpha, beta := []T{1, 2, -1}[r.IntN(3)], []T{0, 1, -2}[r.IntN(3)]
	old := prove.Even[T](r)
	if beta == 0 {
		old = func(int) T { return prove.Poison[T]() }
	}
	a := rows(r.IntN(16), m, k, r.IntN(4), prove.Odd[T](r))
	b := rows(r.IntN(16), n, k, r.IntN(4), prove.Even[T](r))
	c := rows(r.IntN(16), m, n, r.IntN(4), old)
	return &scene[T]{
		name: fmt.Sprintf("dots %dx%dx%d nr=%d alpha=%v beta=%v", m, n, k, nr, alpha, beta),
		in:   []*operand[T]{a, b}, out: c,
		want: func(at func(i, j int) int, set func(at int, v T)) {
			for i := range m {
				for j := range n {
					var sum T
					for p := range k {
						sum += a.Data[a.at(i, p)] * b.Data[b.at(j, p)]
					}
					sum *= alpha
					if beta != 0 {
						sum += beta * c.Data[at(i, j)]
					}
					set(at(i, j), sum)
				}
			}
		},
		run: func() {
			dots(m, n, k, alpha, ptr(a.Data), a.row, ptr(b.Data), b.row, nr, beta, ptr(c.Data), c.row)
		},
	}
}

// packScenes are the kernels that copy.
func packScenes[T float](r *rand.Rand, m, n int) []*scene[T] {
	src := rows(r.IntN(16), m, n, r.IntN(4), prove.Odd[T](r))
	poison := func(int) T { return prove.Poison[T]() }
	wide, tall := wholeGroups[T](n), wholeGroups[T](m)
	if m == 0 || n == 0 {
		wide, tall = 0, 0
	}
	plain := rows(r.IntN(16), m, wide, r.IntN(4), poison)
	turned := rows(r.IntN(16), n, tall, r.IntN(4), poison)
	beta, old := []T{0, 1, -2}[r.IntN(3)], prove.Even[T](r)
	if beta == 0 {
		old = poison
	}
	sum := rows(r.IntN(16), n, m, r.IntN(4), old)
	size := fmt.Sprintf("%dx%d beta=%v", m, n, beta)
	return []*scene[T]{{
		name: "pack rows " + size, in: []*operand[T]{src}, out: plain,
		want: func(at func(i, j int) int, set func(at int, v T)) {
			for i := range m {
				for j := range wide {
					if j < n {
						set(at(i, j), src.Data[src.at(i, j)])
					} else {
						set(at(i, j), 0)
					}
				}
			}
		},
		run: func() { packRows(m, n, ptr(src.Data), src.row, ptr(plain.Data), plain.row) },
	}, {
		name: "pack columns " + size, in: []*operand[T]{src}, out: turned,
		want: func(at func(i, j int) int, set func(at int, v T)) {
			for j := range n {
				for i := range tall {
					set(at(j, i), src.Data[src.at(min(i, m-1), j)])
				}
			}
		},
		run: func() { packColumns(m, n, ptr(src.Data), src.row, ptr(turned.Data), turned.row) },
	}, {
		name: "transpose " + size, in: []*operand[T]{src}, out: sum,
		want: func(at func(i, j int) int, set func(at int, v T)) {
			for j := range n {
				for i := range m {
					v := src.Data[src.at(i, j)]
					if beta != 0 {
						v += beta * sum.Data[at(j, i)]
					}
					set(at(j, i), v)
				}
			}
		},
		run: func() { transpose(m, n, ptr(src.Data), src.row, beta, ptr(sum.Data), sum.row) },
	}}
}
