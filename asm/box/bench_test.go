package box

import (
	"fmt"
	"math"
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
