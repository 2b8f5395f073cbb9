package pair

import (
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestGuardPages calls every kernel with every array at pages without rights, those that are only read without the
// right to write.
func TestGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	everyScan(t, guardPages[float32, float32], guardPages[float64, float64], guardPages[float32, float64])
}

func guardPages[R, T prove.Float](t *testing.T, kinks bool) {
	var arenas [4]*guard.Arena
	for i := range arenas {
		arenas[i] = guard.New(t, 131*8)
	}
	rng := prove.Rand(6)
	for n := 1; n <= 130; n++ {
		s := draw[R, T](rng, n, kinks, false)
		for _, end := range []string{"lower", "upper"} {
			for _, a := range arenas {
				a.ReadOnly(t, false)
			}
			g := *s
			g.row, g.q = put(arenas[0], end, s.row), put(arenas[1], end, s.q)
			g.f, g.x = put(arenas[2], end, s.f), put(arenas[3], end, s.x)
			for _, a := range arenas {
				a.ReadOnly(t, true)
			}
			call := func(name string, f func()) {
				if at, faulted := guard.Fault(f); faulted {
					t.Fatalf("%s, n = %d at the %s guard page: fault at %#x", name, n, end, at)
				}
			}
			prove.Tiers(func(tier cpu.Tier) {
				call(tier.String()+", scan", func() { g.run() })
				if x, ok := any(g.x).([]float64); ok {
					call(tier.String()+", extremes", func() {
						ExtremesF64(&any(g.f).([]float64)[0], &x[0], n, 1, 0, 0)
					})
				}
				if wide, ok := any(g.f).([]float64); ok {
					p := partner[R]{g.row, g.q, wide, 1, 1, 0}
					call(tier.String()+", partner", func() { p.run() })
				}
				arenas[2].ReadOnly(t, false)
				if row, ok := any(g.row).([]float64); ok {
					p := projection{row, any(g.q).([]float64), any(g.x).([]float64)}
					call(tier.String()+", project", func() { p.run(any(g.f).([]float64)) })
				}
				call(tier.String()+", move", func() { moveOf[R, T]()(&g.f[0], &g.row[0], &g.q[0], n, 1) })
				arenas[2].ReadOnly(t, true)
			})
		}
	}
	for _, a := range arenas {
		a.ReadOnly(t, false)
	}
}

// put copies x to an end of an arena.
func put[T prove.Float](arena *guard.Arena, end string, x []T) []T {
	p := guard.Head[T](arena, len(x))
	if end == "upper" {
		p = guard.Tail[T](arena, len(x))
	}
	copy(p, x)
	return p
}

// TestAllocs: no kernel takes memory, its parameters included.
func TestAllocs(t *testing.T) {
	x, z := make([]float64, 100), make([]float64, 100)
	y := make([]float32, 100)
	prove.Tiers(func(tier cpu.Tier) {
		if n := prove.Allocs(10, func() {
			wide, narrow := Scan[float64]{A: 1, Least: 1, U0: 1}, Scan[float32]{A: 1, Least: 1, U0: 1}
			ScanF64(&x[0], &x[0], &x[0], &x[0], 100, &wide)
			ScanMixed(&y[0], &y[0], &x[0], &x[0], 100, &wide)
			ScanF32(&y[0], &y[0], &y[0], &y[0], 100, &narrow)
			kinks, other := Kinks[float64]{A: 1, Least: 1}, Kinks[float32]{A: 1, Least: 1}
			ScanKinksF64(&x[0], &x[0], &x[0], &x[0], 100, &kinks)
			ScanKinksF32(&y[0], &y[0], &y[0], &y[0], 100, &other)
			ExtremesF64(&x[0], &x[0], 100, 1, 0, 0)
			MoveMixed(&x[0], &y[0], &y[0], 100, 1)
			ProjectF64(&z[0], &x[0], &x[0], &x[0], 100)
			PartnerF64(&x[0], &x[0], &x[0], 100, 1, 1, 0)
			PartnerMixed(&y[0], &y[0], &x[0], 100, 1, 1, 0)
		}); n != 0 {
			t.Errorf("%v: %v allocations", tier, n)
		}
	})
}
