//go:build amd64 && !purego

package ints

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/internal/prove"
)

// TestTilesTwin: on every tier, the generic one too, which no product comes to, an entry gives what the twin gives.
func TestTilesTwin(t *testing.T) {
	t.Run("int8", func(t *testing.T) { testTilesTwin(t, TilesInt8, tilesInt8Generic) })
	t.Run("uint8", func(t *testing.T) { testTilesTwin(t, TilesUint8, tilesUint8Generic) })
}

func testTilesTwin[T element](t *testing.T, tiles, twin func(m, n, k int, a *T, lda int, b *uint8, start, c *int32,
	ldc int)) {
	r := prove.Rand(1)
	draw := func(n int) []byte {
		x := make([]byte, n)
		for i := range x {
			x[i] = byte(r.Uint32())
		}
		return x
	}
	for _, size := range [][3]int{{8, 1, 4}, {9, 48, 5}, {12, 17, 64}, {17, 33, 31}} {
		m, n, k := size[0], size[1], size[2]
		a, b := draw(m*k+m), draw((k+3)/4*4*panelColumns)
		start, want := make([]int32, m), make([]int32, m*(n+1))
		for i := range start {
			start[i] = int32(r.Uint32() >> 8)
		}
		twin(m, n, k, mem[T](a), k+1, unsafe.SliceData(b), &start[0], &want[0], n+1)
		prove.Forms(func(form string) {
			got := make([]int32, len(want))
			tiles(m, n, k, mem[T](a), k+1, unsafe.SliceData(b), &start[0], &got[0], n+1)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %v: not what the twin gives", form, size)
			}
		})
	}
}
