//go:build (amd64 || arm64) && !purego

package gemm

// PackColumnsF32 copies the m-by-n matrix src transposed; its last row is repeated to fill a whole number of groups of
// 32 bytes.
//
//	for j := range n {
//		for i := range wholeGroups(m) { dst[j*ldd+i] = src[min(i, m-1)*lds+j] }
//	}
//
//go:noescape
func PackColumnsF32(m, n int, src *float32, lds int, dst *float32, ldd int)

// PackColumnsF64 is PackColumnsF32 for float64.
//
//go:noescape
func PackColumnsF64(m, n int, src *float64, lds int, dst *float64, ldd int)

// TransposeF32 adds the m-by-n matrix src, transposed, to beta times dst.
//
//	for j := range n {
//		for i := range m { dst[j*ldd+i] = src[i*lds+j] + beta*dst[j*ldd+i] } // beta = 0: src[i*lds+j], dst is not read
//	}
//
//go:noescape
func TransposeF32(m, n int, src *float32, lds int, beta float32, dst *float32, ldd int)

// TransposeF64 is TransposeF32 for float64.
//
//go:noescape
func TransposeF64(m, n int, src *float64, lds int, beta float64, dst *float64, ldd int)
