package pair

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// lengths lead to every number of vectors of every tier, with a last one that is whole and one that is not.
func lengths() (n []int) {
	for i := range 131 {
		n = append(n, i)
	}
	return append(n, 257, 1000)
}

// TestScan: every tier has the bits of the twin, whatever the length and the place.
func TestScan(t *testing.T) {
	everyScan(t, testScan[float32, float32], testScan[float64, float64], testScan[float32, float64])
}

func testScan[R, T prove.Float](t *testing.T, kinks bool) {
	rng := prove.Rand(1)
	found := 0
	for i, n := range lengths() {
		for j := range 8 {
			s := draw[R, T](rng, n, kinks, j%2 == 0)
			s.check(t, i+j)
			if s.run().best >= 0 {
				found++
			}
		}
	}
	if found < 500 || found > 1050 {
		t.Errorf("%d scans have found a partner: of both kinds are wanted", found)
	}
}

// TestScanPlaces: the best partner is found wherever it is, and of two the first; what comes behind the last is not
// taken.
func TestScanPlaces(t *testing.T) {
	everyScan(t, testScanPlaces[float32, float32], testScanPlaces[float64, float64], testScanPlaces[float32, float64])
}

func testScanPlaces[R, T prove.Float](t *testing.T, kinks bool) {
	for n := 1; n <= 70; n++ {
		s := draw[R, T](prove.Rand(2), n, kinks, true)
		inf := T(math.Inf(1))
		s.p = Scan[T]{A: 1, Least: 0x1p-20, B: -1, L0: -inf, L2: -inf, U0: inf, U2: inf}
		s.kp = Kinks[T]{A: 1, Least: 0x1p-20, B: -1, L0: -inf, L1: -inf, U0: inf, U1: inf, K: -inf, L: -inf}
		for l := range n {
			s.row[l], s.q[l], s.f[l], s.x[l] = 0, 1, 1, 0 // a = 2, b = 0
		}
		prove.Tiers(func(tier cpu.Tier) {
			if got := s.run(); got != (answer[T]{-1, 0, 0}) {
				t.Fatalf("%v, n = %d: %+v where there is nothing to gain", tier, n, got)
			}
			for at := range n {
				for other := at; other < n; other++ {
					if other != at && !prove.Visits(n+at, other, 12) {
						continue
					}
					s.f[at], s.f[other] = 5, 5 // b = 4: D = 2, gain = 4
					if got := s.run(); got != (answer[T]{at, 4, 2}) {
						t.Fatalf("%v, n = %d: %+v, want %d and %d to be found", tier, n, got, at, other)
					}
					s.f[at], s.f[other] = 1, 1
				}
			}
		})
		s.p.B, s.kp.B = 4, 4 // behind the last f is not -5, so that b is not below 0
		for l := range n {
			s.f[l] = -5
		}
		s.check(t, n)
		if got := s.run(); got.best != 0 || got.d != -0.5 {
			t.Fatalf("n = %d: %+v", n, got)
		}
	}
}

// TestScanSpecial: every tier has the bits of the twin where numbers are not, or overflow or underflow, and NaN in any
// array makes no partner.
func TestScanSpecial(t *testing.T) {
	everyScan(t, testScanSpecial[float32, float32], testScanSpecial[float64, float64],
		testScanSpecial[float32, float64])
}

func testScanSpecial[R, T prove.Float](t *testing.T, kinks bool) {
	rng := prove.Rand(3)
	inf, nan, times := math.Inf(1), math.NaN(), 30
	if prove.Quick() {
		times = 6
	}
	for n := 1; n <= 70; n++ {
		for range times {
			s := draw[R, T](rng, n, kinks, rng.IntN(2) == 0)
			hostile := []T{T(nan), T(inf), T(-inf), prove.Max[T](), -prove.Max[T](), prove.Tiny[T](),
				T(math.Copysign(0, -1))}
			rows := []R{R(nan), R(inf), R(-inf), prove.Max[R](), -prove.Max[R](), prove.Tiny[R](),
				R(math.Copysign(0, -1))}
			for range 1 + rng.IntN(4) {
				l, i := rng.IntN(n), rng.IntN(len(hostile))
				switch rng.IntN(4) {
				case 0:
					s.row[l] = rows[i]
				case 1:
					s.q[l] = rows[i]
				case 2:
					s.f[l] = hostile[i]
				case 3:
					if v := hostile[i]; v-v == 0 || v != v {
						s.x[l] = v / 4
					}
				}
			}
			s.check(t, n)
			l := rng.IntN(n)
			*[]*T{&s.f[l], &s.x[l]}[rng.IntN(2)] = T(nan)
			if rng.IntN(2) == 0 {
				*[]*R{&s.row[l], &s.q[l]}[rng.IntN(2)] = R(nan)
			}
			prove.Tiers(func(tier cpu.Tier) {
				if got := s.run(); got.best == l || got.gain != got.gain {
					t.Fatalf("%v, n = %d: %+v, and NaN at %d", tier, n, got, l)
				}
			})
		}
	}
}

// FuzzScan compares tiers with the twin on numbers made of any bits.
func FuzzScan(f *testing.F) {
	f.Add(uint64(1), uint8(21), false, uint64(0x3ff0000000000000), uint8(3))
	f.Add(uint64(2), uint8(100), true, uint64(0x7ff0000000000001), uint8(77))
	f.Fuzz(func(t *testing.T, seed uint64, n uint8, integers bool, bits uint64, at uint8) {
		fuzzScan[float32, float32](t, seed, int(n), integers, bits, int(at), false)
		fuzzScan[float32, float32](t, seed, int(n), integers, bits, int(at), true)
		fuzzScan[float64, float64](t, seed, int(n), integers, bits, int(at), false)
		fuzzScan[float64, float64](t, seed, int(n), integers, bits, int(at), true)
		fuzzScan[float32, float64](t, seed, int(n), integers, bits, int(at), false)
	})
}

func fuzzScan[R, T prove.Float](t *testing.T, seed uint64, n int, integers bool, bits uint64, at int, kinks bool) {
	s := draw[R, T](prove.Rand(seed), n, kinks, integers)
	if n > 0 {
		v, l := prove.FromBits[T](bits), at%n
		switch at / n % 3 {
		case 0:
			s.f[l] = v
		case 1:
			s.row[l] = prove.FromBits[R](bits)
		case 2:
			s.q[l] = prove.FromBits[R](bits)
		}
	}
	s.check(t, at)
}
