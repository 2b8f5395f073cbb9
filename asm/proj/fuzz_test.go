package proj

import (
	"encoding/binary"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// FuzzKernels compares every kernel on every tier with the oracles: the bytes become the elements, over and over, any
// NaN or infinity included.
func FuzzKernels(f *testing.F) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 0, 64, 1, 2, 3, 4, 5, 6, 7, 8}, uint16(40), uint8(3))
	f.Add([]byte{0, 0, 128, 127, 0, 0, 240, 127, 0, 0, 192, 255, 9, 9, 9, 63}, uint16(17), uint8(15))
	f.Fuzz(func(t *testing.T, data []byte, n uint16, at uint8) {
		k := min(int(at), int(n%300), 16)
		checkPrune(t, "fuzz", int(n%300), int(at%16), k, pruneParameters[int(at)%len(pruneParameters)],
			numbers[float32](data))
		checkPrune(t, "fuzz", int(n%300), int(at%16), k, pruneParameters[int(at)%len(pruneParameters)],
			numbers[float64](data))
		checkAll(t, "fuzz", int(n%300), int(at%16), numbers[float32](data))
		checkAll(t, "fuzz", int(n%300), int(at%16), numbers[float64](data))
	})
}

func numbers[T float](data []byte) func(int) T {
	size := prove.Pick[T, int](4, 8)
	data = append(data, make([]byte, size)...)
	pos := 0
	return func(int) T {
		b := binary.LittleEndian.Uint64(append(data[pos:pos+size:pos+size], make([]byte, 8)...))
		if pos++; pos+size > len(data) {
			pos = 0
		}
		v := prove.FromBits[T](b)
		if v != v {
			v += 1 // quiet
		}
		return v
	}
}
