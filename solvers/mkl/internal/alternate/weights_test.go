package alternate

import (
	"math"
	"testing"
)

// TestGroupNorm: norms are what the formula says, and where powers underflow, near p = 1, the norms of the largest
// ones.
func TestGroupNorm(t *testing.T) {
	squares := []float64{4, 9, .25}
	for _, r := range []float64{1.01, 1.5, 2, 3, 101} {
		sum := 0.0
		for _, v := range squares {
			sum += math.Pow(math.Sqrt(v), r)
		}
		want := math.Pow(sum, 2/r)
		if got := groupNorm(squares, r); math.Abs(got-want) > 1e-13*want {
			t.Errorf("r = %v: %v, want %v", r, got, want)
		}
	}
	if got := groupNorm([]float64{1e-40, 2e-40, 0, -1e-60}, 101); !(got >= 2e-40 && got < 2.00001e-40) {
		t.Errorf("%v, want 2e-40 and hardly more", got)
	}
	if got := groupNorm([]float64{0, 0}, 3); got != 0 {
		t.Errorf("%v of zeros", got)
	}
	if got := groupNorm([]float64{math.NaN(), 1}, 3); got == got {
		t.Errorf("%v of NaN", got)
	}
}

// size returns |eta|_{p/(2-p)}.
func (w *weights) size() float64 {
	sum, r := 0.0, w.p/(2-w.p)
	for _, v := range w.eta() {
		sum += math.Pow(v, r)
	}
	return math.Pow(sum, 1/r)
}

// TestDescend: the step that is known to descend minimises sum_j |w^j|²/eta_j over |eta|_{p/(2-p)} = 1 for the w at
// hand, where it is |w|²_{2,p}; and no eta gives less.
func TestDescend(t *testing.T) {
	for _, p := range []float64{1.01, 1.1, 1.5, 1.9} {
		w := newWeights(p, 3)
		w.log = []float64{-.3, -.9, -2}
		w.normalize()
		forms, eta := []float64{2, 7, 1}, w.eta()
		squares := make([]float64, 3) // |w^j|²
		for j, n := range forms {
			squares[j] = eta[j] * eta[j] * n
		}
		value := func(w *weights) (sum float64) {
			for j, v := range w.eta() {
				sum += squares[j] / v
			}
			return sum
		}
		before := value(w)
		w.descend(forms)
		if s := w.size(); math.Abs(s-1) > 1e-12 {
			t.Errorf("p = %v: |eta| = %v", p, s)
		}
		if want := groupNorm(squares, p); math.Abs(value(w)-want) > 1e-12*want || want > before {
			t.Errorf("p = %v: %v, want |w|² = %v, before %v", p, value(w), want, before)
		}
		for j := range w.log {
			other := *w
			other.log = append([]float64(nil), w.log...)
			other.log[j] += .01
			other.normalize()
			if value(&other) < value(w) {
				t.Errorf("p = %v: another eta gives %v, less than %v", p, value(&other), value(w))
			}
		}
	}
}

// TestMove: parts double while a direction stays, quarter where it turns, and stay within their bounds; steps end at
// the best weights by the forms; steps are not longer than they may be.
func TestMove(t *testing.T) {
	w := newWeights(1.2, 2)
	if math.Abs(w.size()-1) > 1e-12 || w.log[0] != w.log[1] {
		t.Errorf("begins with %v, of size %v", w.eta(), w.size())
	}
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-12 }
	forms := []float64{1, 1.05}
	for k, want := range []float64{.2, .4, .8, 1, 1} {
		if w.move(forms); k < 3 && (!near(w.part[0], want) || !near(w.part[1], want)) {
			t.Errorf("step %d: parts %v, want %v", k, w.part, want)
		}
	}
	for _, v := range w.ways(forms) {
		if math.Abs(v) > 1e-2 {
			t.Errorf("%v from the best value after 5 steps", v)
		}
	}
	w.way = []float64{1, -1}
	part := w.part[0]
	w.log = []float64{0, -5}
	w.normalize()
	w.move(forms) // kernel 0 goes down now, kernel 1 up
	if want := max(part/4, .05); w.part[0] != want || w.part[1] > 1 {
		t.Errorf("parts %v where a direction turned, want %v", w.part, want)
	}
	w = newWeights(1.01, 2)
	w.part = []float64{1, 1}
	before := w.log[1] - w.log[0]
	w.move([]float64{1, 0}) // the best value is -Inf
	if after := w.log[1] - w.log[0]; after < before-(longest-shortest)-1e-9 || after >= before {
		t.Errorf("a step of %v", after-before)
	}
	w = newWeights(2, 3)
	w.move([]float64{1, 0, 2})
	w.descend([]float64{1, 0, 2})
	for _, v := range w.eta() {
		if v != 1 {
			t.Errorf("p = 2: weights %v", w.eta())
		}
	}
	w = newWeights(1.5, 2)
	w.move([]float64{0, 0})
	if w.log[0] != w.log[1] {
		t.Errorf("forms of 0 move the weights: %v", w.eta())
	}
}
