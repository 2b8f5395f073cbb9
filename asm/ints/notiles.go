//go:build !amd64 || purego

package ints

import "unsafe"

// Without a kernel of tiles products are taken by rows.

func tiled() bool { return false }

func TilesInt8(m, n, k int, a *int8, lda int, b *uint8, start, c *int32, ldc int)   {}
func TilesUint8(m, n, k int, a *uint8, lda int, b *uint8, start, c *int32, ldc int) {}

func turn(n, groups int, y unsafe.Pointer, ldy int, panel unsafe.Pointer) {}
