//go:build (amd64 || arm64) && !purego

package pq

// Within writes to dst first plus the places i < n of the codes of a block that may be within a limit, in rising order,
// and returns their number. n is a multiple of 16, at most Block. s has sums of bytes, as Scan8 and Scan4 write them,
// and kept four times Block numbers: of each vector u, e², 1/|y| and |z|²/2|y|, package pq says of what.
//
//	t := (Origin - Step s[i]) scale + Part half // with u, e, scale, half = kept[i], kept[Block+i], ...
//	w := Square - t²
//	g := Base + Norms (u² + e) - u t
//	if !(g |g| > Kappa e w + Tiny) || t |t| (u² + e) > u Aligned u { one more }
//
// each operation in float32 and sums of products fused, from left to right. limit is the address of a Limit's first
// field. It may write anything to the rest of
// dst[:n].
//
//go:noescape
func Within(n int, s *uint16, kept *float32, limit *float32, first uint32, dst *uint32) int
