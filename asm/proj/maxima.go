//go:build (amd64 || arm64) && !purego

package proj

// MaximaF32 sets m[:16] to the largest elements of a[:n] in each of 16 classes, elements of one class being 16 apart. A
// class without elements has -Inf; a NaN is passed over.
//
//	for j := range 16 { m[j] = -Inf }
//	for i := range n { if a[i] > m[i%16] { m[i%16] = a[i] } }
//
//go:noescape
func MaximaF32(m, a *float32, n int)

// MaximaF64 is MaximaF32 for float64.
//
//go:noescape
func MaximaF64(m, a *float64, n int)
