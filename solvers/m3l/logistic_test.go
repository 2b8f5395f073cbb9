package m3l

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	decomposed "github.com/dualgap/dualgap/internal/cholesky"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestLogisticByNewton: on real data the optimum of each label is the one that Newton's method with halved steps finds,
// in plain loops. The objective is strongly convex with 1, so that it is at most |g|²/2 above its optimum where its
// gradient is g.
func TestLogisticByNewton(t *testing.T) {
	radar, digits := samples.Ionosphere[float64](), samples.Digits[float64]()
	for name, set := range map[string]*dataset.Labeled[*dataset.Dense[float64]]{"ionosphere": radar, "digits": digits} {
		x, y := set.X, set.Y
		if x.Rows > 600 {
			x, y = &dataset.Dense[float64]{Matrix: x.Slice(0, 600, 0, x.Cols)}, y[:600]
		}
		m := 0
		for _, c := range y {
			m = max(m, c+1)
		}
		for _, cost := range []float64{.01, 10} {
			want, off := 0.0, 0.0
			for label := range m {
				value, gradient := newtonLogistic(t, x, y, label, cost)
				want, off = want+value, off+gradient*gradient/2
			}
			if !(off < 1e-12*want) {
				t.Fatalf("%s, C = %v: Newton's method is off by %g of %g", name, cost, off, want)
			}
			r := solve(t, Problem[float64]{X: x, Y: y}, Config{C: cost, Loss: Logistic, Tol: 1e-7, Epochs: 1 << 20})
			rounding := 1e-11 * want // of some 1e4 terms in either sum
			if r.Certificate.Dual > want+rounding || r.Certificate.Primal < want-off-rounding {
				t.Errorf("%s, C = %v: %v, by Newton's method %v", name, cost, r.Certificate, want)
			}
		}
	}
}

// newtonLogistic returns the least 1/2 |w|² + C sum_i log(1 + exp(-y_i <w,x_i>)), y_i = 1 where the class is label and
// -1 elsewhere, and the length of the gradient there.
func newtonLogistic(t *testing.T, x *dataset.Dense[float64], y []int, label int, cost float64) (value, length float64) {
	t.Helper()
	d := x.Cols
	w := make([]float64, d)
	objective := func(w []float64) float64 {
		sum := 0.0
		for i := range x.Rows {
			s := 0.0
			for j, v := range x.Row(i) {
				s += v * w[j]
			}
			if y[i] == label {
				s = -s
			}
			sum += max(0, s) + math.Log1p(math.Exp(-math.Abs(s)))
		}
		return vec.SquaredNorm(w)/2 + cost*sum
	}
	for range 100 {
		h, g := vec.NewMatrix[float64](d, d), vec.NewMatrix[float64](d, 1)
		for j := range d {
			h.Row(j)[j], g.Row(j)[0] = 1, w[j]
		}
		for i := range x.Rows {
			row, s := x.Row(i), 0.0
			for j, v := range row {
				s += v * w[j]
			}
			p := 1 / (1 + math.Exp(-s))
			slope := p
			if y[i] == label {
				slope = -1 / (1 + math.Exp(s))
			}
			for j, v := range row {
				g.Row(j)[0] += cost * slope * v
				for k, u := range row[:j+1] {
					h.Row(j)[k] += cost * p * (1 - p) * v * u
				}
			}
		}
		length = math.Sqrt(vec.SquaredNorm(g.Data))
		for j := range d {
			for k := range j {
				h.Row(k)[j] = h.Row(j)[k]
			}
		}
		value = objective(w)
		if length < 1e-9*math.Sqrt(value) {
			return value, length
		}
		if err := decomposed.Factor(h, 1); err != nil {
			t.Fatal(err)
		}
		decomposed.Solve(h, g, 1)
		for step := 1.0; ; step /= 2 {
			next := make([]float64, d)
			for j := range next {
				next[j] = w[j] - step*g.Row(j)[0]
			}
			if objective(next) <= value || step < 1e-9 {
				w = next
				break
			}
		}
	}
	return value, length
}

// TestLogisticGaps: float64 reaches a gap of 1e-6 and float32 one of 1e-4 on real data, where labels are far apart too.
func TestLogisticGaps(t *testing.T) {
	prove.Both(t, testLogisticGaps[float32], testLogisticGaps[float64])
}

func testLogisticGaps[T vec.Float](t *testing.T) {
	set := samples.Ionosphere[T]()
	tol := 1e-6
	if prove.IsF32[T]() {
		tol = 1e-4
	}
	for _, cost := range []float64{1e-4, 1, 100} {
		solve(t, Problem[T]{X: set.X, Y: set.Y}, Config{C: cost, Loss: Logistic, Tol: tol, Epochs: 1 << 20})
	}
}
