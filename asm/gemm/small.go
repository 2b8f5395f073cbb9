package gemm

import "github.com/dualgap/dualgap/asm/cpu"

// SmallTileF32 returns the size of the tiles of a product of m by k and k by n that is so small that one look tells
// what Product.Run would find out: that it goes by tiles as wide as C, with nothing copied. Finding out, and laying
// out the product before, took a tenth of the time of 32 by 32 and a third of smaller ones. It returns 0 for other
// products. acs is as for TilesF32; rows of B are contiguous.
func SmallTileF32(m, n, k, acs int) (mr, nr int) {
	return shapes32[cpu.Level].small(m, n, k, acs)
}

// SmallTileF64 is SmallTileF32 for float64.
func SmallTileF64(m, n, k, acs int) (mr, nr int) {
	return shapes64[cpu.Level].small(m, n, k, acs)
}

func (s *shape) small(m, n, k, acs int) (mr, nr int) {
	vectors := (n + s.lanes - 1) >> s.log
	if uint(k-1) >= s.smallK || uint(m-1) >= 256 || uint(vectors-1) >= uint(len(s.best)) {
		return 0, 0
	}
	switch {
	case s.halves && vectors > 1 && uint(n-1)&uint(s.lanes-1) < uint(s.lanes/2): // half a vector had better stand alone
		return 0, 0
	case acs == 1:
		if k > 64 && m > 2*s.best[0] { // rows may collide
			return 0, 0
		}
	case m >= 2*s.lanes && 4*vectors*s.lanes >= 5*n:
		return 0, 0
	}
	return evenly(m, s.best[vectors-1]), vectors * s.lanes
}
