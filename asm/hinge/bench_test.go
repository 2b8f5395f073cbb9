package hinge

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// BenchmarkStep visits a few examples in turn, each with nearly the scores of last time, as late in a training.
func BenchmarkStep(b *testing.B) {
	for _, m := range []int{10, 26, 101, 1000} {
		benchmarkStep[float32](b, "f32", m)
		benchmarkStep[float64](b, "f64", m)
	}
}

func benchmarkStep[T prove.Float](b *testing.B, name string, m int) {
	const examples = 64
	rng := prove.Rand(uint64(m))
	delta, u := make([]T, room(m)), make([]float64, room(m))
	problems := make([]*problem[T], examples)
	for i := range problems {
		problems[i] = draw[T](rng, m, 1)
		p := problems[i]
		clear(p.a)
		p.inv, p.r, p.term = 0.2, 0.1, 0
		p.s[p.y] += 2
	}
	prove.Tiers(func(tier cpu.Tier) {
		b.Run(fmt.Sprintf("type=%s/m=%d/tier=%v", name, m, tier), func(b *testing.B) {
			i := 0
			for b.Loop() {
				p := problems[i%examples]
				p.s[i%m] += T(0.1 * float64(i%3-1))
				stepOf[T]()(&p.a[0], &p.s[0], &delta[0], m, p.y, &u[0], p.inv, p.r, p.term, -1)
				i++
			}
		})
	})
}
