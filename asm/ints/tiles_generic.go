//go:build amd64 && !purego

package ints

import "unsafe"

func tilesGeneric[T, U element](m, n, k int, a *T, lda int, b *U, start, c *int32, ldc int) {
	if m <= 0 || n <= 0 {
		return
	}
	groups := (k + 3) / 4
	panel, first := unsafe.Slice(b, groups*4*panelColumns), unsafe.Slice(start, m)
	for i := range m {
		row := unsafe.Slice(at(a, i*lda), k)
		for j, out := 0, unsafe.Slice(at(c, i*ldc), n); j < n; j++ {
			sum := first[i]
			for g := range groups {
				for t, v := range row[min(4*g, k-4):][:4] {
					sum += int32(v) * int32(panel[(g*panelColumns+j)*4+t])
				}
			}
			out[j] = sum
		}
	}
}

func tilesInt8Generic(m, n, k int, a *int8, lda int, b *uint8, start, c *int32, ldc int) {
	tilesGeneric(m, n, k, a, lda, b, start, c, ldc)
}

func tilesUint8Generic(m, n, k int, a *uint8, lda int, b *uint8, start, c *int32, ldc int) {
	tilesGeneric(m, n, k, a, lda, (*int8)(unsafe.Pointer(b)), start, c, ldc)
}
