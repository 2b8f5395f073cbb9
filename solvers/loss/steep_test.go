package loss

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSteep: no loss moves faster than it says, at random scores that are all off by e at most, and every loss here
// says so but squares with margins, which may be less than they are the sum of.
func TestSteep(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const m = 5
	label := &Label[float64]{Costs: []float64{1, .3, 2, .1, 4}}
	usunier, err := NewUsunier[float64]([]float64{3, 1, .5})
	if err != nil {
		t.Fatal(err)
	}
	targets := &Targets{Y: []float64{3, -1, .5, 7, 0}, Epsilon: .2}
	var w Workspace[float64]
	for _, l := range []Loss[float64]{
		TopKHinge[float64]{K: 2}, TopKHinge[float64]{K: 2, Smoothing: .3}, TopKUsunier[float64]{K: 3},
		TopKUsunier[float64]{K: 3, Smoothing: 2}, usunier, TopKEntropy[float64]{K: 1}, TopKEntropy[float64]{K: 3},
		MultilabelHinge[float64]{}, MultilabelSoftmax[float64]{}, LabelHinge[float64]{}, LabelHinge[float64]{label},
		SquaredHinge[float64]{}, SquaredHinge[float64]{label}, Logistic[float64]{}, Logistic[float64]{label},
		OneClass[float64]{}, EpsilonInsensitive[float64]{targets}, SquaredEpsilonInsensitive[float64]{targets},
	} {
		steep, ok := l.(Steep)
		if !ok {
			t.Errorf("%s does not say how steep it is", l.Traits().Name)
			continue
		}
		slope, bend := steep.Steep(m)
		largest := 0.0
		for range 3000 {
			y, s, off := []int{rng.IntN(m)}, make([]float64, m), make([]float64, m)
			e := math.Exp2(float64(rng.IntN(8) - 6))
			for c := range s {
				s[c] = 2 * rng.NormFloat64()
				off[c] = s[c] + e*float64(2*rng.IntN(2)-1)
			}
			phi := l.Primal(s, y, &w)
			moved, most := math.Abs(l.Primal(off, y, &w)-phi), slope*e+2*e*math.Sqrt(bend*phi)+bend*e*e
			if !(moved <= most*(1+1e-12)+1e-12) {
				t.Fatalf("%s: moves by %v from %v, at most %v", l.Traits().Name, moved, phi, most)
			}
			largest = max(largest, moved/most)
		}
		if largest < .5 {
			t.Errorf("%s: moves by %v of the most that it says", l.Traits().Name, largest)
		}
	}
	l := SquaredHinge[float64]{&Label[float64]{Margins: func(int, []float64, []float64) {}}}
	if slope, _ := l.Steep(m); !math.IsInf(slope, 1) {
		t.Errorf("squares with margins: a slope of %v", slope)
	}
}

// TestSize: scores are compared with the largest margin, the largest target and what is free, or 0, of the example.
func TestSize(t *testing.T) {
	margins := func(i int, margins, least []float64) {
		for c := range margins {
			margins[c], least[c] = float64(i+c), -float64(7*c)
		}
	}
	targets := &Targets{Y: []float64{1, -8, 3, 4}, Epsilon: .5}
	w := Workspace[float64]{Example: 1}
	for _, c := range []struct {
		l    Sized[float64]
		want float64
	}{
		{LabelHinge[float64]{}, 1}, {SquaredHinge[float64]{&Label[float64]{Costs: []float64{5, 6}}}, 1},
		{LabelHinge[float64]{&Label[float64]{Margins: margins}}, 7}, {OneClass[float64]{}, 0},
		{EpsilonInsensitive[float64]{targets}, 4.5}, {SquaredEpsilonInsensitive[float64]{targets}, 4.5},
		{EpsilonInsensitive[float64]{}, 0},
	} {
		if got := c.l.Size(2, &w); got != c.want {
			t.Errorf("%T: %v, want %v", c.l, got, c.want)
		}
	}
	w.Example = 0
	if got := (EpsilonInsensitive[float64]{targets}).Size(2, &w); got != 8.5 {
		t.Errorf("example 0: %v", got)
	}
}
