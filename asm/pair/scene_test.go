package pair

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// scan is a call of a kernel that scans: rows of R, scores of T.
type scan[R, T prove.Float] struct {
	kinks  bool
	row, q []R
	f, x   []T
	p      Scan[T]
	kp     Kinks[T]
}

type scanKernel[R, T prove.Float] func(row, q *R, f, x *T, n int, s *scan[R, T]) (best int, gain, d T)

// kernel returns the kernel of the types.
func (s *scan[R, T]) kernel() scanKernel[R, T] {
	var k any
	switch {
	case s.kinks && prove.IsF32[T]():
		k = scanKernel[float32, float32](func(row, q *float32, f, x *float32, n int,
			s *scan[float32, float32]) (best int, gain, d float32) {
			return ScanKinksF32(row, q, f, x, n, &s.kp)
		})
	case s.kinks:
		k = scanKernel[float64, float64](func(row, q *float64, f, x *float64, n int,
			s *scan[float64, float64]) (best int, gain, d float64) {
			return ScanKinksF64(row, q, f, x, n, &s.kp)
		})
	case prove.IsF32[T]():
		k = scanKernel[float32, float32](func(row, q *float32, f, x *float32, n int,
			s *scan[float32, float32]) (best int, gain, d float32) {
			return ScanF32(row, q, f, x, n, &s.p)
		})
	case prove.IsF32[R]():
		k = scanKernel[float32, float64](func(row, q *float32, f, x *float64, n int,
			s *scan[float32, float64]) (best int, gain, d float64) {
			return ScanMixed(row, q, f, x, n, &s.p)
		})
	default:
		k = scanKernel[float64, float64](func(row, q *float64, f, x *float64, n int,
			s *scan[float64, float64]) (best int, gain, d float64) {
			return ScanF64(row, q, f, x, n, &s.p)
		})
	}
	return k.(scanKernel[R, T])
}

func (s *scan[R, T]) run() answer[T] {
	best, gain, d := s.kernel()(pointer(s.row), pointer(s.q), pointer(s.f), pointer(s.x), len(s.x), s)
	return answer[T]{best, gain, d}
}

// one is the scan of a single partner.
func (s *scan[R, T]) one(l int) *scan[R, T] {
	return &scan[R, T]{s.kinks, s.row[l : l+1], s.q[l : l+1], s.f[l : l+1], s.x[l : l+1], s.p, s.kp}
}

func pointer[T any](x []T) *T {
	if len(x) == 0 {
		return nil
	}
	return &x[0]
}

type answer[T prove.Float] struct {
	best    int
	gain, d T
}

// same has equal bits.
func (a answer[T]) same(b answer[T]) bool {
	return a.best == b.best && prove.Bits(a.gain) == prove.Bits(b.gain) && prove.Bits(a.d) == prove.Bits(b.d)
}

// twin is what the last tier, the twin, answers.
func twin[A any](run func() A) (a A) {
	prove.Tiers(func(tier cpu.Tier) {
		if tier == cpu.Generic {
			a = run()
		}
	})
	return a
}

// check compares every tier with the twin to the bit, with the arrays between poison.
func (s *scan[R, T]) check(t *testing.T, place int) {
	t.Helper()
	want := twin(s.run)
	n := len(s.x)
	var row, q prove.Memory[R]
	var f, x prove.Memory[T]
	row.Place(place%16, 1, n, n, func(i int) R { return s.row[i] })
	q.Place(place*5%16, 1, n, n, func(i int) R { return s.q[i] })
	f.Place(place*3%16, 1, n, n, func(i int) T { return s.f[i] })
	x.Place(place*7%16, 1, n, n, func(i int) T { return s.x[i] })
	placed := scan[R, T]{s.kinks, row.Data, q.Data, f.Data, x.Data, s.p, s.kp}
	prove.Tiers(func(tier cpu.Tier) {
		if got := placed.run(); !got.same(want) {
			t.Fatalf("%v, n = %d, kinks %v: %+v, the twin %+v, of %+v", tier, n, s.kinks, got, want, *s)
		}
		for name, err := range map[string]error{"row": row.Diff(false), "q": q.Diff(false), "f": f.Diff(false),
			"x": x.Diff(false)} {
			if err != nil {
				t.Fatalf("%v, n = %d: %s: %v", tier, n, name, err)
			}
		}
	})
}

// draw makes up a scan of n partners: any numbers, or small integers, of which many have equal gains. Some bounds are
// infinite.
func draw[R, T prove.Float](rng *rand.Rand, n int, kinks, integers bool) *scan[R, T] {
	number := func() float64 {
		if integers {
			return float64(rng.IntN(5) - 2)
		}
		return rng.NormFloat64()
	}
	s := &scan[R, T]{kinks: kinks, row: make([]R, n), q: make([]R, n), f: make([]T, n), x: make([]T, n)}
	for l := range n {
		s.row[l], s.q[l], s.f[l], s.x[l] = R(number()), R(4+number()), T(number()), T(number())
	}
	inf := prove.FromBits[T](prove.Bits(prove.Max[T]()) + 1)
	some := func(v, infinite T) T {
		if rng.IntN(3) == 0 {
			return infinite
		}
		return v
	}
	p := &s.p
	p.A, p.Least, p.B, p.P = T(4+number()), T(0x1p-20), T(number()), some(T(number()), 0)
	p.L0, p.L1, p.L2 = some(T(-3), -inf), T(number()), some(T(number()-3), -inf)
	p.U0, p.U1, p.U2 = some(T(3), inf), T(number()), some(T(number()+3), inf)
	if rng.IntN(8) == 0 { // nowhere to go
		p.L0, p.U0 = 0, 0
	}
	second := -max(0, T(number()))
	s.kp = Kinks[T]{A: p.A, Least: p.Least, B: p.B, L0: p.L0, L1: p.L2, U0: p.U0, U1: p.U2,
		C: max(0, T(1+number())), K: some(-max(0, T(number())), -inf), L: some(-max(0, T(number())), -inf),
		First: second + max(0, T(number())), Second: second}
	return s
}

// everyScan runs a test for the types and forms of a scan.
func everyScan(t *testing.T, f32, f64, mixed func(t *testing.T, kinks bool)) {
	for _, kinks := range []bool{false, true} {
		t.Run(fmt.Sprintf("f32/kinks=%v", kinks), func(t *testing.T) { f32(t, kinks) })
		t.Run(fmt.Sprintf("f64/kinks=%v", kinks), func(t *testing.T) { f64(t, kinks) })
	}
	t.Run("mixed", func(t *testing.T) { mixed(t, false) })
}
