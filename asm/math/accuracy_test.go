package math

import (
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// worst collects the largest error of a kernel on each tier, and its argument.
type worst[T float] struct {
	kernel[T]
	tiers []struct {
		tier     cpu.Tier
		ulps     float64
		alpha, x T
	}
	room [][]T
}

// add runs every tier on x. The oracle is asked once for each result that differs from the tier's before.
func (w *worst[T]) add(t *testing.T, alpha T, x []T) {
	t.Helper()
	w.room = w.room[:0]
	i := 0
	prove.Tiers(func(tier cpu.Tier) {
		if len(w.tiers) == i {
			w.tiers = append(w.tiers, w.tiers[:0:0]...)
			w.tiers = append(w.tiers, struct {
				tier     cpu.Tier
				ulps     float64
				alpha, x T
			}{tier: tier})
		}
		y := make([]T, len(x))
		w.run(alpha, x, y)
		w.room = append(w.room, y)
		i++
	})
	for j, v := range x {
		last, lastULPs := T(math.NaN()), math.Inf(1)
		for i, y := range w.room {
			if i == 0 || !prove.Same(y[j], last) {
				last, lastULPs = y[j], w.ulps(alpha, v, y[j])
			}
			if !(lastULPs < 1) {
				t.Fatalf("%s on %v: alpha=%v x=%v (%#x): got %v, %.4f units in the last place from the exact result",
					w.name, w.tiers[i].tier, alpha, v, prove.Bits(v), last, lastULPs)
			}
			if at := &w.tiers[i]; lastULPs > at.ulps {
				at.ulps, at.alpha, at.x = lastULPs, alpha, v
			}
		}
	}
}

func (w *worst[T]) log(t *testing.T) {
	for _, at := range w.tiers {
		t.Logf("%s on %v: at most %.4f units in the last place, alpha=%v x=%v (%#x)", w.name, at.tier, at.ulps,
			at.alpha, at.x, prove.Bits(at.x))
	}
}

// TestAccuracy holds every tier to less than one unit in the last place, on arguments of all sizes and where it is
// hard.
func TestAccuracy(t *testing.T) { prove.Both(t, accuracy[float32], accuracy[float64]) }

func accuracy[T float](t *testing.T) {
	random, strides := 8000, uint64(300_000)
	if !prove.IsF32[T]() {
		strides = 4000
	}
	if testing.Short() {
		random, strides = random/20, strides/20
	}
	if prove.Quick() {
		random, strides = random/4, strides/4
	}
	r := prove.Rand(1)
	for _, k := range kernels[T]() {
		w := worst[T]{kernel: k}
		hard := k.hard()
		var all []T // every exponent, both signs, NaN among them
		stride := (math.MaxUint64 >> prove.Pick[T, int](32, 0)) / strides
		for i := range strides {
			all = append(all, prove.FromBits[T](i*stride+r.Uint64N(stride)))
		}
		some := make([]T, random)
		for i := range some {
			some[i] = T(1500*r.Float64() - 750)
			if prove.IsF32[T]() {
				some[i] /= 7
			}
		}
		if !k.scaled {
			w.add(t, 1, hard)
			w.add(t, 1, all)
			w.add(t, 1, some)
		} else {
			for _, alpha := range []T{1, -0.37, 1e-9, -3e7, T(math.Ldexp(1, -126)), -prove.Max[T](), prove.Tiny[T](),
				0} {
				if alpha != 0 && alpha != 1 {
					for i := range hard {
						hard[i] = some[r.IntN(random)] / alpha
					}
				}
				w.add(t, alpha, hard[:min(len(hard), 4000)])
				w.add(t, alpha, all[:len(all)/8])
			}
		}
		w.log(t)
	}
}

// TestSweep asks for every float32, which takes minutes. DUALGAP_SWEEP names the kernel.
func TestSweep(t *testing.T) {
	name := os.Getenv("DUALGAP_SWEEP")
	if name == "" {
		t.Skip("DUALGAP_SWEEP=exp or another kernel asks for every float32 argument")
	}
	const block = 1 << 16
	x := make([]float32, block)
	for _, k := range kernels[float32]() {
		if k.name != name {
			continue
		}
		w := worst[float32]{kernel: k}
		for part := range uint64(8) {
			t.Run(fmt.Sprintf("part=%d", part), func(t *testing.T) {
				for b := range uint64(1 << 29 / block) {
					for i := range x {
						x[i] = math.Float32frombits(uint32(part<<29 + b*block + uint64(i)))
					}
					w.add(t, 1, x)
				}
				w.log(t)
			})
		}
	}
}
