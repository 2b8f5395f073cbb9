package l1

import (
	"math"
	"testing"
)

// TestExtrapolationWeights: of iterates that fall to a point by their own factor in each of a few directions, the
// weights sum to 1 and lead to the point; of iterates that do not move there are none.
func TestExtrapolationWeights(t *testing.T) {
	point, factors := []float64{3, -1, .5}, []float64{.9, .6, -.3}
	var e extrapolation[float64]
	for k := range e.steps {
		for p, f := range factors {
			e.steps[k] = append(e.steps[k], point[p]+math.Pow(f, float64(k)))
		}
	}
	c, ok := e.weights()
	if !ok {
		t.Fatal("no weights")
	}
	sum := 0.0
	for _, v := range c {
		sum += v
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the weights %v sum to %v", c, sum)
	}
	for p, want := range point {
		got := 0.0
		for k, v := range c {
			got += v * e.steps[k+1][p]
		}
		if last := math.Abs(e.steps[depth][p] - want); math.Abs(got-want) > 1e-5+1e-3*last {
			t.Errorf("coordinate %d: %v, want %v; the last iterate has %v", p, got, want, e.steps[depth][p])
		}
	}
	for k := range e.steps {
		copy(e.steps[k], point)
	}
	if c, ok := e.weights(); ok {
		t.Errorf("weights %v of iterates that do not move", c)
	}
}
