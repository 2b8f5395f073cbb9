package loss

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/dualgap/dualgap/vec"
)

// BenchmarkVisitRatio alternates short runs of the visits of two losses, and reports the least time of a visit of each,
// and their quotient.
func BenchmarkVisitRatio(b *testing.B) {
	for _, m := range []int{10, 26, 101} {
		benchmarkRatio[float32](b, "f32", m)
		benchmarkRatio[float64](b, "f64", m)
	}
}

func benchmarkRatio[T vec.Float](b *testing.B, name string, m int) {
	hinge := newReplay[T](TopKHinge[T]{K: 1}, m)
	for _, l := range []struct {
		name string
		Loss[T]
	}{
		{"softmax", TopKEntropy[T]{K: 1}}, {"multilabelsoftmax", MultilabelSoftmax[T]{}},
		{"topkentropy3", TopKEntropy[T]{K: 3}}, {"topkentropy5", TopKEntropy[T]{K: 5}},
	} {
		visits := newReplay(l.Loss, m)
		b.Run(fmt.Sprintf("type=%s/m=%d/loss=%s", name, m, l.name), func(b *testing.B) {
			least, ours := math.Inf(1), math.Inf(1)
			for b.Loop() {
				least, ours = min(least, hinge.run()), min(ours, visits.run())
			}
			b.ReportMetric(least, "hinge-ns")
			b.ReportMetric(ours, "loss-ns")
			b.ReportMetric(ours/least, "x-hinge")
		})
	}
}

// replay is a number of visits that are made again and again.
type replay[T vec.Float] struct {
	loss     Loss[T]
	visits   []recorded[T]
	a, delta []T
	w        Workspace[T]
}

func newReplay[T vec.Float](l Loss[T], m int) *replay[T] {
	return &replay[T]{loss: l, visits: record(l, m, 3), a: make([]T, m), delta: make([]T, m, (m+7)&^7)}
}

// run makes all visits once, and returns the nanoseconds that each has taken.
func (r *replay[T]) run() float64 {
	start := time.Now()
	for i := range r.visits {
		v := &r.visits[i]
		copy(r.a, v.a)
		r.loss.Visit(r.a, v.s, v.y, v.h, v.r, v.term, v.least, r.delta, &r.w)
	}
	return float64(time.Since(start).Nanoseconds()) / float64(len(r.visits))
}

// recorded is a visit before it happens.
type recorded[T vec.Float] struct {
	a, s        []T
	y           []int
	h, r        float64
	term, least float64
	x           []T
	dual        float64
}

// record trains on clusters with noise, C = 1 and h about 4, for some epochs, and returns the visits of the next that
// move.
func record[T vec.Float](l Loss[T], m, epochs int) (visits []recorded[T]) {
	const n, d, r = 256, 12, 1
	rng := rand.New(rand.NewPCG(41, uint64(m)))
	centers := make([]float64, m*d)
	for i := range centers {
		centers[i] = rng.NormFloat64()
	}
	examples := make([]recorded[T], n)
	for i := range examples {
		e := &examples[i]
		e.a, e.y, e.r, e.x = make([]T, m), []int{rng.IntN(m)}, r, make([]T, d)
		for j := range e.x {
			e.x[j] = T((centers[e.y[0]*d+j] + rng.NormFloat64()) * math.Sqrt(4.0/(2*d)))
			e.h += float64(e.x[j]) * float64(e.x[j])
		}
		e.h = float64(T(e.h))
	}
	var w Workspace[T]
	weights, delta := make([]T, m*d), make([]T, m)
	for epoch := range epochs + 1 {
		for i := range examples {
			e := &examples[i]
			s := make([]T, m)
			for c := range s {
				s[c] = T(vec.Dot(weights[c*d:][:d], e.x))
			}
			before := *e
			before.a, before.s, before.term, before.least = append([]T(nil), e.a...), s, e.dual, 1e-4*r
			_, after, moved := l.Visit(e.a, s, e.y, e.h, r, e.dual, before.least, delta, &w)
			e.dual = after
			if !moved {
				continue
			}
			if epoch == epochs {
				visits = append(visits, before)
			}
			for c, v := range delta {
				vec.Axpy(v, e.x, weights[c*d:][:d])
			}
		}
	}
	return visits
}
