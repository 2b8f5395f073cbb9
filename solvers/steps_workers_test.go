package solvers_test

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// few notes a training of a few epochs: more would take long.
func few[T vec.Float, P familytest.Problem[C, R], C, R any](s *steps[T], name string, p P,
	config func(func(solvers.Progress)) C) R {
	s.t.Helper()
	h := newTrace()
	r, err := p.Fit(context.Background(), config(h.progress))
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
			few(s, fmt.Sprintf("topk, %s, %v", name, loss), p, func(f func(solvers.Progress)) topk.Config {
				return topk.Config{Loss: loss, Lambda: .001, Workers: workers, Epochs: epochs, Progress: f}
			})
		}
		for k, p := range []m3l.Problem[T]{{R: chain}, {R: steep}, {P: quarterMatrix(3, 40), Ridge: .5}, {}} {
			for _, loss := range []m3l.Loss{m3l.Hamming, m3l.Logistic}[:2-k/2] {
				p.X, p.Sets = x.x, e.sets
				few(s, fmt.Sprintf("m3l %d, %s, %v", k, name, loss), p, func(f func(solvers.Progress)) m3l.Config {
					return m3l.Config{Loss: loss, C: .01, Workers: workers, Epochs: epochs, Progress: f}
				})
			}
		}
	}
	many := drawExamples[T](40000, 5, 2)
	for _, x := range []storage[T]{{"dense", many.x}, {"sparse", thinned(many.x)}} {
		for _, offset := range []bool{false, true} {
			p := svm.Problem[T]{X: x.x, Y: many.two}
			few(s, fmt.Sprintf("svm, %s, offset %t", x.name, offset), p, func(f func(solvers.Progress)) svm.Config {
				return svm.Config{Algorithm: svm.Ascent, Offset: offset, C: .01, Workers: 3, Epochs: epochs,
					Progress: f}
			})
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
			p.Start = few(s, "topk, to its end, "+name, p, func(f func(solvers.Progress)) topk.Config {
				c.Progress = f
				return c
			})
			few(s, "topk, start, "+name, p, func(f func(solvers.Progress)) topk.Config {
				c.Progress, c.Tol = f, 3e-6
				return c
			})
			few(s, "m3l, "+name, q, func(f func(solvers.Progress)) m3l.Config {
				return m3l.Config{C: .1, Bias: bias, Tol: 1e-5, Workers: 1, Epochs: 60, Progress: f}
			})
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
			p.Start = few(s, fmt.Sprintf("topk, %s, %d", name, k), p, func(f func(solvers.Progress)) topk.Config {
				c.Progress = f
				return c
			})
			q.Start = few(s, fmt.Sprintf("m3l, %s, %d", name, k), q, func(f func(solvers.Progress)) m3l.Config {
				d.Progress = f
				return d
			})
		}
		p.Start, c.Progress, p.Prior = nil, nil, quarterMatrix(9, 40)
		traced(s, name+", stops", p, c)
	}
	two := m3l.Problem[T]{X: e.x}
	for _, c := range e.two {
		two.Sets = append(two.Sets, []int{c})
	}
	for k, tol := range []float64{1e-2, 1e-4, 1e-4, 1e-5} {
		two.Start = few(s, fmt.Sprintf("again, two labels, %d", k), two, func(f func(solvers.Progress)) m3l.Config {
			return m3l.Config{C: .1, Tol: tol, Workers: 1, Epochs: 60, Progress: f}
		})
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
				p.Start = few(s, fmt.Sprintf("again, %d classes, %s, %d", classes, x.name, k), p,
					func(f func(solvers.Progress)) topk.Config {
						c.Progress = f
						return c
					})
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
