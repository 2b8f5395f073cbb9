package solvers_test

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// given has trainings that start from dual variables and a model that is better than theirs, as the best ones of a
// training are of different epochs: where the two have a gap within the tolerance they are the result.
func (s *steps[T]) given() {
	e := drawExamples[T](60, 9, 4)
	k := must(kernel.New(e.x, kernel.Gaussian{Gamma: .25}, 1<<26))
	opposite := make([][]int, e.n)
	for i, c := range e.two {
		opposite[i] = []int{c}
	}
	many := drawExamples[T](60, 9, 40)
	features := e.storages()
	for j, x := range append(features, storage[T]{"kernel", nil}, storage[T]{"wide", e.rare(.2)}) {
		var gram *kernel.Matrix[T]
		rows, bias := x.x, float64(j%2)
		if x.name == "kernel" {
			gram, bias = k, 0
		}
		for l, p := range []topk.Problem[T]{{Y: e.y}, {Y: e.y, Prior: quarterMatrix(9+int(bias), 4)}, {Y: many.y}} {
			if p.X, p.Kernel = rows, gram; gram != nil && l == 1 {
				continue
			}
			c := topk.Config{Lambda: .01, Bias: bias, Workers: 1, Epochs: 200, Seed: 5}
			if l == 2 {
				c.Loss = topk.SquaredHinge
			}
			again(s, fmt.Sprintf("topk, %s, %d", x.name, l), p, c,
				func(p *topk.Problem[T], from, better *topk.Result[T]) {
					from.Model, from.Certificate, p.Start = better.Model, better.Certificate, from
				})
		}
		for l, p := range []m3l.Problem[T]{{Sets: e.sets}, {Sets: e.sets, R: tridiagonal(4)},
			{Sets: e.sets, P: quarterMatrix(2, 4), Ridge: .5}, {Sets: opposite}, {Sets: many.sets}} {
			p.X, p.Kernel = rows, gram
			c := m3l.Config{C: .1, Bias: bias, Workers: 1, Epochs: 200, Seed: 5}
			again(s, fmt.Sprintf("m3l, %s, %d", x.name, l), p, c, func(p *m3l.Problem[T], from, better *m3l.Result[T]) {
				from.Model, from.Certificate, p.Start = better.Model, better.Certificate, from
			})
		}
		for l, p := range []svm.Problem[T]{{Y: e.two}, {Targets: e.targets, Weights: e.weights}} {
			for _, offset := range []bool{false, true} {
				p.X, p.Kernel = rows, gram
				c := svm.Config{Algorithm: svm.Ascent, C: .1, Offset: offset, Workers: 1, Epochs: 200, Seed: 5}
				again(s, fmt.Sprintf("svm, %s, %d, offset %t", x.name, l, offset), p, c,
					func(p *svm.Problem[T], from, better *svm.Result[T]) {
						from.Model, from.Certificate, p.Start = better.Model, better.Certificate, from
					})
			}
		}
	}
}

// again trains, and starts from what it found with the model of a better training: set puts the two into the problem.
func again[T vec.Float, P familytest.Problem[C, R], C, R any](s *steps[T], name string, p P, c C,
	set func(p *P, from, better R)) {
	s.t.Helper()
	h := newTrace()
	fit := func(p P, tol float64, progress func(solvers.Progress)) (R, error) {
		return p.Fit(context.Background(), familytest.With(familytest.With(c, "Tol", tol), "Progress", progress))
	}
	for _, tol := range []float64{1e-2, 1e-3} {
		from, better, begun := must(fit(p, tol, nil)), must(fit(p, 1e-6, nil)), p
		set(&begun, from, better)
		for _, part := range []float64{2, .5, 1. / 8, 1. / 64} {
			r, err := fit(begun, tol*part, h.progress)
			fmt.Fprintln(h, familytest.Bits(s.t, r), err)
		}
	}
	s.line(name, h)
}

// tridiagonal is a prior of labels that go with their neighbors.
func tridiagonal(labels int) vec.Matrix[float64] {
	r := vec.NewMatrix[float64](labels, labels)
	for l := range labels {
		r.Row(l)[l] = 2
		if l > 0 {
			r.Row(l)[l-1], r.Row(l - 1)[l] = 1, 1
		}
	}
	return r
}
