package topk

import (
	"context"
	"io"
	"math"
	"testing"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// plain returns examples of three classes that lie around three points of the plane.
func plain(t *testing.T) *problem {
	t.Helper()
	r, err := report.New(io.Discard, io.Discard, "")
	if err != nil {
		t.Fatal(err)
	}
	x, p := vec.NewMatrix[float32](30, 2), &problem{name: "plain", m: 3, tops: []int{1, 2}, bar: r.Bar}
	for i := range x.Rows {
		angle := 2*math.Pi*float64(i%3)/3 + .7*math.Sin(float64(i))
		x.Row(i)[0], x.Row(i)[1] = float32(2*math.Cos(angle)), float32(2*math.Sin(angle))
		p.y = append(p.y, i%3)
	}
	d := &dataset.Dense[float32]{Matrix: x}
	p.x, p.val, p.test, p.valY, p.testY = d, d, d, p.y, p.y
	p.config = topk.Config{Classes: 3, Tol: 1e-4, Workers: 2, Epochs: 1 << 20}
	return p
}

// TestApart: no weights near the ones of a class have a smaller objective, written out as each method states it, and
// scores are what stands there: of TopPush less the largest score of an example of another class.
func TestApart(t *testing.T) {
	for _, m := range []*apart{separate, toppush} {
		p := plain(t)
		const c, tol = .1, 1e-4
		model, err := m.fit(context.Background(), p, m.name, c, tol, nil)
		if err != nil {
			t.Fatal(err)
		}
		// the scores of the unit vectors and of 0: weights, and what is taken off
		probe := &dataset.Dense[float32]{Matrix: vec.MatrixOf(3, 2, []float32{1, 0, 0, 1, 0, 0})}
		s := vec.NewMatrix[float32](3, p.m)
		if err := model.Scores(s, probe, nil); err != nil {
			t.Fatal(err)
		}
		for class := range p.m {
			off := float64(s.At(2, class))
			w := [2]float64{float64(s.At(0, class)) - off, float64(s.At(1, class)) - off}
			least, threshold := p.objective(m, class, c, w)
			if math.Abs(threshold+off) > 1e-4 {
				t.Errorf("%s, class %d: %v is taken off the scores, want %v", m.name, class, -off, threshold)
			}
			for step := 1e-3; step < 2; step *= 3 {
				for turn := range 8 {
					sin, cos := math.Sincos(float64(turn) * math.Pi / 4)
					near, _ := p.objective(m, class, c, [2]float64{w[0] + step*cos, w[1] + step*sin})
					if near < least*(1-2*tol) {
						t.Errorf("%s, class %d: %v a step of %v away, %v there", m.name, class, near, step, least)
					}
				}
			}
		}
		again, err := m.fit(context.Background(), p, m.name, c, tol, model)
		if err != nil {
			t.Fatal(err)
		}
		second := vec.NewMatrix[float32](3, p.m)
		if err := again.Scores(second, probe, nil); err != nil {
			t.Fatal(err)
		}
		for k, v := range s.Data {
			if d := math.Abs(float64(v - second.Data[k])); d > .05 {
				t.Errorf("%s: a score of %v, and %v from where it ended", m.name, v, second.Data[k])
			}
		}
	}
}

// objective returns the objective of a class at w, and the threshold of TopPush, 0 of a support vector machine.
func (p *problem) objective(m *apart, class int, c float64, w [2]float64) (value, threshold float64) {
	x := p.x.(*dataset.Dense[float32])
	score := func(i int) float64 { return w[0]*float64(x.Row(i)[0]) + w[1]*float64(x.Row(i)[1]) }
	if m == toppush {
		threshold = math.Inf(-1)
		for i, y := range p.y {
			if y != class {
				threshold = max(threshold, score(i))
			}
		}
	}
	value = (w[0]*w[0] + w[1]*w[1]) / 2
	for i, y := range p.y {
		switch s := score(i); {
		case m == toppush && y == class:
			value += c * math.Pow(max(0, 1+threshold-s), 2)
		case m == separate && y == class:
			value += c * max(0, 1-s)
		case m == separate:
			value += c * max(0, 1+s)
		}
	}
	return value, threshold
}
