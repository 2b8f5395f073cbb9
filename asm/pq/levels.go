//go:build (amd64 || arm64) && !purego

package pq

// Levels8 adds up products of levels and weights, for the first n of the 256 codes of a block, n a multiple of 16 and
// codes the place of the first. A code is groups of four bytes: byte k of group g of code i is codes[(g*256+i)*4+k].
//
//	for i := range n {
//		dst[i] <<= shift // at most 32, which makes 0 of it
//		for g := range groups {
//			for k := range 4 { dst[i] += int32(weights[4*g+k]) * int32(codes[(g*256+i)*4+k]) }
//		}
//	}
//
// modulo 2³².
//
//go:noescape
func Levels8(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32)

// Levels4 is Levels8 for levels of four bits: byte k of a group has two, the lower half's weight is weights[8*g+k] and
// the upper half's weights[8*g+4+k].
//
//go:noescape
func Levels4(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32)

// Nibbles adds up entries of tables, for codes and groups as Levels8 has them. Group g has eight tables of 16 entries:
// tables[128*g+16*k:] are looked up by the lower halves of bytes k, tables[128*g+64+16*k:] by the upper halves.
//
//	for i := range n {
//		dst[i] <<= shift // at most 32, which makes 0 of it
//		for g := range groups {
//			for k := range 4 {
//				c := codes[(g*256+i)*4+k]
//				dst[i] += int32(tables[128*g+16*k+c&15]) + int32(tables[128*g+64+16*k+c>>4])
//			}
//		}
//	}
//
// modulo 2³².
//
//go:noescape
func Nibbles(n, groups int, codes, tables *uint8, shift uint, dst *int32)

// WithinTails is Within for sums of 32 bits, as Levels8 writes them, with another slope than u and with tails, numbers
// as those in kept of which each belongs to one of the limit's: limit is the address of a TailLimit's first field.
//
//	t := (Origin - Step s[i]) scale + Shift
//	w := Square - t²
//	g := Base + Norms (u² + e) - slope[i] t
//	for j := range tails { g += r (Norms r - Tails[j]) } // with r = tail[j*Block+i]
//	if !(g |g| > Kappa e w + Tiny) || t |t| (u² + e) > u Aligned u { one more }
//
//go:noescape
func WithinTails(n int, s *int32, kept, slope, tail *float32, tails int, limit *float32, first uint32, dst *uint32) int
