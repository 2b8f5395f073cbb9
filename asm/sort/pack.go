//go:build (amd64 || arm64) && !purego

package sort

// PackI32 joins the keys of x[:n] with their positions. What is sorted then has one order only, so that sorting by
// quick but unstable means is stable. The sign of 32 bits is inverted, as it is for payloads.
//
//	for i := range n { dst[i] = toKey(x[i], form) << 32 | (i ^ 1<<31) }
//
//go:noescape
func PackI32(dst *int64, x *int32, n int, form int)

// PackI64 is PackI32 for float64, of whose keys it takes the upper half.
//
//	for i := range n { dst[i] = toKey(x[i], form) &^ (1<<32 - 1) | (i ^ 1<<31) }
//
//go:noescape
func PackI64(dst *int64, x *int64, n int, form int)

// ZipI32 joins the keys of x[:n] with what goes along with them.
//
//	for i := range n { dst[i] = toKey(x[i], form) << 32 | uint32(payload[i] ^ -1<<31) }
//
//go:noescape
func ZipI32(dst *int64, x *int32, payload *int32, n int, form int)

// UnpackI64 writes the lower halves of src[:n] and returns 0 unless two neighbours have the same upper half.
//
//	for i := range n { idx[i] = int32(src[i]) ^ -1<<31 }
//
//go:noescape
func UnpackI64(idx *int32, src *int64, n int) int

// UnzipI32 is the inverse of ZipI32.
//
//	for i := range n { x[i], payload[i] = fromKey(src[i] >> 32, form), int32(src[i]) ^ -1<<31 }
//
//go:noescape
func UnzipI32(x *int32, payload *int32, src *int64, n int, form int)
