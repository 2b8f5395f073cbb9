package pair

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/dualgap/dualgap/asm/blas"
	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/pages"
	"github.com/dualgap/dualgap/internal/prove"
)

// BenchmarkPairLoop is a pair step whose rows lie in memory: a scan of one row and a move of both, beside the sum of
// two rows. The rows are drawn at random from 410 MB. Both take turns, a few steps at a time; the metrics are the least
// times of a step, and of a candidate of it, and their ratio.
func BenchmarkPairLoop(b *testing.B) {
	const n, rows, steps = 50000, 2048, 32
	k := make([]float32, rows*n)
	pages.Huge(k) // as kernel.Matrix does with its rows
	rng := prove.Rand(1)
	for i := range k {
		k[i] = rng.Float32()
	}
	q, f, x := make([]float32, n), make([]float32, n), make([]float32, n)
	for l := range n {
		q[l], x[l] = 1, rng.Float32()
	}
	inf := float32(math.Inf(1))
	box := Scan[float32]{A: 1, Least: 1e-12, B: 0.1, L0: -0.5, L1: 1, L2: -1, U0: 0.5, U1: 1, U2: inf}
	kinks := Kinks[float32]{A: 1, Least: 1e-12, B: 0.1, L0: -0.5, L1: -1, U0: 0.5, U1: inf, C: 0.5, K: -0.5, L: -1,
		Second: -0.1}
	row := func() *float32 { return &k[rng.IntN(rows)*n] }
	sum := func() {
		for range steps {
			sink += blas.SumF32(row(), n) + blas.SumF32(row(), n)
		}
	}
	move := func(rk *float32, d float32) { MoveF32(&f[0], rk, row(), n, 1e-9*d) }
	loops := map[string]func(){
		"scan": func() {
			for range steps {
				rk := row()
				_, _, d := ScanF32(rk, &q[0], &f[0], &x[0], n, &box)
				move(rk, d)
			}
		},
		"kinks": func() {
			for range steps {
				rk := row()
				_, _, d := ScanKinksF32(rk, &q[0], &f[0], &x[0], n, &kinks)
				move(rk, d)
			}
		},
	}
	for _, name := range []string{"scan", "kinks"} {
		prove.Tiers(func(tier cpu.Tier) {
			b.Run(fmt.Sprintf("%s/n=%d/tier=%v", name, n, tier), func(b *testing.B) {
				least := [2]time.Duration{math.MaxInt64, math.MaxInt64}
				for b.Loop() {
					for i, f := range []func(){sum, loops[name]} {
						begin := time.Now()
						f()
						least[i] = min(least[i], time.Since(begin))
					}
				}
				us := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 / steps }
				b.ReportMetric(us(least[0]), "sum-us/step")
				b.ReportMetric(us(least[1]), "pair-us/step")
				b.ReportMetric(us(least[1])*1e3/n, "ns/candidate")
				b.ReportMetric(float64(least[1])/float64(least[0]), "pair/sum")
			})
		})
	}
}

var sink float32
