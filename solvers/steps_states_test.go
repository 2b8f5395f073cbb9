package solvers_test

import (
	"context"
	"fmt"
	"hash"
	"math/rand/v2"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/l1"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// traced notes a training that stops at five of its looks: the states, and what becomes of each.
func traced[T vec.Float, P familytest.Problem[C, R], C, R any](s *steps[T], name string, p P, c C) {
	s.t.Helper()
	var all hash.Hash
	for part := range int64(5) {
		h := familytest.Trace(s.t, p, c, 1+2*part, 10)
		if all != nil {
			h.Write(all.Sum(nil))
		}
		all = h
	}
	s.line(name, trace{all})
}

// states has states of trainings by each method.
func (s *steps[T]) states() {
	e, wide := drawExamples[T](60, 9, 4), drawExamples[T](60, 70, 4)
	k := must(kernel.New(e.x, kernel.Gaussian{Gamma: .25}, 1<<26))
	const seed, epochs = 5, 60
	for name, x := range e.storages() {
		for j, c := range []topk.Config{{K: 2}, {Loss: topk.TopKEntropy}, {Loss: topk.TopKUsunier, K: 2, Bias: 1}} {
			c.Lambda, c.Workers, c.Epochs, c.Seed, c.Tol = .01, 1, epochs, seed, 1e-4
			traced(s, fmt.Sprintf("topk %d, loss %d", name, j), topk.Problem[T]{X: x.x, Y: e.y, Weights: e.weights}, c)
			if c.Bias == 0 {
				traced(s, fmt.Sprintf("topk %d, loss %d, kernel", name, j), topk.Problem[T]{Kernel: k, Y: e.y}, c)
			}
		}
		for _, loss := range []m3l.Loss{m3l.Hamming, m3l.SquaredHinge, m3l.Logistic} {
			c := m3l.Config{Loss: loss, Workers: 1, Epochs: epochs, Seed: seed, Tol: 1e-4}
			traced(s, fmt.Sprintf("m3l %d, %v", name, loss), m3l.Problem[T]{X: x.x, Sets: e.sets,
				P: quarterMatrix(2, 4), Ridge: .5}, c)
			traced(s, fmt.Sprintf("m3l %d, %v, kernel", name, loss), m3l.Problem[T]{Kernel: k, Sets: e.sets}, c)
		}
		for _, a := range []svm.Algorithm{svm.Ascent, svm.Newton, svm.Automatic} {
			for _, offset := range []bool{false, true} {
				c := svm.Config{Algorithm: a, Offset: offset, Workers: 1, Epochs: epochs, Seed: seed, Tol: 1e-6, C: 3}
				traced(s, fmt.Sprintf("svm %d, %v, offset %t", name, a, offset), svm.Problem[T]{X: x.x, Y: e.two}, c)
				if a == svm.Newton {
					continue
				}
				c.Tol = 1e-4
				traced(s, fmt.Sprintf("svm %d, %v, offset %t, kernel", name, a, offset),
					svm.Problem[T]{Kernel: k, Targets: e.targets}, c)
			}
		}
		one := svm.Config{Workers: 1, Epochs: epochs, Seed: seed, Tol: 1e-6, Nu: .3}
		traced(s, fmt.Sprintf("one class %d", name), svm.Problem[T]{X: x.x, OneClass: true}, one)
		traced(s, fmt.Sprintf("one class %d, kernel", name), svm.Problem[T]{Kernel: k, OneClass: true}, one)
		for j, c := range []toprank.Config{{}, {K: 3, Loss: toprank.Hinge}, {Method: toprank.PatMat, Tau: .2},
			{Method: toprank.PatMat, Tau: .1, Loss: toprank.Hinge, All: true}} {
			c.Workers, c.Epochs, c.Seed, c.Tol = 1, epochs, seed, 1e-5
			p := toprank.Problem[T]{X: x.x, Positive: e.positive}
			traced(s, fmt.Sprintf("toprank %d, method %d", name, j), p, c)
			p.X, p.Kernel = nil, k
			traced(s, fmt.Sprintf("toprank %d, method %d, kernel", name, j), p, c)
			if p.Groups = e.queries; c.Method == toprank.TopPush {
				traced(s, fmt.Sprintf("toprank %d, method %d, queries", name, j), p, c)
			}
		}
		for j, c := range []tracenorm.Config{{Lambda1: .02, Lambda2: .002}, {Lambda1: .01, Lambda2: .01, Rank: 2},
			{Lambda1: .01, Bias: 1}} {
			c.Workers, c.Epochs, c.Tol = 1, 40, 1e-5
			traced(s, fmt.Sprintf("tracenorm %d, config %d", name, j), tracenorm.Problem[T]{X: x.x, Y: e.y}, c)
		}
		for _, loss := range []l1.Loss{l1.SquaredHinge, l1.Logistic} {
			c := l1.Config{Loss: loss, C: 3, Bias: 1, Workers: 1, Epochs: epochs, Seed: seed, Tol: 1e-6}
			traced(s, fmt.Sprintf("l1 %d, %v", name, loss), l1.Problem[T]{X: x.x, Y: e.y}, c)
		}
	}
	b := must(bundle.New(1<<26, bundle.Group[T]{X: e.x, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .05},
		kernel.Linear{}}}, bundle.Group[T]{X: wide.x, Kernels: []kernel.Kernel{kernel.Linear{}}}))
	for j, c := range []mkl.Config{{P: 1.1}, {P: 1.5, K: 2}, {P: 2, Loss: mkl.TopKUsunier, K: 2}} {
		c.C, c.Workers, c.Epochs, c.Seed, c.Tol = 10, 1, epochs, seed, 1e-5
		traced(s, fmt.Sprintf("mkl, config %d", j), mkl.Problem[T]{Bundle: b, Y: e.y}, c)
	}
}

// damaged has what becomes of damaged states, of each method.
func (s *steps[T]) damaged() {
	e := drawExamples[T](21, 4, 3)
	k := must(kernel.New(e.x, kernel.Gaussian{Gamma: .25}, 1<<26))
	const one = 1
	refused(s, "topk", topk.Problem[T]{X: e.x, Y: e.y}, topk.Config{Lambda: .01, Workers: one, Tol: 1e-4})
	refused(s, "topk, kernel", topk.Problem[T]{Kernel: k, Y: e.y}, topk.Config{Lambda: .01, Workers: one, Tol: 1e-4})
	refused(s, "m3l", m3l.Problem[T]{X: e.x, Sets: e.sets}, m3l.Config{Workers: one, Tol: 1e-4})
	for _, a := range []svm.Algorithm{svm.Ascent, svm.Newton} {
		refused(s, fmt.Sprint("svm, ", a), svm.Problem[T]{X: e.x, Y: e.two},
			svm.Config{Algorithm: a, Offset: true, Workers: one, Tol: 1e-4})
	}
	refused(s, "one class", svm.Problem[T]{X: e.x, OneClass: true}, svm.Config{Workers: one, Tol: 1e-6, Nu: .3})
	refused(s, "one class, kernel", svm.Problem[T]{Kernel: k, OneClass: true},
		svm.Config{Workers: one, Tol: 1e-6, Nu: .3})
	for j, c := range []toprank.Config{{}, {Loss: toprank.Hinge}, {Method: toprank.PatMat, Tau: .2}} {
		c.Workers, c.Tol = one, 1e-6
		p := toprank.Problem[T]{X: e.x, Positive: e.positive}
		refused(s, fmt.Sprintf("toprank, method %d", j), p, c)
		p.X, p.Kernel = nil, k
		refused(s, fmt.Sprintf("toprank, method %d, kernel", j), p, c)
		if p.Groups = e.queries; c.Method == toprank.TopPush {
			refused(s, fmt.Sprintf("toprank, method %d, queries", j), p, c)
		}
	}
	refused(s, "tracenorm", tracenorm.Problem[T]{X: e.x, Y: e.y},
		tracenorm.Config{Lambda1: .02, Lambda2: .002, Workers: one, Tol: 1e-6})
	refused(s, "l1", l1.Problem[T]{X: e.x, Y: e.y}, l1.Config{C: 3, Bias: 1, Workers: one, Tol: 1e-8})
	b := must(bundle.New(1<<26, bundle.Group[T]{X: e.x, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .05},
		kernel.Linear{}}}))
	refused(s, "mkl", mkl.Problem[T]{Bundle: b, Y: e.y}, mkl.Config{P: 1.5, C: 10, Workers: one, Tol: 1e-5})
}

func refused[T vec.Float, P familytest.Problem[C, R], C, R any](s *steps[T], name string, p P, c C) {
	s.t.Helper()
	s.line(name, trace{familytest.Refusals(s.t, p, c)})
}

// rare are examples of which that share of the numbers is not 0.
func (e examples[T]) rare(share float64) design.Matrix[T] {
	x, rng := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](e.n, e.d)}, rand.New(rand.NewPCG(uint64(e.n), 3))
	for k, v := range e.x.Data {
		if rng.Float64() < share {
			x.Data[k] = v
		}
	}
	return must(x.CSR())
}

// sparse has trainings of l1 and svm on examples with few numbers, which have ways of their own.
func (s *steps[T]) sparse() {
	for k, e := range []examples[T]{drawExamples[T](90, 40, 3), drawExamples[T](700, 30, 2),
		drawExamples[T](70, 150, 2)} {
		for _, share := range []float64{.04, .15, .27} {
			x := e.rare(share)
			for _, loss := range []l1.Loss{l1.SquaredHinge, l1.Logistic} {
				name := fmt.Sprintf("size %d, share %v, %v", k, share, loss)
				p := l1.Problem[T]{X: x, Y: e.y}
				s.fitL1(name, p, l1.Config{Loss: loss})
				c := l1.Config{Loss: loss, C: 30, Bias: 1, Tol: 1e-6}
				s.fitL1(name+", large C", p, c)
				p.Weights, c.C = e.weights, .3
				s.fitL1(name+", weights", p, c)
			}
			if k > 0 {
				continue
			}
			traced(s, fmt.Sprintf("size %d, share %v, stops", k, share), l1.Problem[T]{X: x, Y: e.y},
				l1.Config{C: 3, Bias: 1, Workers: 1, Epochs: 40})
			for _, a := range []svm.Algorithm{svm.Ascent, svm.Newton} {
				traced(s, fmt.Sprintf("svm %d, share %v, %v", k, share, a), svm.Problem[T]{X: x, Y: e.two},
					svm.Config{Algorithm: a, Offset: true, Workers: 1, Epochs: 60, Tol: 1e-5})
			}
		}
	}
}

// wide has sparse examples of many columns, over which steps of l1 sweep, and more outputs than are certified together.
func (s *steps[T]) wide() {
	e := drawExamples[T](200, 1500, 2)
	for _, share := range []float64{.08, .2} {
		for _, loss := range []l1.Loss{l1.SquaredHinge, l1.Logistic} {
			for _, cost := range []float64{1, 30} {
				s.fitL1(fmt.Sprintf("share %v, %v, C %v", share, loss, cost), l1.Problem[T]{X: e.rare(share), Y: e.y},
					l1.Config{Loss: loss, C: cost, Bias: 1})
			}
		}
	}
	many := drawExamples[T](90, 30, 20)
	for _, loss := range []l1.Loss{l1.SquaredHinge, l1.Logistic} {
		p := l1.Problem[T]{X: many.x, Y: many.y}
		s.fitL1(fmt.Sprintf("20 classes, %v", loss), p, l1.Config{Loss: loss, Bias: 1})
	}
}

// others has what no training of a family's own group is: priors, losses of labels, and problems that stand for others.
func (s *steps[T]) others() {
	ctx, e := context.Background(), drawExamples[T](60, 9, 4)
	numbers := func(name string, told ...any) {
		h := newTrace()
		for _, v := range told {
			if err, ok := v.(error); ok {
				s.t.Fatal(name, err)
			}
			fmt.Fprintln(h, v)
		}
		s.line(name, h)
	}
	for k, p := range [][]float64{nil, {1, 2, 0, 5, 1}} {
		for _, ridge := range []float64{0, .25} {
			r, err := m3l.Prior(quarterMatrix(5, 4), p, ridge)
			numbers(fmt.Sprintf("m3l, prior %d, ridge %v", k, ridge), r, err)
			f, d, err := m3l.PriorFactor(quarterMatrix(5, 4), p, ridge)
			numbers(fmt.Sprintf("m3l, factor %d, ridge %v", k, ridge), f, d, err)
		}
	}
	for _, shrink := range []float64{0, .3, 1} {
		r, err := m3l.Correlations(e.sets, 6, shrink) // labels 4 and 5 have no example
		numbers(fmt.Sprint("m3l, correlations ", shrink), r, err)
	}
	related := vec.MatrixOf(4, 4, []float64{2, 1, -1, 0, 1, 2, 0, 0, -1, 0, 2, .5, 0, 0, .5, 1})
	margins, err := m3l.RelatedLoss(e.sets, related)
	var all []float64
	for i := range e.n {
		plus, minus := make([]float64, 4), make([]float64, 4)
		margins(i, plus, minus)
		all = append(append(all, plus...), minus...)
	}
	numbers("m3l, related loss", all, err)
	s.fitM3L("m3l, R and its loss", m3l.Problem[T]{X: e.x, Sets: e.sets, R: related, Margins: margins},
		m3l.Config{C: .1})

	opposite := make([][]int, e.n)
	for i, c := range e.two {
		opposite[i] = []int{c}
	}
	two := m3l.Problem[T]{X: e.x, Sets: opposite}
	s.fitM3L("m3l, two labels", two, m3l.Config{C: .1})
	traced(s, "m3l, two labels, stops", two, m3l.Config{C: .1, Tol: 1e-5, Workers: 1, Epochs: 60})
	two.Prior = vec.NewMatrix[float64](9, 2)
	two.Prior.Row(2)[0], two.Prior.Row(2)[1] = .5, -.5
	s.fitM3L("m3l, two labels, prior", two, m3l.Config{C: .1, Costs: []float64{2, 2}})
	two.Prior.Row(2)[0] = .25
	s.fitM3L("m3l, two labels, uneven prior", two, m3l.Config{C: .1})
	s.fitM3L("m3l, two labels, costs", m3l.Problem[T]{X: e.x, Sets: opposite}, m3l.Config{Costs: []float64{1, 2}})
	s.add("m3l, one against all", newTrace(), must(m3l.OneVsAll(ctx, e.x, e.y, m3l.Config{Workers: 1})), nil)

	for _, x := range e.storages() {
		for _, c := range []toprank.Config{{C: .1}, {C: .1, Loss: toprank.Hinge, K: 2}} {
			c.Workers, c.Epochs = 1, 60
			p, err := toprank.Joint(x.x, e.y, 5)
			if err != nil {
				s.t.Fatal(err)
			}
			r := s.fitTopRank(fmt.Sprintf("toprank, joint, %s, %v", x.name, c.Loss), p, c)
			l, err := toprank.JointModel(r.Linear, 5, nil)
			numbers(fmt.Sprintf("toprank, joint, %s, %v, model", x.name, c.Loss), l.Weights(), err)
			p.Groups = make([]int, len(p.Positive))
			for row := range p.Groups {
				p.Groups[row] = row / 5
			}
			s.fitTopRank(fmt.Sprintf("toprank, joint, %s, %v, groups", x.name, c.Loss), p, c)
			classes := toprank.Classes[T]{X: x.x, Y: e.y}
			classes.Start = must(classes.Fit(ctx, c))
			s.add(fmt.Sprintf("toprank, classes, %s, %v", x.name, c.Loss), newTrace(), classes.Start, nil)
			c.C = .2
			s.add(fmt.Sprintf("toprank, classes, %s, %v, start", x.name, c.Loss), newTrace(),
				must(classes.Fit(ctx, c)), nil)
		}
	}
	k := must(kernel.New(e.x, kernel.Gaussian{Gamma: .25}, 1<<26))
	s.add("toprank, classes, kernel", newTrace(), must(toprank.Classes[T]{Kernel: k, Y: e.y}.Fit(ctx,
		toprank.Config{C: .1, Workers: 1})), nil)
	s.add("svm, regress", newTrace(), must(svm.Regress(ctx, e.x, e.targets, svm.Config{Workers: 1})), nil)
	s.add("svm, one class", newTrace(), must(svm.OneClass(ctx, e.x, svm.Config{Workers: 1})), nil)
	s.add("svm, classes", newTrace(), must(svm.Fit(ctx, e.x, e.two, svm.Config{Workers: 1})), nil)
	numbers("largest", must(tracenorm.Problem[T]{X: e.x, Y: e.y, Weights: e.weights}.LargestLambda1(
		tracenorm.Config{Lambda2: .1})), must(l1.Problem[T]{X: e.x, Y: e.y, Weights: e.weights}.LargestC(
		l1.Config{Bias: 1})))
}
