//go:build amd64 && !purego

package gemm

// PackRowsF32 copies the m-by-n matrix src, its rows filled up with zeros to a whole number of groups of 32 bytes.
//
//	for i := range m {
//		copy(dst[i*ldd:], src[i*lds:][:n])
//		clear(dst[i*ldd+n:i*ldd+wholeGroups(n)])
//	}
//
//go:noescape
func PackRowsF32(m, n int, src *float32, lds int, dst *float32, ldd int)

// PackRowsF64 is PackRowsF32 for float64.
//
//go:noescape
func PackRowsF64(m, n int, src *float64, lds int, dst *float64, ldd int)
