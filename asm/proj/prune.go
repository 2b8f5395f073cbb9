//go:build (amd64 || arm64) && !purego

package proj

// PruneF32 bounds the threshold of a projection from below and collects what is not below the bound. With m the maxima
// of a[:n] as MaximaF32 gives them, v the largest of them, c the k-th largest, 1 <= k <= 16, and p = limit, x, y, z,
//
//	low = max(0, min(limit, x v + y c + z)),  bound = c - low,
//
// where limit replaces a sum that is NaN. For k = 0 the bound is p[0], and m is not set. To cand go, in their order,
// the elements that are not below the bound, NaN among them, to index their positions; their number is returned, at
// least k, or all n where the bound is NaN. For k > 0 those may also be kept that are below the bound by less than
// 2^-19 (|c| + low) + 2^-99, and all where that exceeds float32.
//
// Where at most 16 are kept, dst[:n] is set to zero; dst may be a, or nil. m has room for 16 elements, cand and index
// for n+16, all of which may be written; cand may be a itself, which then has that room. A tier without this kernel
// returns -1 and writes nothing.
//
//go:noescape
func PruneF32(cand *float32, index *int32, m, a, dst *float32, n, k int, p *float32) int

// PruneF64 is PruneF32 for float64.
//
//go:noescape
func PruneF64(cand *float64, index *int32, m, a, dst *float64, n, k int, p *float32) int
