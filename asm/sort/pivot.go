//go:build (amd64 || arm64) && !purego

package sort

// PivotI32 returns one of the keys src[:n], likely to be near the median; n is more than the limit of the tier. Which
// one depends on the tier.
//
//go:noescape
func PivotI32(src *int32, n int) int32

// PivotI64 is PivotI32 for keys of 64 bits.
//
//go:noescape
func PivotI64(src *int64, n int) int64
