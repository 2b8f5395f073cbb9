//go:build (amd64 || arm64) && !purego

package sort

// PartitionI32 copies the keys up to the pivot to low, those above it to high, both in their order, and returns how
// many went to low. src may be low or high; otherwise they must not overlap, and each of low and high has room for n.
//
//	for _, k := range src[:n] { if k > pivot { append to high } else { append to low } }
//
// What lies behind the copies, up to n, is overwritten.
//
//go:noescape
func PartitionI32(low, high, src *int32, n int, pivot int32) int

// PartitionI64 is PartitionI32 for keys of 64 bits.
//
//go:noescape
func PartitionI64(low, high, src *int64, n int, pivot int64) int
