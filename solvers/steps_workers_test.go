package solvers_test

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// noted notes a training with a Config as it is.
func noted[T vec.Float, P familytest.Problem[C, R], C, R any](s *steps[T], name string, p P, c C) R {
	s.t.Helper()
	h := newTrace()
	r, err := p.Fit(context.Background(), familytest.With(c, "Progress", h.progress))
	s.add(name, h, r, err)
	return r
}

// workers has trainings that several goroutines share, in rounds and in groups of outputs.
func (s *steps[T]) workers() {
	const epochs = 2
	e := drawExamples[T](6000, 9, 40)
	chain := tridiagonal(40)
	steep := vec.NewMatrix[float64](40, 40) // of which no inverse is used
	for l := range 40 {
		for k := range 40 {
			steep.Row(l)[k] = 1
		}
		steep.Row(l)[l] += 1. / 1024
	}
	for j, x := range e.storages()[:2] {
		workers := 3 - j
		name := fmt.Sprintf("%s, %d", x.name, workers)
		for _, loss := range []topk.Loss{topk.TopKHinge, topk.TopKUsunier, topk.TopKEntropy} {
			p := topk.Problem[T]{X: x.x, Y: e.y, Weights: e.weights}
			noted(s, fmt.Sprintf("topk, %s, %v", name, loss), p,
				topk.Config{Loss: loss, Lambda: .001, Workers: workers, Epochs: epochs})
		}
		for k, p := range []m3l.Problem[T]{{R: chain}, {R: steep}, {P: quarterMatrix(3, 40), Ridge: .5}, {}} {
			for _, loss := range []m3l.Loss{m3l.Hamming, m3l.Logistic}[:2-k/2] {
				p.X, p.Sets = x.x, e.sets
				noted(s, fmt.Sprintf("m3l %d, %s, %v", k, name, loss), p,
					m3l.Config{Loss: loss, C: .01, Workers: workers, Epochs: epochs})
			}
		}
	}
	many := drawExamples[T](40000, 5, 2)
	for _, x := range []storage[T]{{"dense", many.x}, {"sparse", thinned(many.x)}} {
		for _, offset := range []bool{false, true} {
			p := svm.Problem[T]{X: x.x, Y: many.two}
			noted(s, fmt.Sprintf("svm, %s, offset %t", x.name, offset), p,
				svm.Config{Algorithm: svm.Ascent, Offset: offset, C: .01, Workers: 3, Epochs: epochs})
		}
	}
}

// occupied has trainings on sparse examples of many features, of which few occur, and trainings that start from results
// of the same problem.
func (s *steps[T]) occupied() {
	const wide = 1 << 16
	e := drawExamples[T](60, 9, 4)
	x := &dataset.CSR[T]{Rows: e.n, Cols: wide, Ptr: []int{0}}
	for i := range e.n {
		for j, v := range e.x.Row(i) {
			if v != 0 {
				x.Idx, x.Val = append(x.Idx, int32(j*j*1000)), append(x.Val, v)
			}
		}
		x.Ptr = append(x.Ptr, len(x.Val))
	}
	for _, bias := range []float64{0, 1} {
		for _, prior := range []bool{false, true} {
			name := fmt.Sprintf("bias %v, prior %t", bias, prior)
			p := topk.Problem[T]{X: x, Y: e.y}
			q := m3l.Problem[T]{X: x, Sets: e.sets}
			if prior {
				p.Prior = vec.NewMatrix[float64](wide+int(bias), 4)
				p.Prior.Row(1)[2], p.Prior.Row(1000)[1], p.Prior.Row(7)[3] = .5, 1.25, 1./3
				q.Prior = p.Prior
			}
			c := topk.Config{Lambda: .01, K: 2, Bias: bias, Tol: 1e-5, Workers: 1, Epochs: 60}
			if bias == 1 {
				s.line("topk, stopped, "+name, trace{familytest.Trace(s.t, p, c, 1, 2)})
			}
			p.Start = noted(s, "topk, to its end, "+name, p, c)
			c.Tol = 3e-6
			noted(s, "topk, start, "+name, p, c)
			noted(s, "m3l, "+name, q, m3l.Config{C: .1, Bias: bias, Tol: 1e-5, Workers: 1, Epochs: 60})
		}
	}
	groups := drawExamples[T](60, 9, 40)
	for _, x := range groups.storages() {
		p, q := topk.Problem[T]{X: x.x, Y: groups.y}, m3l.Problem[T]{X: x.x, Sets: groups.sets}
		c := topk.Config{Loss: topk.SquaredHinge, Lambda: .01, Workers: 1, Epochs: 60}
		d := m3l.Config{C: .1, Workers: 1, Epochs: 60}
		name := "groups, " + x.name
		for k, tol := range []float64{1e-2, 1e-4, 1e-4} {
			c.Tol, d.Tol = tol, tol
			p.Start = noted(s, fmt.Sprintf("topk, %s, %d", name, k), p, c)
			q.Start = noted(s, fmt.Sprintf("m3l, %s, %d", name, k), q, d)
		}
		p.Start, p.Prior = nil, quarterMatrix(9, 40)
		traced(s, name+", stops", p, c)
	}
	two := m3l.Problem[T]{X: e.x}
	for _, c := range e.two {
		two.Sets = append(two.Sets, []int{c})
	}
	for k, tol := range []float64{1e-2, 1e-4, 1e-4, 1e-5} {
		two.Start = noted(s, fmt.Sprintf("again, two labels, %d", k), two,
			m3l.Config{C: .1, Tol: tol, Workers: 1, Epochs: 60})
	}
	for _, classes := range []int{2, 4} {
		y := e.y
		if classes == 2 {
			y = e.two
		}
		for _, x := range e.storages() {
			p := topk.Problem[T]{X: x.x, Y: y}
			c := topk.Config{Lambda: .01, Tol: 1e-4, Workers: 1, Epochs: 60, Bias: 1}
			for k := range 3 {
				p.Start = noted(s, fmt.Sprintf("again, %d classes, %s, %d", classes, x.name, k), p, c)
				if k == 1 { // the model of one, the dual variables of another
					p.Start.Duals = p.Start.Duals.Slice(0, e.n, 0, p.Start.Duals.Cols)
					for i := range e.n / 10 {
						clear(p.Start.Duals.Row(i))
					}
					c.Tol = 1e-3
				}
			}
		}
	}
}
