package gemm

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/klauspost/cpuid/v2"
)

// shape is what a tier's kernels of an element type can do, and the size of the pieces that suits this CPU's caches.
type shape struct {
	lanes  int // of a vector, a power of two
	log    int // its logarithm
	rows   []int
	best   []int // of these, those worth using
	halves bool  // a vector that is half empty takes half the time
	cols   int   // most rows of B that Dots takes at a time
	kc     int   // most terms of a sum at a time
	smallK uint  // most terms of a sum that goes by tiles of operands as they lie, whatever the other sizes
}

// rowsOf are the most rows that a tile can have that is 1, 2, ... vectors wide.
var rowsOf = [...][]int{cpu.Generic: {16, 16, 16, 16}, cpu.NEON: {8, 8, 8}, cpu.AVX2: {12, 6, 4},
	cpu.AVX512: {14, 14, 9, 6}}

// colsOf are the most rows of B that Dots takes at a time; where it is pure Go, tiles are better.
var colsOf = [...]int{cpu.AVX2: 3, cpu.AVX512: 5}

var shapes32, shapes64 = shapes[float32](), shapes[float64]()

// The caches that blocks are made for, with modest sizes where the CPU tells nothing.
var level1, level2 = cache(cpuid.CPU.Cache.L1D, 32<<10), cache(cpuid.CPU.Cache.L2, 512<<10)

func cache(size, unknown int) int {
	if size <= 0 {
		return unknown
	}
	return min(size, 4<<20)
}

func shapes[T float]() (all [len(rowsOf)]shape) {
	size := int(unsafe.Sizeof(*new(T)))
	for tier, rows := range rowsOf {
		lanes := [...]int{cpu.Generic: 16, cpu.NEON: 16, cpu.AVX2: 32, cpu.AVX512: 64}[tier] / size
		best, halves := rows, false
		if tier == int(cpu.AVX512) && cpu.SplitStores {
			best, halves = split, true
		}
		kc := max(level1*5/8/(wholeGroups[T](best[1])*size), 64)
		all[tier] = shape{lanes, bits.TrailingZeros(uint(lanes)), rows, best, halves, colsOf[tier], kc,
			uint(min(8*lanes-1, kc))}
	}
	return all
}

// shapeOf is the shape of the tier in use.
func shapeOf[T float]() *shape {
	if isF32[T]() {
		return &shapes32[cpu.Level]
	}
	return &shapes64[cpu.Level]
}

// Where 512 bits are stored in two turns, the stores of a tile of more than about 16 vectors wait for each other
// instead of hiding behind the next tile's arithmetic; and packing likes eight rows.
var split = []int{14, 8}

// What a product takes beside its multiplications of vectors, in units of these.
const (
	tileCost  = 40  // beginning and ending a tile
	panelCost = 0.3 // for each element of A, each time that it meets a panel of a B that lies as it came
	againCost = 0.5 // for each vector of such a B, each time that it is read from beyond the first-level cache
	latency   = 8   // from one term of a sum to the next: a tile of fewer vectors waits
)

// place says from where tiles read B.
type place int

const (
	copied place = iota // from a copy: its panels come from the second-level cache without gaps
	near                // as it came, from the first-level cache
	beyond              // as it came, from further away
)

// placeOfB is the place of B.
func (p *Product[T]) placeOfB() place {
	switch {
	case p.copyB():
		return copied
	case p.K*p.N*int(unsafe.Sizeof(*p.B)) > level1:
		return beyond
	}
	return near
}

// tile chooses the size of tiles: of those that cut m rows evenly the one that takes the least time, and of these the
// widest.
func (s *shape) tile(m, n, k int, b place) (mr, nr int) {
	// the last vector of a row is no more than half full
	half := s.halves && uint(n-1)&uint(s.lanes-1) < uint(s.lanes/2)
	vectors := (n + s.lanes - 1) >> s.log
	best, least := 0, math.Inf(1)
	for i, limit := range s.best[:min(len(s.best), vectors)] {
		panels, width := (vectors+i)/(i+1), float64(vectors)
		last, rows := vectors-(panels-1)*(i+1), min(m, limit)
		if half && last == 1 {
			width -= 0.5 // alone in its panel, it takes half the time
		}
		if b != copied && !s.halves {
			width += panelCost*float64(panels) + max(0, latency/float64(rows)-float64(last))
		}
		panelsOfA := float64((m + limit - 1) / limit)
		cost := float64(m)*float64(k)*width + tileCost*panelsOfA*float64(panels)
		if b == beyond && !s.halves {
			cost += againCost * panelsOfA * float64(k) * float64(vectors)
		}
		if cost <= least {
			best, least = i, cost
		}
	}
	return evenly(m, s.best[best]), (best + 1) * s.lanes
}

// evenly is the size of the pieces when n > 0 is cut into the fewest of at most limit.
func evenly(n, limit int) int {
	if n <= limit {
		return n
	}
	if n < 1<<30 && limit < 1<<30 { // division of 32 bits is faster
		pieces := uint32(n+limit-1) / uint32(limit)
		return int((uint32(n) + pieces - 1) / pieces)
	}
	pieces := (n + limit - 1) / limit
	return (n + pieces - 1) / pieces
}
