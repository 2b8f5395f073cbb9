package gemm

import "unsafe"

// plan says how a product is cut. A panel of A (mr by kc) stays in the first-level cache while the panels of a block of
// B (kc by nc), which stays in the second level, stream past it: the scheme of Goto and van de Geijn (Anatomy of
// High-Performance Matrix Multiplication, 2008) with the roles of A and B exchanged.
type plan struct {
	mc, nc, kc   int
	mr, nr       int
	packA, packB bool
}

func (p *Product[T]) depth(s *shape) int {
	if p.kc > 0 {
		return p.kc
	}
	return s.kc
}

// plan plans the product. The bits of the result depend on kc, hence kc on K and the form alone.
func (p *Product[T]) plan(s *shape) (l plan) {
	size := int(unsafe.Sizeof(*new(T)))
	l.kc = evenly(p.K, p.depth(s))
	l.packA, l.packB = p.copyA(s), p.copyB()
	l.mr, l.nr = s.tile(p.M, p.N, l.kc, p.placeOfB())
	l.mc, l.nc = p.M, p.N
	if l.packA {
		l.mc = multiple(evenly(p.M, max(level2/(l.kc*size)/l.mr, 4)*l.mr), l.mr)
	}
	if l.packB {
		l.nc = multiple(evenly(p.N, max(level2/2/(l.kc*size)/l.nr, 2)*l.nr), l.nr)
	}
	return l
}

// copyA and copyB say whether an operand is copied before it is used: where that is repaid, or where it does not lie as
// the kernel needs it. Where numbers that are needed together collide in the caches, the speed without a copy is
// anything between half and nine tenths of the best, by where the pages happen to lie.

func (p *Product[T]) copyA(s *shape) bool {
	if p.M <= 8 {
		return false
	}
	if p.ARow != 1 { // tiles read along rows
		return p.N >= 2*s.lanes && p.K > 64 && collide(p.A, p.ARow)
	}
	return p.N >= 320 && p.M > 2*s.rows[1] && (collide(p.A, p.ACol) || wide(p.A, p.ACol, p.K)) ||
		p.K > 128 && p.N >= 4*s.lanes && collide(p.A, p.ACol) ||
		p.K > 32 && p.N >= s.lanes && scattered(p.A, p.ACol, p.M*p.K)
}

// scattered reports whether that many elements, rows of them so far apart, come from beyond the second-level cache:
// walking down their columns takes several times as long as reading them.
func scattered[T float](a *T, row, elements int) bool {
	size := int(unsafe.Sizeof(*a))
	return row*size >= far && elements*size > level2
}

// wide reports whether that many rows, so far apart, lie over so much memory that walking from one to the next misses
// what holds the addresses of pages.
func wide[T float](a *T, row, rows int) bool { return row*rows*int(unsafe.Sizeof(*a)) > level2/5 }

// collide reports whether elements a row apart compete for the same few places in the first-level cache.
func collide[T float](a *T, row int) bool { return row*int(unsafe.Sizeof(*a))%2048 == 0 }

func (p *Product[T]) copyB() bool {
	size := int(unsafe.Sizeof(*p.B))
	return p.BCol != 1 || p.copy || p.M >= 48 && p.K*p.N*size > level1 &&
		(p.M >= 512 || wide(p.B, p.BRow, p.K) || p.BRow*size > 512 && collide(p.B, p.BRow))
}

// multiple rounds n up to a multiple of unit.
func multiple(n, unit int) int { return (n + unit - 1) / unit * unit }
