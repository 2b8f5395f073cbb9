package sort

import (
	"cmp"
	"slices"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

func argsort[T float](idx []int32, x []T, room []int64, f Form) {
	if prove.IsF32[T]() {
		Arg32(unsafe.SliceData(idx), ints32(x), len(x), unsafe.SliceData(room), f)
	} else {
		Arg64(unsafe.SliceData(idx), ints64(x), len(x), unsafe.SliceData(room), f)
	}
}

func pairs[T float](x []T, payload []int32, room []int64, f Form) {
	if prove.IsF32[T]() {
		Pairs32(ints32(x), unsafe.SliceData(payload), len(x), unsafe.SliceData(room), f)
	} else {
		Pairs64(ints64(x), unsafe.SliceData(payload), len(x), unsafe.SliceData(room), f)
	}
}

// argOrder is the order of positions in x, by the library's stable sort.
func argOrder[T float](x []T, f Form) []int32 {
	idx := make([]int32, len(x))
	for i := range idx {
		idx[i] = int32(i)
	}
	less := order[T](f)
	slices.SortStableFunc(idx, func(i, j int32) int { return less(x[i], x[j]) })
	return idx
}

// TestArgSort: positions in the order of a stable sort, on every tier and kind of input; x is only read.
func TestArgSort(t *testing.T) { prove.Both(t, testArgSort[float32], testArgSort[float64]) }

func testArgSort[T float](t *testing.T) {
	r := prove.Rand(11)
	for _, kind := range kinds {
		for _, n := range argLengths() {
			x, idx, room := make([]T, n), make([]int32, n), make([]int64, n)
			fill(kind, x, r)
			before := slices.Clone(x)
			for name, f := range forms {
				want := argOrder(x, f)
				prove.Tiers(func(tier cpu.Tier) {
					argsort(idx, x, room, f)
					if !slices.Equal(idx, want) || sameBits(x, before) >= 0 {
						t.Fatalf("%v, %s, %s, n=%d: %v, want %v for %v", tier, kind, name, n, idx, want, x)
					}
				})
			}
		}
	}
}

func argLengths() []int {
	if testing.Short() {
		return []int{0, 1, 2, 7, 8, 9, 16, 17, 33, 65, 129, 300, 1000}
	}
	lengths := []int{0, 511, 1000, 5003}
	for n := 1; n < 300; n += 1 + n/40 {
		lengths = append(lengths, n)
	}
	return lengths
}

// TestPairs: payloads go with their elements, equal elements have them in order.
func TestPairs(t *testing.T) { prove.Both(t, testPairs[float32], testPairs[float64]) }

func testPairs[T float](t *testing.T) {
	type pair struct {
		x T
		p int32
	}
	r := prove.Rand(12)
	for _, kind := range kinds {
		for _, n := range argLengths() {
			x, payload, room := make([]T, n), make([]int32, n), make([]int64, 2*n)
			fill(kind, x, r)
			for i := range payload {
				payload[i] = []int32{-1 << 31, 1<<31 - 1, -1, 0, int32(r.Uint32())}[r.IntN(5)]
			}
			for name, f := range forms {
				want := make([]pair, n)
				for i := range want {
					want[i] = pair{x[i], payload[i]}
				}
				less := order[T](f)
				slices.SortFunc(want, func(a, b pair) int { return cmp.Or(less(a.x, b.x), cmp.Compare(a.p, b.p)) })
				prove.Tiers(func(tier cpu.Tier) {
					y, q := slices.Clone(x), slices.Clone(payload)
					pairs(y, q, room, f)
					for i, w := range want {
						if prove.Bits(y[i]) != prove.Bits(w.x) || q[i] != w.p {
							t.Fatalf("%v, %s, %s, n=%d: pair %d is %v %d, want %v %d", tier, kind, name, n, i, y[i],
								q[i], w.x, w.p)
						}
					}
				})
			}
		}
	}
}

// TestUnpack compares every tier with the twin, above all in what it says of neighbours.
func TestUnpack(t *testing.T) {
	r := prove.Rand(13)
	for n := range 80 {
		for equal := -1; equal < n-1; equal++ { // where two neighbours have the same upper half
			src := make([]int64, n)
			for i := range src {
				src[i] = int64(i)<<32 | int64(r.Uint32())
			}
			if equal >= 0 {
				src[equal+1] = src[equal]&^(1<<32-1) | int64(r.Uint32())
			}
			want := make([]int32, n)
			unpackI64Generic(unsafe.SliceData(want), unsafe.SliceData(src), n)
			prove.Tiers(func(tier cpu.Tier) {
				idx := make([]int32, n+1)
				idx[n] = 5
				found := UnpackI64(unsafe.SliceData(idx), unsafe.SliceData(src), n)
				if found != 0 != (equal >= 0) || !slices.Equal(idx[:n], want) || idx[n] != 5 {
					t.Fatalf("%v, n=%d, equal %d: %d, %v, want %v", tier, n, equal, found, idx, want)
				}
			})
		}
	}
}
