package gemm

import (
	"unsafe"

	"github.com/dualgap/dualgap/internal/parallel"
)

// Triangle says which part of a symmetric C a product computes: the elements on one side of the diagonal and on it, or
// all of them, each pair of mirrored ones once.
type Triangle int

const (
	Lower Triangle = iota
	Upper
	Both
)

// corner is the size up to which a block on the diagonal is computed whole: half of that work is wasted.
const corner = 32

// block is a part of the lower triangle: rows [i, i+m), columns [j, j+n), a piece of a square of a number of rows in
// all. On the diagonal i = j and m = n.
type block struct{ i, m, j, n, all int }

// RunTriangle computes a part of C = Alpha A B + Beta C where B = Aᵀ, so that C is symmetric apart from what it held:
// nothing else of C is read or written. Both wants Beta = 0.
func (p *Product[T]) RunTriangle(part Triangle) {
	eachBlock(block{0, p.M, 0, p.M, p.M}, p.M, func(b block) { p.runBlock(part, b) })
}

// RunTriangleWorkers is RunTriangle by several goroutines, GOMAXPROCS of them when workers <= 0.
func (p *Product[T]) RunTriangleWorkers(workers int, part Triangle) {
	workers = Workers(workers, p.M, p.M, p.K/2)
	if workers == 1 {
		p.RunTriangle(part)
		return
	}
	var blocks []block
	rows := piece(p.M, 2*workers, corner, corner, true)
	eachBlock(block{0, p.M, 0, p.M, p.M}, rows, func(b block) { blocks = append(blocks, b) })
	parallel.Do(workers, len(blocks), func(_, i int) { p.runBlock(part, blocks[i]) })
}

// eachBlock halves the triangle b into two triangles and a square, and so on; it cuts squares into pieces of at most
// rows rows.
func eachBlock(b block, rows int, f func(block)) {
	if b.m <= corner {
		f(b)
		return
	}
	half := (b.m/2 + corner - 1) / corner * corner
	for i := b.i + half; i < b.i+b.m; i += rows {
		f(block{i, min(rows, b.i+b.m-i), b.j, half, b.m - half})
	}
	eachBlock(block{b.i, half, b.j, half, half}, rows, f)
	eachBlock(block{b.i + half, b.m - half, b.j + half, b.n - half, b.m - half}, rows, f)
}

func (p *Product[T]) runBlock(part Triangle, b block) {
	q := *p
	if b.i == b.j {
		p.runCorner(part, b)
		return
	}
	q.M, q.N = b.all, b.n
	if part == Upper {
		q.M, q.N = q.N, q.M
	}
	q.form = q.choose(shapeOf[T]()) // of the square, as with RunWorkers
	if part == Upper {
		b.i, b.m, b.j, b.n = b.j, b.n, b.i, b.m
	}
	q.M, q.N = b.m, b.n
	q.A, q.B, q.C = at(p.A, b.i*p.ARow), at(p.B, b.j*p.BCol), at(p.C, b.i*p.LDC+b.j)
	q.Run()
	if part == Both {
		transpose(b.m, b.n, q.C, p.LDC, 0, at(p.C, b.j*p.LDC+b.i), p.LDC)
	}
}

// runCorner computes a block on the diagonal, in memory of its own where half of it is not wanted.
func (p *Product[T]) runCorner(part Triangle, b block) {
	q := *p
	q.M, q.N = b.m, b.m
	q.A, q.B, q.C = at(p.A, b.i*p.ARow), at(p.B, b.i*p.BCol), at(p.C, b.i*p.LDC+b.i)
	if part == Both {
		q.Run() // a sum has the terms of its mirror image, in their order
		return
	}
	loan := Borrow[T](b.m * b.m)
	defer loan.Return()
	c := q.C
	q.C, q.LDC = loan.p, b.m
	if p.Beta != 0 {
		clear(loan.Slice())
		copyTriangle(part, b.m, c, p.LDC, q.C, q.LDC)
	}
	q.Run()
	copyTriangle(part, b.m, q.C, q.LDC, c, p.LDC)
}

func copyTriangle[T float](part Triangle, n int, src *T, lds int, dst *T, ldd int) {
	for i := range n {
		from, to := 0, i+1
		if part == Upper {
			from, to = i, n
		}
		copy(unsafe.Slice(at(dst, i*ldd+from), to-from), unsafe.Slice(at(src, i*lds+from), to-from))
	}
}
