package pair

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

type moveKernel[R, T prove.Float] func(f *T, rk, rl *R, n int, d T)

func moveOf[R, T prove.Float]() moveKernel[R, T] {
	var k any = moveKernel[float64, float64](MoveF64)
	switch {
	case prove.IsF32[T]():
		k = moveKernel[float32, float32](MoveF32)
	case prove.IsF32[R]():
		k = moveKernel[float32, float64](MoveMixed)
	}
	return k.(moveKernel[R, T])
}

// TestMove: every tier leaves f[l] + d (rk[l] - rl[l]), rounded at each step, and nothing else is touched. The numbers
// are of all kinds, those that are none among them.
func TestMove(t *testing.T) {
	t.Run("f32", testMove[float32, float32])
	t.Run("f64", testMove[float64, float64])
	t.Run("mixed", testMove[float32, float64])
}

func testMove[R, T prove.Float](t *testing.T) {
	rng := prove.Rand(4)
	number := func() float64 {
		switch rng.IntN(20) {
		case 0:
			return []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e30, 1e-30}[rng.IntN(7)]
		case 1:
			return math.Ldexp(rng.NormFloat64(), rng.IntN(60)-30)
		}
		return rng.NormFloat64()
	}
	for i, n := range lengths() {
		for j := range 8 {
			var f prove.Memory[T]
			var rk, rl prove.Memory[R]
			f.Place((i+j)%16, 1, n, n, func(int) T { return T(number()) })
			rk.Place(5*i%16, 1, n, n, func(int) R { return R(number()) })
			rl.Place(3*j%16, 1, n, n, func(int) R { return R(number()) })
			d := T(number())
			for l, v := range f.Data {
				f.Want()[l] = v + T(d*(T(rk.Data[l])-T(rl.Data[l])))
			}
			prove.Tiers(func(tier cpu.Tier) {
				for _, cpu.SplitStores = range []bool{false, true} {
					f.Reset()
					moveOf[R, T]()(pointer(f.Data), pointer(rk.Data), pointer(rl.Data), n, d)
					for name, err := range map[string]error{"f": f.Diff(false), "rk": rk.Diff(false),
						"rl": rl.Diff(false)} {
						if err != nil {
							t.Fatalf("%v, n = %d, d = %v: %s: %v", tier, n, d, name, err)
						}
					}
				}
			})
		}
	}
}
