package gemm

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/klauspost/cpuid/v2"
)

// TileRows returns the number of lanes of a vector on the tier in use, and the most rows that a tile can have that is
// 1, 2, ... vectors wide.
func TileRows[T float]() (lanes int, rows []int) {
	size := int(unsafe.Sizeof(*new(T)))
	switch cpu.Level {
	case cpu.AVX512:
		return 64 / size, rowsAVX512
	case cpu.AVX2:
		return 32 / size, rowsAVX2
	}
	return 4, rowsGeneric
}

var (
	rowsAVX512  = []int{14, 14, 9, 6}
	rowsAVX2    = []int{12, 6, 4}
	rowsGeneric = []int{16, 16, 16, 16}
)

// The caches that blocks are made for, with modest sizes where the CPU tells nothing.
var level1, level2 = cache(cpuid.CPU.Cache.L1D, 32<<10), cache(cpuid.CPU.Cache.L2, 512<<10)

func cache(size, unknown int) int {
	if size <= 0 {
		return unknown
	}
	return min(size, 4<<20)
}

// plan says how a product is cut. A panel of A (mr by kc) stays in the first-level cache while the panels of a block of B
// (kc by nc), which stays in the second level, stream past it: the scheme of Goto and van de Geijn (Anatomy of
// High-Performance Matrix Multiplication, 2008) with the roles of A and B exchanged.
type plan struct {
	mc, nc, kc   int
	mr, nr       int
	packA, packB bool
}

// planFor plans the product of an m-by-k and a k-by-n matrix. The bits of the result depend on kc, hence kc on k alone.
func (p *Product[T]) plan() (l plan) {
	size := int(unsafe.Sizeof(*new(T)))
	l.mr, l.nr = tileSize[T](p.M, p.N)
	l.kc = evenly(p.K, max(level1*5/8/(wholeGroups[T](tallest[T]())*size), 64))
	l.packB = p.BCol != 1 || p.M >= 48 && p.K*p.N*size > level1
	l.packA = p.N >= 192 && p.M > 2*l.mr
	l.mc, l.nc = p.M, p.N
	if l.packA {
		l.mc = evenly(p.M, max(level2/(l.kc*size)/l.mr, 4)*l.mr)
		l.mc = (l.mc + l.mr - 1) / l.mr * l.mr
	}
	if l.packB {
		l.nc = evenly(p.N, max(level2/2/(l.kc*size)/l.nr, 2)*l.nr)
		l.nc = (l.nc + l.nr - 1) / l.nr * l.nr
	}
	return l
}

// evenly is the size of the pieces when n is cut into the fewest of at most limit, and is at least 1.
func evenly(n, limit int) int {
	pieces := max((n+limit-1)/limit, 1)
	return max((n+pieces-1)/pieces, 1)
}

func tallest[T float]() int {
	_, rows := TileRows[T]()
	return rows[1]
}

// tileSize chooses the tile: of those that cut m rows evenly, the one with the most sums.
func tileSize[T float](m, n int) (mr, nr int) {
	lanes, rows := TileRows[T]()
	most := 0
	for i, limit := range rows {
		h := evenly(m, limit)
		if sums := h * min(i+1, (n+lanes-1)/lanes); sums > most {
			mr, nr, most = h, (i+1)*lanes, sums
		}
	}
	return max(mr, 1), max(nr, lanes)
}
