package gemm

import "github.com/dualgap/dualgap/asm/cpu"

// SmallTileF32 returns the size of the tiles of a product of m by k and k by n that is so small that one look tells
// what Product.Run would find out: that it goes by tiles of one or two vectors, of which at most two lie below each
// other, with nothing copied. Finding out, and laying out the product before, took a third of the time. It returns 0
// for other products. acs is as for TilesF32; rows of B are contiguous.
func SmallTileF32(m, n, k, acs int) (mr, nr int) { return shapes32[cpu.Level].small(m, n, k, acs) }

// SmallTileF64 is SmallTileF32 for float64.
func SmallTileF64(m, n, k, acs int) (mr, nr int) { return shapes64[cpu.Level].small(m, n, k, acs) }

func (s *shape) small(m, n, k, acs int) (mr, nr int) {
	if uint(k-1) >= s.smallK || acs != 1 && m >= 2*s.lanes || m <= 0 || n <= 0 {
		return 0, 0
	}
	limit := s.best[0]
	if nr = s.lanes; n > nr {
		if n <= nr+nr/2 || n > 2*nr {
			return 0, 0
		}
		nr, limit = 2*nr, s.best[1]
	}
	if mr = m; mr > limit {
		if mr = (mr + 1) / 2; mr > limit {
			return 0, 0
		}
	}
	return mr, nr
}
