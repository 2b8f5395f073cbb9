package sort

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

func keys[K key, T any](x []T) *K { return (*K)(unsafe.Pointer(unsafe.SliceData(x))) }

// TestNetworks holds every length of the networks to the 0-1 principle: a network that sorts all sequences of zeros and
// ones sorts all sequences (Knuth, The Art of Computer Programming 3, 5.3.4). All of them where they are few; with more
// elements each number of ones in many places, blocks and stripes among them.
func TestNetworks(t *testing.T) {
	t.Run("i32", testNetworks[int32])
	t.Run("i64", testNetworks[int64])
}

func testNetworks[K key](t *testing.T) {
	r := prove.Rand(6)
	exhaustive, tries := 16, 12
	if testing.Short() {
		exhaustive, tries = 10, 2
	}
	x, want := make([]K, 300), make([]K, 300)
	prove.Tiers(func(tier cpu.Tier) {
		check := func(n, ones int, what string) {
			for i := range n {
				want[i] = 0
				if i >= n-ones {
					want[i] = 1
				}
			}
			network(unsafe.SliceData(x), unsafe.SliceData(x), n, 0)
			if !slices.Equal(x[:n], want[:n]) {
				t.Fatalf("%v, n=%d, %d ones, %s: %v", tier, n, ones, what, x[:n])
			}
		}
		for n := range limit[K]() + 1 {
			if n <= exhaustive && (n <= 12 || n == exhaustive) {
				for set := range 1 << n {
					ones := 0
					for i := range n {
						x[i] = K(set >> i & 1)
						ones += set >> i & 1
					}
					check(n, ones, "all")
				}
				continue
			}
			for ones := range n + 1 {
				for range tries {
					for i := range n {
						x[i] = 0
						if i < ones {
							x[i] = 1
						}
					}
					r.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
					check(n, ones, "shuffled")
				}
				// A run of ones, wrapped around, seen through every stride of a power of two.
				for stride := 1; stride < n; stride *= 2 {
					from, at := r.IntN(n), 0
					for first := range stride {
						for i := first; i < n; i += stride {
							x[i] = 0
							if (at-from+n)%n < ones {
								x[i] = 1
							}
							at++
						}
					}
					check(n, ones, "striped")
				}
			}
		}
	})
}

// TestPartition: each side has the keys that belong there, and nothing around is touched.
func TestPartition(t *testing.T) {
	t.Run("i32", testPartition[int32])
	t.Run("i64", testPartition[int64])
}

func testPartition[K key](t *testing.T) {
	const guard, before, behind = 99, 3, 70
	r := prove.Rand(7)
	prove.Tiers(func(tier cpu.Tier) {
		for n := limit[K]() + 1; n < limit[K]()+300; n++ {
			for _, values := range []int{1, 2, 10, 1000, 1 << 30} {
				room := make([]K, before+n+behind)
				for i := range room {
					room[i] = guard
				}
				x := room[before:][:n:n]
				for i := range x {
					x[i] = K(r.IntN(values) - values/2)
				}
				if r.IntN(4) == 0 {
					slices.Sort(x)
				}
				p := K(r.IntN(values+2) - values/2 - 1)
				was := slices.Clone(x)
				slices.Sort(was)
				want := 0
				for want < n && was[want] <= p {
					want++
				}
				low := partition(unsafe.SliceData(x), n, p)
				now := slices.Clone(x)
				slices.Sort(now[:want])
				slices.Sort(now[want:])
				if low != want || !slices.Equal(now, was) {
					t.Fatalf("%v, n=%d, pivot %d: %d, want %d: %v", tier, n, p, low, want, x)
				}
				for i, k := range room {
					if (i < before || i >= before+n) && k != guard {
						t.Fatalf("%v, n=%d: wrote to place %d", tier, n, i-before)
					}
				}
			}
		}
	})
}

// TestPivot wants one of the keys, and of sorted ones one from the middle half.
func TestPivot(t *testing.T) {
	t.Run("i32", testPivot[int32])
	t.Run("i64", testPivot[int64])
}

func testPivot[K key](t *testing.T) {
	r := prove.Rand(8)
	prove.Tiers(func(tier cpu.Tier) {
		for n := limit[K]() + 1; n < 2000; n += 1 + n/20 {
			x := make([]K, n)
			for i := range x {
				x[i] = K(3 * i)
			}
			p := pivot(unsafe.SliceData(x), n)
			if i := int(p) / 3; x[i] != p || i < n/4 || i > n/4*3 {
				t.Errorf("%v, n=%d: pivot %d", tier, n, i)
			}
			r.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
			if p := pivot(unsafe.SliceData(x), n); !slices.Contains(x, p) {
				t.Errorf("%v, n=%d: %d is no key", tier, n, p)
			}
		}
	})
}

// TestConvert compares every tier with the twin and goes back and forth.
func TestConvert(t *testing.T) {
	prove.Both(t, testConvert[float32, int32], testConvert[float64, int64])
}

func testConvert[T float, K key](t *testing.T) {
	r := prove.Rand(9)
	for n := range 150 {
		x := make([]T, n)
		fill([]string{"bits", "extremes", "nan"}[n%3], x, r)
		src := unsafe.Slice(keys[K](x), n)
		for _, f := range forms {
			want := make([]K, n)
			convertGeneric(unsafe.SliceData(want), unsafe.SliceData(src), n, int(f|Load))
			for i := range want {
				for j := range want {
					if (want[i] < want[j]) != (order[T](f)(x[i], x[j]) < 0) {
						t.Fatalf("keys of %v and %v are %d and %d", x[i], x[j], want[i], want[j])
					}
				}
			}
			prove.Tiers(func(tier cpu.Tier) {
				got := make([]K, n+1)
				got[n] = 5
				convert(unsafe.SliceData(got), unsafe.SliceData(src), n, f|Load)
				if !slices.Equal(got[:n], want) {
					t.Fatalf("%v, n=%d: keys %v, want %v", tier, n, got, want)
				}
				convert(unsafe.SliceData(got), unsafe.SliceData(got), n, f|Store)
				if !slices.Equal(got[:n], src) {
					t.Fatalf("%v, n=%d: back %v, want %v", tier, n, got, src)
				}
				convert(unsafe.SliceData(got), unsafe.SliceData(want), n, f)
				if !slices.Equal(got[:n], want) || got[n] != 5 {
					t.Fatalf("%v, n=%d: copied %v, want %v", tier, n, got, want)
				}
			})
		}
	}
}
