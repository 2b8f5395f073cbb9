package gemm

import (
	"runtime"

	"github.com/dualgap/dualgap/internal/parallel"
)

// least is the number of multiplications below which a goroutine costs more than it saves: it takes 5 to 10 us until
// another core has it.
const least = 1 << 20

// RunWorkers is Run by several goroutines, GOMAXPROCS of them when workers <= 0. The bits of C are the same for any
// number.
func (p *Product[T]) RunWorkers(workers int) {
	workers = Workers(workers, p.M, p.N, p.K)
	if workers == 1 {
		p.Run()
		return
	}
	s := shapeOf[T]()
	p.form = p.choose(s)
	mr, nr := s.tile(p.M, p.N, p.K, p.placeOfB())
	rows, cols := piece(p.M, workers, mr, 1, p.copyB()), piece(p.N, workers, nr, s.lanes, p.copyA(s))
	// The larger side is cut, unless that would leave more to one goroutine than cutting the other.
	if byRows, byCols := float64(rows)/float64(p.M), float64(cols)/float64(p.N); byRows <= byCols*limp ||
		p.M >= p.N && byCols > byRows*limp {
		cols = p.N
	} else {
		rows = p.M
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

// limp is how much smaller a piece must be to make up for cutting the shorter side.
const limp = 0.85

// piece is the number of rows (or columns) that a goroutine takes at once, a multiple of unit: n cut into as many equal
// pieces for each goroutine, of about three tiles where the other operand is not copied, so that a goroutine that comes
// late finds less to do. Where it is there are one or two for each, since each copies it.
func piece(n, workers, tile, unit int, copies bool) int {
	size := (n + 2*workers - 1) / (2 * workers)
	if copies {
		size = max(size, min(256, (n+workers-1)/workers))
	} else {
		size = max((n+4*workers-1)/(4*workers), min(size, 3*tile))
	}
	pieces := workers * ((n + workers*size - 1) / (workers * size))
	return multiple((n+pieces-1)/pieces, unit)
}

// Workers is the number of goroutines that are worth their cost for m n k multiplications.
func Workers(workers, m, n, k int) int {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return max(1, min(workers, int(float64(m)*float64(n)*float64(k)/least)))
}
