//go:build (amd64 || arm64) && !purego

package pq

// Quantize makes bytes of n numbers, n a multiple of 16:
//
//	for i := range n { dst[i] = min(int((x[i] - origin) * factor), limit) }
//
// truncated towards zero. The products must lie in [0, 2³¹), and limit at most at 255.
//
//go:noescape
func Quantize(n int, x *float32, origin, factor float32, limit uint32, dst *uint8)
