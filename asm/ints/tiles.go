//go:build amd64 && !purego

package ints

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/asm/gemm"
)

// tiled reports whether there is a kernel of tiles in use.
func tiled() bool { return cpu.Level != cpu.Generic }

// turn copies n rows of groups of four bytes, ldy groups apart, to the columns of a panel: nobody looks at what numbers
// they are.
func turn(n, groups int, y unsafe.Pointer, ldy int, panel unsafe.Pointer) {
	gemm.PackColumnsF32(n, groups, (*float32)(y), ldy, (*float32)(panel), panelColumns)
}

// TilesInt8 multiplies m rows of k bytes, lda apart, with a packed panel of n columns, at most 48: byte t of group g of
// column j is b[(g*48+j)*4+t], unsigned, for k/4 groups, rounded up. Where k is no multiple of 4 the last group belongs
// to the last four bytes of a row. m is at least 8 and k at least 4. The sums are taken modulo 2³².
//
//	for i := range m {
//		for j := range n {
//			c[i*ldc+j] = start[i]
//			for g := range (k + 3) / 4 {
//				for t := range 4 { c[i*ldc+j] += int32(a[i*lda+min(4*g, k-4)+t]) * int32(b[(g*48+j)*4+t]) }
//			}
//		}
//	}
//
//go:noescape
func TilesInt8(m, n, k int, a *int8, lda int, b *uint8, start, c *int32, ldc int)

// TilesUint8 is TilesInt8 for unsigned rows and signed bytes of the panel.
//
//go:noescape
func TilesUint8(m, n, k int, a *uint8, lda int, b *uint8, start, c *int32, ldc int)
