//go:build (amd64 || arm64) && !purego

package sort

// PartitionI32 moves the keys up to the pivot to the front of x[:n], those above it to the end, and returns how many
// are not above. n is more than the limit of the tier. The order on either side depends on the tier.
//
//go:noescape
func PartitionI32(x *int32, n int, pivot int32) int

// PartitionI64 is PartitionI32 for keys of 64 bits.
//
//go:noescape
func PartitionI64(x *int64, n int, pivot int64) int
