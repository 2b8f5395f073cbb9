//go:build amd64 && !purego

package sparse

// DotAheadF32 is DotF32, and asks meanwhile for what a later call will read: as much from nextIdx and nextVal on as
// this row has, and the cache lines of p, q and r. None of these is read. Rows in random order come from far away: if
// they are asked for some rows ahead, between the loads of this one, they need not be waited for.
//
//go:noescape
func DotAheadF32(idx *int32, val *float32, nnz int, x *float32, nextIdx *int32, nextVal *float32, p, q, r *byte) float32

// DotAheadF64 is DotAheadF32 for float64.
//
//go:noescape
func DotAheadF64(idx *int32, val *float64, nnz int, x *float64, nextIdx *int32, nextVal *float64, p, q, r *byte) float64
