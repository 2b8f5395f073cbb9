package box

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// BenchmarkHinge and BenchmarkSquared visit a few examples in turn, whose scores come and go so that some labels move,
// or where there is too little to gain.
func BenchmarkHinge(b *testing.B) {
	benchmark[float32](b, "f32", false)
	benchmark[float64](b, "f64", false)
}

func BenchmarkSquared(b *testing.B) {
	benchmark[float32](b, "f32", true)
	benchmark[float64](b, "f64", true)
}

func benchmark[T prove.Float](b *testing.B, name string, squared bool) {
	const examples = 16
	for _, m := range []int{5, 16, 22, 26, 101, 1000} {
		rng, delta := prove.Rand(uint64(m)), make([]T, m)
		visits, problems := make([]*visit[T], 2*examples), make([]*Problem[T], 2*examples)
		for i := range examples {
			v := draw[T](rng, m, 1, 1, squared)
			w := *v
			w.s = draw[T](rng, m, 1, 1, squared).s
			visits[i], visits[examples+i] = v, &w
			problems[i] = v.problem(v.c, v.lo, v.hi)
			problems[examples+i] = problems[i]
		}
		kernel := visits[0].kernel()
		for _, least := range []float64{math.Inf(-1), math.Inf(1)} {
			prove.Tiers(func(tier cpu.Tier) {
				b.Run(fmt.Sprintf("type=%s/m=%d/least=%v/tier=%v", name, m, least, tier), func(b *testing.B) {
					for i := 0; b.Loop(); i++ {
						v := visits[i%(2*examples)]
						kernel(&v.a[0], &v.s[0], &delta[0], m, problems[i%(2*examples)], v.inv, least)
					}
				})
			})
		}
	}
}

// BenchmarkExtrapolate goes on from weights beyond the first cache, BenchmarkExtrapolateRows from blocks of which every
// other one has moved, and stays inside.
func BenchmarkExtrapolate(b *testing.B) {
	benchmarkExtrapolate[float32](b, "f32")
	benchmarkExtrapolate[float64](b, "f64")
}

func benchmarkExtrapolate[T prove.Float](b *testing.B, name string) {
	for _, n := range []int{1000, 30000} {
		w := drawWeights[T](prove.Rand(1), n, 1)
		prove.Tiers(func(tier cpu.Tier) {
			b.Run(fmt.Sprintf("type=%s/n=%d/tier=%v", name, n, tier), func(b *testing.B) {
				for b.Loop() {
					extrapolate[T]()(&w.now[0], &w.last[0], n, .5)
				}
			})
		})
	}
}

func BenchmarkExtrapolateRows(b *testing.B) {
	benchmarkExtrapolateRows[float32](b, "f32")
	benchmarkExtrapolateRows[float64](b, "f64")
}

func benchmarkExtrapolateRows[T prove.Float](b *testing.B, name string) {
	const n = 64
	for _, m := range []int{5, 10, 16, 26, 101} {
		d, rng, moved := drawBlocks[T](prove.Rand(1), m, n, 1), prove.Rand(2), make([]uint8, n)
		for q := range d.now {
			d.most[q%m], d.last[q] = T(math.Inf(1)), d.now[q]
		}
		for i := range n {
			if rng.IntN(2) == 0 {
				d.last[i*m] = d.now[i*m] + 1
			}
		}
		free, now, last := make([]T, m), slices.Clone(d.now), slices.Clone(d.last)
		prove.Tiers(func(tier cpu.Tier) {
			b.Run(fmt.Sprintf("type=%s/m=%d/n=%d/tier=%v", name, m, n, tier), func(b *testing.B) {
				for b.Loop() {
					copy(now, d.now)
					copy(last, d.last)
					extrapolateRows[T]()(&now[0], &last[0], &free[0], m, m, m, n, 0, &d.most[0], &moved[0])
				}
			})
		})
	}
}
