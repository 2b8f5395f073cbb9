package entropy

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// BenchmarkVisit visits a few examples in turn, with dual variables that are near the softmax of their scores: begin
// alone, and with the step.
func BenchmarkVisit(b *testing.B) {
	for _, m := range []int{10, 26, 101} {
		benchmarkVisit[float32](b, "f32", m)
		benchmarkVisit[float64](b, "f64", m)
	}
}

// BenchmarkLogistic visits a few examples in turn, with dual variables that are near their optimum.
func BenchmarkLogistic(b *testing.B) {
	for _, m := range []int{10, 16, 101} {
		benchmarkLogistic[float32](b, "f32", m)
		benchmarkLogistic[float64](b, "f64", m)
	}
}

func benchmarkLogistic[T prove.Float](b *testing.B, name string, m int) {
	const examples = 64
	rng := prove.Rand(uint64(m))
	visits := make([]*labels[T], examples)
	for i := range visits {
		v := drawLabels[T](rng, m, 2, 5)
		for l := range v.t {
			v.t[l], v.weight[l] = -1, 2
			v.s[l] -= 3
			v.a[l] = -T(v.weight[l] / (1 + math.Exp(-float64(v.s[l])+0.1*rng.NormFloat64())))
		}
		visits[i] = v
	}
	prove.Tiers(func(tier cpu.Tier) {
		b.Run(fmt.Sprintf("type=%s/m=%d/tier=%v", name, m, tier), func(b *testing.B) {
			a, delta, u := make([]T, m), make([]T, m), make([]float64, LogisticRows*room(m))
			visits[0].fill(u)
			visit, i := logisticKernel[T](), 0
			for b.Loop() {
				v := visits[i%examples]
				copy(a, v.a)
				visit(&a[0], &v.s[0], &delta[0], &u[0], m, v.h, v.term, v.least)
				i++
			}
		})
	})
}

func benchmarkVisit[T prove.Float](b *testing.B, name string, m int) {
	const examples = 64
	rng := prove.Rand(uint64(m))
	visits := make([]*visit[T], examples)
	for i := range visits {
		v := draw[T](rng, m, 1, 3)
		v.y = i % m
		clear(v.a)
		var w memory[T]
		w.place(v, 0)
		w.begin(v, w.shift())
		w.step(v)
		v.a = slices.Clone(w.a.Data)
		v.a[v.y] = T(w.q.Sum)
		for j, d := range w.delta.Data {
			v.s[j] += T(v.h)*d + T(0.1*rng.NormFloat64())
		}
		visits[i] = v
	}
	for _, step := range []bool{false, true} {
		prove.Tiers(func(tier cpu.Tier) {
			b.Run(fmt.Sprintf("type=%s/m=%d/step=%t/tier=%v", name, m, step, tier), func(b *testing.B) {
				a, delta, u := make([]T, m), make([]T, m), make([]float64, Rows*room(m))
				begin, move := beginOf[T](), stepOf[T]()
				var sums [2]float64
				i := 0
				for b.Loop() {
					v := visits[i%examples]
					copy(a, v.a)
					begin(&a[0], &v.s[0], &u[0], &sums[0], m, float64(v.s[v.y]))
					if step {
						total, c := sums[0], v.h*v.r
						q := Problem{H: v.h, Plus: c, C: c / total, Total: total, Top: math.Inf(1), Near: v.near,
							Scale: v.r / total}
						move(&a[0], &delta[0], &u[0], m, v.y, &q.H)
					}
					i++
				}
			})
		})
	}
}
