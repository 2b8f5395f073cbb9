package ascent

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// TestLeapWeights: examples of several weights are extrapolated each to the bounds of its own.
func TestLeapWeights(t *testing.T) {
	const n, m = 200, 5
	x, _ := blobs[float64](rand.New(rand.NewPCG(47, 48)), n, 6, m)
	p := labelled(t, design.Matrix[float64](x), m, 0, false)
	for i := range p.Radius {
		p.Radius[i] = []float64{1, 1, .25, .5, 1}[i%5]
	}
	s := training(t, p, Options{Options: solvers.Options{Tol: 1e-9}})
	s.momentum.a = vec.NewMatrix[float64](n, m)
	rng, want := rand.New(rand.NewPCG(49, 50)), vec.NewMatrix[float64](n, m)
	for i := range n {
		sides := make([]float64, m)
		for l := range m {
			sides[l] = -1
		}
		for _, l := range p.Labels.Of(i) {
			sides[l] = 1
		}
		for l, side := range sides {
			now, last := p.Radius[i]*rng.Float64(), p.Radius[i]*rng.Float64()
			s.duals(i)[l], s.momentum.a.Row(i)[l] = side*now, side*last
			want.Row(i)[l] = side * min(max(now+.75*(now-last), 0), p.Radius[i])
		}
		s.changed[i] = 1
	}
	s.leap(s.momentum.leaps[0], s, .75, 0, n)
	for i := range n {
		for l, v := range s.duals(i)[:m] {
			if math.Abs(v-want.At(i, l)) > 1e-15 {
				t.Fatalf("example %d of weight %v, label %d: %v, want %v", i, p.Radius[i], l, v, want.At(i, l))
			}
		}
	}
}
