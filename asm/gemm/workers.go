package gemm

import (
	"runtime"

	"github.com/dualgap/dualgap/internal/parallel"
)

// least is the number of multiplications below which a goroutine costs more than it saves.
const least = 1 << 19

// RunWorkers is Run by several goroutines, GOMAXPROCS of them when workers <= 0. The bits of C are the same for any
// number.
func (p *Product[T]) RunWorkers(workers int) {
	workers = Workers(workers, p.M, p.N, p.K)
	if workers == 1 {
		p.Run()
		return
	}
	p.form = p.choose(shapeOf[T]())
	mr, nr := shapeOf[T]().tile(p.M, p.N, p.K, false)
	rows, cols := p.M, p.N
	if p.M >= p.N {
		rows = piece(p.M, workers, mr)
	} else {
		cols = piece(p.N, workers, nr)
	}
	pieces := (p.M + rows - 1) / rows * ((p.N + cols - 1) / cols)
	parallel.Do(workers, pieces, func(_, i int) {
		part := *p
		if rows < p.M {
			part.M, part.A, part.C = min(rows, p.M-i*rows), at(p.A, i*rows*p.ARow), at(p.C, i*rows*p.LDC)
		} else if cols < p.N {
			part.N, part.B, part.C = min(cols, p.N-i*cols), at(p.B, i*cols*p.BCol), at(p.C, i*cols)
		}
		part.Run()
	})
}

// piece is the number of rows (or columns) that a goroutine takes at once: there are two pieces for each where that
// leaves enough of them to make up for the packing of the other operand. It is a multiple of unit.
func piece(n, workers, unit int) int {
	size := max((n+2*workers-1)/(2*workers), min(256, (n+workers-1)/workers))
	return multiple(size, unit)
}

// Workers is the number of goroutines that are worth their cost for m n k multiplications.
func Workers(workers, m, n, k int) int {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return max(1, min(workers, int(float64(m)*float64(n)*float64(k)/least)))
}
