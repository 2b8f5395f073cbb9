package blas

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestCast: every length, any alignment, special numbers; what is rounded is rounded as the compiler does. x is
// readable, y writable no further than its length.
func TestCast(t *testing.T) {
	t.Run("f32", func(t *testing.T) { castTest(t, CastF32) })
	t.Run("f64", func(t *testing.T) { castTest(t, CastF64) })
}

func castTest[S, D float](t *testing.T, cast func(x *S, y *D, n int)) {
	r := prove.Rand(1)
	special := []S{0, S(math.Copysign(0, -1)), S(math.Inf(1)), S(math.Inf(-1)), S(math.NaN()), prove.Max[S](),
		prove.Tiny[S](), S(math.Ldexp(1, -140)), 1 + S(math.Ldexp(1, -24))}
	var x prove.Memory[S]
	var y prove.Memory[D]
	for n := range 131 {
		x.Place(r.IntN(16), 1, n, n, func(int) S {
			if r.IntN(4) == 0 {
				return special[r.IntN(len(special))]
			}
			return S(r.NormFloat64())
		})
		y.Place(r.IntN(16), 1, n, n, func(int) D { return prove.Poison[D]() })
		want := y.Want()
		for i, v := range x.Data {
			want[i] = D(v)
		}
		prove.Tiers(func(tier cpu.Tier) {
			y.Reset()
			cast(ptr(x.Data), ptr(y.Data), n)
			if err := y.Diff(false); err != nil {
				t.Fatalf("%v, n=%d: %v", tier, n, err)
			}
			if err := x.Diff(false); err != nil {
				t.Fatalf("%v, n=%d: x: %v", tier, n, err)
			}
		})
	}
}

func TestCastGuard(t *testing.T) {
	t.Run("f32", func(t *testing.T) { castGuard(t, CastF32) })
	t.Run("f64", func(t *testing.T) { castGuard(t, CastF64) })
}

func castGuard[S, D float](t *testing.T, cast func(x *S, y *D, n int)) {
	from, to := guard.New(t, 4096), guard.New(t, 4096)
	prove.Tiers(func(tier cpu.Tier) {
		for n := range 70 {
			for _, f := range []func(){
				func() { cast(ptr(guard.Tail[S](from, n)), ptr(guard.Tail[D](to, n)), n) },
				func() { cast(ptr(guard.Head[S](from, n)), ptr(guard.Head[D](to, n)), n) },
			} {
				if addr, bad := guard.Fault(f); bad {
					t.Fatalf("%v, n=%d: fault at %#x", tier, n, addr)
				}
			}
		}
	})
}
