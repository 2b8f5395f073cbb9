package ascent

import (
	"math"
	"math/rand/v2"
	"slices"
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

// TestTakePart: a part of the moves of examples of several weights ends there, whatever the weight of the one before.
func TestTakePart(t *testing.T) {
	const n, m = 40, 5
	x, _ := blobs[float64](rand.New(rand.NewPCG(51, 52)), n, 6, m)
	p := labelled(t, design.Matrix[float64](x), m, 0, false)
	for i := range p.Radius {
		p.Radius[i] = []float64{1, .25, .5}[i%3] // the first one that moves has the least
	}
	s := training(t, p, Options{Options: solvers.Options{Tol: 1e-9}})
	rng, w := rand.New(rand.NewPCG(53, 54)), s.workers[0]
	w.old, w.roundMoved = vec.NewMatrix[float64](n, m), make([]bool, n)
	want := vec.NewMatrix[float64](n, m)
	for i := range n {
		w.round, w.roundMoved[i] = append(w.round, i), i%4 > 0
		for l := range m {
			side := -1.0
			if slices.Contains(p.Labels.Of(i), l) {
				side = 1
			}
			now, before := side*p.Radius[i]*rng.Float64(), side*p.Radius[i]*rng.Float64()
			s.duals(i)[l], w.old.Row(i)[l], want.Row(i)[l] = now, before, now
			if w.roundMoved[i] {
				want.Row(i)[l] = before + .625*(now-before)
			}
		}
	}
	w.takePart(.625, s.momentum.leaps[0])
	for i := range n {
		for l, v := range s.duals(i)[:m] {
			if math.Abs(v-want.At(i, l)) > 1e-15 {
				t.Fatalf("example %d of weight %v, label %d: %v, want %v", i, p.Radius[i], l, v, want.At(i, l))
			}
		}
	}
}
