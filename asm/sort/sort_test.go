package sort

import (
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestSort compares every tier, bit by bit, with the library's sort, on every kind of input.
func TestSort(t *testing.T) { prove.Both(t, testSort[float32], testSort[float64]) }

func testSort[T float](t *testing.T) {
	lengths := []int{511, 512, 513, 1000, 1025, 4096, 5000}
	for n := range 301 {
		lengths = append(lengths, n)
	}
	if testing.Short() {
		lengths = []int{0, 1, 2, 3, 5, 8, 15, 16, 17, 24, 25, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257,
			1000}
	}
	r := prove.Rand(1)
	var m prove.Memory[T]
	for _, kind := range kinds {
		for _, n := range lengths {
			x := make([]T, n)
			fill(kind, x, r)
			for name, f := range forms {
				want := sorted(x, f)
				m.Place(n%16, 1, n, n, func(i int) T { return x[i] })
				copy(m.Want(), want)
				prove.Tiers(func(tier cpu.Tier) {
					m.Reset()
					sortFloats(m.Data, 0, n, f)
					if i := sameBits(m.Data, want); i >= 0 {
						t.Fatalf("%v, %s, %s, n=%d: element %d is %v, want %v", tier, kind, name, n, i, m.Data[i],
							want[i])
					}
					if err := m.Diff(false); err != nil {
						t.Fatalf("%v, %s, %s, n=%d: %v", tier, kind, name, n, err)
					}
				})
			}
		}
	}
}

// TestLong sorts what goes through many partitions, and what drives the depth to its limit on some tier.
func TestLong(t *testing.T) { prove.Both(t, testLong[float32], testLong[float64]) }

func testLong[T float](t *testing.T) {
	n := 100_003
	if testing.Short() {
		n = 10_007
	}
	r := prove.Rand(2)
	x, got := make([]T, n), make([]T, n)
	for _, kind := range kinds {
		fill(kind, x, r)
		want := sorted(x, 0)
		prove.Tiers(func(tier cpu.Tier) {
			copy(got, x)
			sortFloats(got, 0, n, 0)
			if i := sameBits(got, want); i >= 0 {
				t.Fatalf("%v, %s: element %d is %v, want %v", tier, kind, i, got[i], want[i])
			}
		})
	}
}

// TestWindow asks for parts of the sorted whole.
func TestWindow(t *testing.T) { prove.Both(t, testWindow[float32], testWindow[float64]) }

func testWindow[T float](t *testing.T) {
	r := prove.Rand(3)
	lengths := []int{1, 2, 24, 25, 70, 300, 1000, 5000}
	for _, kind := range kinds {
		for _, n := range lengths {
			x, got := make([]T, n), make([]T, n)
			fill(kind, x, r)
			for name, f := range forms {
				want := sorted(x, f)
				for range 4 {
					from := r.IntN(n)
					to := from + r.IntN(n-from+1)
					if r.IntN(2) == 0 {
						to = min(from+1, n)
					}
					prove.Tiers(func(tier cpu.Tier) {
						copy(got, x)
						sortFloats(got, from, to, f)
						i := sameBits(got[from:to], want[from:to])
						if i >= 0 {
							t.Fatalf("%v, %s, %s, n=%d, %d:%d: element %d is %v, want %v", tier, kind, name, n, from,
								to, from+i, got[from+i], want[from+i])
						}
						// The rest holds the same numbers, on the right side.
						for _, part := range [][2]int{{0, from}, {to, n}} {
							slices.SortFunc(got[part[0]:part[1]], order[T](f))
						}
						if i := sameBits(got, want); i >= 0 {
							t.Fatalf("%v, %s, %s, n=%d, %d:%d: element %d of the rest is %v, want %v", tier, kind, name,
								n, from, to, i, got[i], want[i])
						}
					})
				}
			}
		}
	}
}

// TestFallback reaches the depth's limit at once, after one partition, and after some.
func TestFallback(t *testing.T) {
	prove.Both(t, testFallback[float32, int32], testFallback[float64, int64])
}

func testFallback[T float, K key](t *testing.T) {
	const n = 3000
	r := prove.Rand(4)
	for _, kind := range kinds {
		x := make([]T, n)
		fill(kind, x, r)
		want := sorted(x, 0)
		for depth := range 5 {
			prove.Tiers(func(tier cpu.Tier) {
				got := slices.Clone(x)
				s := sorter[K]{limit: limit[K](), to: n, form: Store}
				convert(keys[K](got), keys[K](got), n, Load)
				s.sort(keys[K](got), 0, n, depth)
				if i := sameBits(got, want); i >= 0 {
					t.Fatalf("%v, %s, depth %d: element %d is %v, want %v", tier, kind, depth, i, got[i], want[i])
				}
			})
		}
	}
}

// TestAllocation: nothing here allocates.
func TestAllocation(t *testing.T) {
	x := make([]float32, 5000)
	prove.Tiers(func(tier cpu.Tier) {
		r := prove.Rand(5)
		if a := prove.Allocs(5, func() {
			fill("few", x, r)
			sortFloats(x, 0, len(x), 0)
			fill("bits", x, r)
			sortFloats(x, 100, 101, Descending)
		}); a != 0 {
			t.Errorf("%v: %v allocations", tier, a)
		}
	})
}
