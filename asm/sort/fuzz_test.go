package sort

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// FuzzSort compares every tier with the library's sort. The bytes become the bits of the elements, repeated in steps of
// one byte up to n of them.
func FuzzSort(f *testing.F) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 0, 64, 1, 2, 3, 4, 5, 6, 7, 8}, uint16(40), uint16(3))
	f.Add([]byte("numbers of all sizes, none of them special"), uint16(300), uint16(299))
	f.Add([]byte{0, 0, 128, 127, 0, 0, 240, 127, 0, 0, 192, 255, 9, 9, 9, 63}, uint16(2000), uint16(1))
	f.Fuzz(func(t *testing.T, data []byte, n, to uint16) {
		fuzzOne[float32](t, data, int(n%3000), int(to))
		fuzzOne[float64](t, data, int(n%3000), int(to))
	})
}

// elements makes n floats of the bytes.
func elements[T float](data []byte, n int) []T {
	data = append(data, make([]byte, 8)...)
	x := make([]T, n)
	for i := range x {
		x[i] = prove.FromBits[T](binary.LittleEndian.Uint64(data[i%(len(data)-7):]))
	}
	return x
}

func fuzzOne[T float](t *testing.T, data []byte, n, to int) {
	x := elements[T](data, n)
	to = min(to, n)
	got := make([]T, n)
	idx, room := make([]int32, n), make([]int64, n)
	for name, f := range forms {
		want, positions := sorted(x, f), argOrder(x, f)
		prove.Tiers(func(tier cpu.Tier) {
			copy(got, x)
			sortFloats(got, 0, to, f)
			if i := sameBits(got[:to], want[:to]); i >= 0 {
				t.Fatalf("%v, %s, n=%d: element %d is %v, want %v", tier, name, n, i, got[i], want[i])
			}
			argsort(idx, x, room, f)
			if !slices.Equal(idx, positions) {
				t.Fatalf("%v, %s, n=%d: positions %v, want %v", tier, name, n, idx, positions)
			}
		})
	}
}
