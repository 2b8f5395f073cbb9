package solvers_test

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// fitTopK notes a training of topk. Few epochs, so that none takes long where float32 does not reach the tolerance.
func (s *steps[T]) fitTopK(name string, p topk.Problem[T], c topk.Config) *topk.Result[T] {
	h := newTrace()
	c.Seed, c.Workers, c.Epochs, c.Progress = 5, max(c.Workers, 1), 60, h.progress
	r, err := p.Fit(context.Background(), c)
	s.add(name, h, r, err)
	return r
}

func (s *steps[T]) topk() {
	losses := []topk.Config{{}, {K: 2}, {K: 2, Smoothing: .5}, {K: 2, Loss: topk.TopKUsunier},
		{Loss: topk.TopKUsunier, K: 2, Smoothing: 1}, {Loss: topk.TopKEntropy}, {Loss: topk.TopKEntropy, K: 2}}
	ofSets := []topk.Config{{}, {Loss: topk.MultilabelSoftmax}, {Loss: topk.SquaredHinge}}
	e := drawExamples[T](60, 9, 4)
	for _, x := range append(e.storages(), storage[T]{"wide", drawExamples[T](60, 70, 4).x}) {
		for k, c := range losses {
			c.Lambda = .01
			s.fitTopK(fmt.Sprintf("%s, loss %d", x.name, k), topk.Problem[T]{X: x.x, Y: e.y}, c)
			c.Bias, c.ClassWeights, c.BlockSize, c.Tol = 1, []float64{1, 2, .5, 1}, []int{1, 8, 64}[k%3], 1e-5
			s.fitTopK(fmt.Sprintf("%s, loss %d, bias, weights", x.name, k),
				topk.Problem[T]{X: x.x, Y: e.y, Weights: e.weights}, c)
		}
		for k, c := range ofSets {
			c.Lambda = .02
			s.fitTopK(fmt.Sprintf("%s, sets, loss %d", x.name, k), topk.Problem[T]{X: x.x, Sets: e.sets}, c)
		}
	}
	gaussian := must(kernel.New(e.x, kernel.Gaussian{Gamma: .25}, 1<<26))
	for k, c := range losses {
		c.Lambda, c.BlockSize = .005, []int{0, 1, 16}[k%3]
		s.fitTopK(fmt.Sprintf("kernel, loss %d", k), topk.Problem[T]{Kernel: gaussian, Y: e.y}, c)
		c.Lambda, c.Tol = 1e-4, 1e-4
		s.fitTopK(fmt.Sprintf("kernel, loss %d, less regularized", k),
			topk.Problem[T]{Kernel: gaussian, Y: e.y, Weights: e.weights}, c)
	}
	for k, c := range ofSets {
		c.Lambda = .01
		s.fitTopK(fmt.Sprintf("kernel, sets, loss %d", k), topk.Problem[T]{Kernel: gaussian, Sets: e.sets}, c)
	}
	many := drawExamples[T](150, 40, 40)
	for _, x := range many.storages() {
		for k, c := range []topk.Config{{K: 5}, {Loss: topk.TopKEntropy}, {Loss: topk.TopKUsunier, K: 5}} {
			c.Lambda = .002
			s.fitTopK(fmt.Sprintf("%s, 40 classes, loss %d", x.name, k), topk.Problem[T]{X: x.x, Y: many.y}, c)
			c.Workers = 2
			s.fitTopK(fmt.Sprintf("%s, 40 classes, loss %d, workers", x.name, k),
				topk.Problem[T]{X: x.x, Y: many.y}, c)
		}
		s.fitTopK(x.name+", 40 classes, squared", topk.Problem[T]{X: x.x, Sets: many.sets},
			topk.Config{Loss: topk.SquaredHinge, Lambda: .01, Bias: 2})
	}
	p := topk.Problem[T]{X: e.x, Y: e.y}
	prior := topk.Problem[T]{X: e.x, Y: e.y, Prior: quarterMatrix(9, 4)}
	s.fitTopK("prior", prior, topk.Config{K: 2, Lambda: .05})
	prior.X, prior.Prior = thinned(e.x), quarterMatrix(10, 4)
	s.fitTopK("prior, sparse, bias", prior, topk.Config{Loss: topk.TopKEntropy, Lambda: .05, Bias: 1})
	p.Start = s.fitTopK("large lambda", p, topk.Config{K: 2, Lambda: 1})
	s.fitTopK("start", p, topk.Config{K: 2, Lambda: .3})
	p.Start = nil
	stopped(s, "stopped", p, func(c solvers.Checkpoint, f func(solvers.Progress)) topk.Config {
		return topk.Config{K: 2, Lambda: .001, Tol: 1e-4, Workers: 1, Progress: f, Checkpoint: c, Epochs: 200}
	})
}

func (s *steps[T]) fitM3L(name string, p m3l.Problem[T], c m3l.Config) *m3l.Result[T] {
	h := newTrace()
	c.Seed, c.Workers, c.Epochs, c.Progress = 5, max(c.Workers, 1), 60, h.progress
	r, err := p.Fit(context.Background(), c)
	s.add(name, h, r, err)
	return r
}

func (s *steps[T]) m3l() {
	e, many := drawExamples[T](60, 9, 4), drawExamples[T](100, 20, 40)
	r := vec.MatrixOf(4, 4, []float64{2, 1, -1, 0, 1, 2, 0, 0, -1, 0, 2, .5, 0, 0, .5, 1})
	factor := quarterMatrix(2, 4)
	margins := func(i int, plus, minus []float64) {
		for l := range plus {
			plus[l], minus[l] = float64(i%2)/4, 1+float64((i+l)%3)
		}
	}
	gaussian := must(kernel.New(e.x, kernel.Gaussian{Gamma: .25}, 1<<26))
	problems := []m3l.Problem[T]{{Kernel: gaussian}}
	names := []string{"kernel"}
	for _, x := range e.storages() {
		problems, names = append(problems, m3l.Problem[T]{X: x.x}), append(names, x.name)
	}
	for k, p := range problems {
		p.Sets = e.sets
		for _, loss := range []m3l.Loss{m3l.Hamming, m3l.Hinge, m3l.SquaredHinge, m3l.Logistic} {
			name := fmt.Sprintf("%s, %v", names[k], loss)
			s.fitM3L(name, p, m3l.Config{Loss: loss})
			p := p
			p.Weights = e.weights
			s.fitM3L(name+", weights, costs, blocks", p, m3l.Config{Loss: loss, C: .2, BlockSize: 8,
				Costs: []float64{1, 2, .5, 1}, Tol: 1e-5})
			p.R = r
			s.fitM3L(name+", R", p, m3l.Config{Loss: loss, C: .1})
			p.R, p.P, p.Ridge = vec.Matrix[float64]{}, factor, .25
			s.fitM3L(name+", P", p, m3l.Config{Loss: loss, C: .1, Tol: 1e-4})
		}
		p.Margins = margins
		s.fitM3L(names[k]+", margins", p, m3l.Config{C: .5})
		p.R = r
		s.fitM3L(names[k]+", margins, R", p, m3l.Config{C: .1, BlockSize: 64})
	}
	for _, x := range many.storages() {
		p := m3l.Problem[T]{X: x.x, Sets: many.sets}
		for _, loss := range []m3l.Loss{m3l.Hamming, m3l.SquaredHinge, m3l.Logistic} {
			s.fitM3L(fmt.Sprintf("%s, 40 labels, %v", x.name, loss), p, m3l.Config{Loss: loss, C: .1, Bias: 1})
			s.fitM3L(fmt.Sprintf("%s, 40 labels, %v, workers", x.name, loss), p,
				m3l.Config{Loss: loss, C: .5, Workers: 2})
		}
		p.P = quarterMatrix(3, 40)
		s.fitM3L(x.name+", 40 labels, P", p, m3l.Config{C: .01, Bias: 1})
	}
	p := m3l.Problem[T]{X: e.x, Sets: e.sets, R: r, Prior: quarterMatrix(9, 4)}
	s.fitM3L("prior, R", p, m3l.Config{C: .1})
	p.R, p.X, p.Prior = vec.Matrix[float64]{}, thinned(e.x), quarterMatrix(10, 4)
	s.fitM3L("prior, sparse, bias", p, m3l.Config{C: .1, Bias: 1})
	p = m3l.Problem[T]{X: e.x, Sets: e.sets}
	p.Start = s.fitM3L("small C", p, m3l.Config{C: .01})
	s.fitM3L("start", p, m3l.Config{C: .1})
	p.Start = nil
	stopped(s, "stopped", p, func(c solvers.Checkpoint, f func(solvers.Progress)) m3l.Config {
		return m3l.Config{C: 1, Tol: 1e-4, Workers: 1, Progress: f, Checkpoint: c, Epochs: 200}
	})
}

func (s *steps[T]) fitSVM(name string, p svm.Problem[T], c svm.Config) *svm.Result[T] {
	h := newTrace()
	c.Seed, c.Workers, c.Epochs, c.Progress = 5, max(c.Workers, 1), 60, h.progress
	r, err := p.Fit(context.Background(), c)
	s.add(name, h, r, err)
	return r
}

func (s *steps[T]) svm() {
	e := drawExamples[T](60, 9, 4)
	gaussian := must(kernel.New(e.x, kernel.Gaussian{Gamma: .25}, 1<<26))
	problems, names := []svm.Problem[T]{{Kernel: gaussian}, {X: e.far()}}, []string{"kernel", "far"}
	for _, x := range append(e.storages(), storage[T]{"wide", drawExamples[T](60, 70, 4).x}) {
		problems, names = append(problems, svm.Problem[T]{X: x.x}), append(names, x.name)
	}
	for k, p := range problems {
		for _, loss := range []svm.Loss{svm.Hinge, svm.SquaredHinge, svm.Insensitive, svm.SquaredInsensitive,
			svm.Logistic} {
			p, name := p, fmt.Sprintf("%s, %v", names[k], loss)
			c := svm.Config{Loss: loss, Algorithm: svm.Ascent, C: .5}
			if p.Y = e.two; loss == svm.Insensitive || loss == svm.SquaredInsensitive {
				p.Y, p.Targets, c.Epsilon = nil, e.targets, .1
			}
			s.fitSVM(name, p, c)
			c.Offset = true
			s.fitSVM(name+", offset", p, c)
			p.Weights, c.C, c.Tol, c.BlockSize = e.weights, 5, 1e-5, 16
			s.fitSVM(name+", offset, weights", p, c)
			if c.Offset = false; p.Kernel != nil {
				s.fitSVM(name+", weights", p, c)
				continue
			}
			c.Bias = 1
			s.fitSVM(name+", bias, weights", p, c)
			c.BlockSize, c.Algorithm = 0, svm.Newton
			s.fitSVM(name+", Newton, bias, weights", p, c)
			c.Bias, c.Offset, c.Tol = 0, true, 1e-7
			s.fitSVM(name+", Newton, offset", p, c)
			p.Weights, c.Offset, c.Algorithm, c.Workers = nil, false, svm.Automatic, 2
			s.fitSVM(name+", workers", p, c)
		}
	}
	p := svm.Problem[T]{X: e.x, Y: e.two}
	p.Start = s.fitSVM("small C", p, svm.Config{C: .01, Algorithm: svm.Ascent})
	s.fitSVM("start", p, svm.Config{C: .1, Algorithm: svm.Ascent, Offset: true})
	s.fitSVM("start, Newton", p, svm.Config{C: .1, Algorithm: svm.Newton})
	p.Start = nil
	for _, a := range []svm.Algorithm{svm.Ascent, svm.Newton} {
		stopped(s, fmt.Sprint("stopped, ", a), p, func(c solvers.Checkpoint, f func(solvers.Progress)) svm.Config {
			return svm.Config{C: 10, Tol: 1e-5, Workers: 1, Progress: f, Checkpoint: c, Algorithm: a, Epochs: 200}
		})
	}
}

func (s *steps[T]) oneClass() {
	e := drawExamples[T](60, 9, 1)
	p := svm.Problem[T]{Kernel: must(kernel.New(e.x, kernel.Gaussian{Gamma: .25}, 1<<26)), OneClass: true}
	q := p
	for _, nu := range []float64{.05, .2, .5, 1} {
		s.fitSVM(fmt.Sprint("kernel, ", nu), p, svm.Config{Nu: nu})
		for _, x := range append(e.storages(), storage[T]{"far", e.far()},
			storage[T]{"wide", drawExamples[T](310, 90, 1).x}) {
			q := svm.Problem[T]{X: x.x, OneClass: true}
			s.fitSVM(fmt.Sprintf("%s, %v", x.name, nu), q, svm.Config{Nu: nu})
			if n, _ := x.x.Dims(); n == e.n {
				q.Weights = e.weights
			}
			s.fitSVM(fmt.Sprintf("%s, %v, weights", x.name, nu), q,
				svm.Config{Nu: nu, Tol: 1e-6, BlockSize: 8})
		}
	}
	q.Weights = e.weights
	q.Start = s.fitSVM("kernel, weights", q, svm.Config{Nu: .3, Tol: 1e-5})
	s.fitSVM("kernel, start", q, svm.Config{Nu: .4})
}
