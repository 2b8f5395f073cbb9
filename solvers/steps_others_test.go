package solvers_test

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/l1"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/solvers/tracenorm"
)

func (s *steps[T]) fitTopRank(name string, p toprank.Problem[T], c toprank.Config) *toprank.Result[T] {
	h := newTrace()
	c.Seed, c.Workers, c.Epochs, c.Progress = 5, max(c.Workers, 1), 60, h.progress
	r, err := p.Fit(context.Background(), c)
	s.add(name, h, r, err)
	return r
}

func (s *steps[T]) toprank() {
	const pat = toprank.PatMat
	configs := []toprank.Config{{}, {K: 3}, {K: 10, C: 10, Theta1: 2}, {Method: pat, Tau: .1},
		{Method: pat, Tau: .3, All: true}, {Method: pat, Tau: .2, Theta1: .5, Theta2: 2, C: 10}}
	e := drawExamples[T](60, 9, 4)
	gaussian := must(kernel.New(e.x, kernel.Gaussian{Gamma: .25}, 1<<26))
	problems := []toprank.Problem[T]{{Kernel: gaussian}, {X: e.far()}}
	names := []string{"kernel", "far"}
	for _, x := range append(e.storages(), storage[T]{"wide", drawExamples[T](60, 140, 4).x}) {
		problems, names = append(problems, toprank.Problem[T]{X: x.x}), append(names, x.name)
	}
	for k, p := range problems {
		p.Positive = e.positive
		for _, queries := range []bool{false, true} {
			if p.Groups = nil; queries {
				p.Groups = e.queries
			}
			for j, c := range configs {
				if queries && c.Method == pat {
					continue
				} else if queries {
					c.K = min(c.K, 4)
				}
				for _, loss := range []toprank.Loss{toprank.Quadratic, toprank.Hinge} {
					c.Loss, c.Tol = loss, []float64{1e-3, 1e-6}[j%2]
					s.fitTopRank(fmt.Sprintf("%s, %t, method %d, %v", names[k], queries, j, loss), p, c)
				}
			}
		}
	}
	p := toprank.Problem[T]{X: e.x, Positive: e.positive}
	p.Start = s.fitTopRank("small C", p, toprank.Config{C: .01})
	s.fitTopRank("start", p, toprank.Config{C: .1, K: 2})
	p.Start = nil
	stopped(s, "stopped", p, func(c solvers.Checkpoint, f func(solvers.Progress)) toprank.Config {
		return toprank.Config{C: 1, Tol: 1e-6, Workers: 1, Progress: f, Checkpoint: c, Epochs: 200}
	})
}

// interior has rankers on ill-conditioned kernels, where the interior point method takes over from pair steps.
func (s *steps[T]) interior() {
	e := drawExamples[T](60, 9, 4)
	k := must(kernel.New(e.far(), kernel.Polynomial{Degree: 3, Scale: 1, Offset: 1}, 1<<26))
	const pat = toprank.PatMat
	for j, c := range []toprank.Config{{}, {K: 3}, {K: 7, Theta1: 2}, {Method: pat, Tau: .1},
		{Method: pat, Tau: .3, All: true}, {Method: pat, Tau: .2, Theta1: .5, Theta2: 2}} {
		for _, loss := range []toprank.Loss{toprank.Quadratic, toprank.Hinge} {
			c.Loss, c.C, c.Tol, c.Epochs, c.Workers = loss, 1e4, 1e-9, 100000, 1
			p := toprank.Problem[T]{Kernel: k, Positive: e.positive}
			noted(s, fmt.Sprintf("interior, method %d, %v", j, loss), p, c)
		}
	}
}

func (s *steps[T]) fitTraceNorm(name string, p tracenorm.Problem[T], c tracenorm.Config) *tracenorm.Result[T] {
	h := newTrace()
	c.Seed, c.Workers, c.Epochs, c.Progress = 5, max(c.Workers, 1), 40, h.progress
	r, err := p.Fit(context.Background(), c)
	s.add(name, h, r, err)
	return r
}

func (s *steps[T]) tracenorm() {
	sizes := []examples[T]{drawExamples[T](60, 9, 4), drawExamples[T](60, 70, 4), drawExamples[T](60, 14, 12),
		drawExamples[T](2400, 5, 3)}
	for k, e := range sizes {
		for _, x := range append(e.storages(), storage[T]{"far", e.far()}) {
			name := fmt.Sprintf("size %d, %s", k, x.name)
			if k == 3 && (x.name == "dense" || x.name == "far") {
				continue // sums of many terms depend on the sizes of caches
			}
			p := tracenorm.Problem[T]{X: x.x, Y: e.y}
			s.fitTraceNorm(name, p, tracenorm.Config{Lambda1: .02, Lambda2: .002})
			s.fitTraceNorm(name+", Lambda1", p, tracenorm.Config{Lambda1: .05, Bias: 1, Tol: 1e-4, Workers: 2})
			if k == 3 {
				continue
			}
			s.fitTraceNorm(name+", raw", p, tracenorm.Config{Lambda1: .01, Lambda2: .05, Raw: true, Tol: 1e-5})
			s.fitTraceNorm(name+", Lambda2", p, tracenorm.Config{Lambda2: .02, Tol: 1e-6, Bias: 2})
			s.fitTraceNorm(name+", rank", p, tracenorm.Config{Lambda1: .001, Lambda2: .001, Rank: 2})
			p.Weights = e.weights
			s.fitTraceNorm(name+", weights, default", p, tracenorm.Config{Tol: 1e-5})
			p.Prior = quarterMatrix(e.d, e.all)
			s.fitTraceNorm(name+", prior", p, tracenorm.Config{Lambda1: .01, Lambda2: .01, Tol: 1e-4})
		}
	}
	e := sizes[0]
	p := tracenorm.Problem[T]{X: e.x, Y: e.y}
	p.Start = s.fitTraceNorm("large", p, tracenorm.Config{Lambda1: .2, Lambda2: .1})
	s.fitTraceNorm("start", p, tracenorm.Config{Lambda1: .02, Lambda2: .01})
	p.Start = nil
	stopped(s, "stopped", p, func(c solvers.Checkpoint, f func(solvers.Progress)) tracenorm.Config {
		return tracenorm.Config{Lambda1: .001, Lambda2: 1e-4, Tol: 1e-4, Workers: 1, Progress: f, Checkpoint: c,
			Epochs: 200}
	})
}

func (s *steps[T]) fitL1(name string, p l1.Problem[T], c l1.Config) *l1.Result[T] {
	h := newTrace()
	c.Seed, c.Workers, c.Epochs, c.Progress = 5, max(c.Workers, 1), 40, h.progress
	r, err := p.Fit(context.Background(), c)
	s.add(name, h, r, err)
	return r
}

func (s *steps[T]) l1() {
	sizes := []examples[T]{drawExamples[T](60, 9, 4), drawExamples[T](60, 200, 3), drawExamples[T](200, 40, 2),
		drawExamples[T](120, 1400, 2)}
	for k, e := range sizes {
		for _, x := range append(e.storages(), storage[T]{"far", e.far()}) {
			if x.name == "far" && e.d > 100 {
				continue // slow
			}
			for _, loss := range []l1.Loss{l1.SquaredHinge, l1.Logistic} {
				name := fmt.Sprintf("size %d, %s, %v", k, x.name, loss)
				p := l1.Problem[T]{X: x.x, Y: e.y}
				s.fitL1(name, p, l1.Config{Loss: loss})
				if k == 3 {
					s.fitL1(name+", small C", p, l1.Config{Loss: loss, C: .1, Bias: 1})
					continue
				}
				s.fitL1(name+", bias, large C", p, l1.Config{Loss: loss, C: 20, Bias: 1, Tol: 1e-5, Workers: 2})
				p.Weights = e.weights
				s.fitL1(name+", weights, small C", p, l1.Config{Loss: loss, C: .1, Tol: 1e-8})
			}
		}
	}
	e := sizes[1]
	p := l1.Problem[T]{X: e.x, Y: e.y}
	p.Start = s.fitL1("small", p, l1.Config{C: .1})
	s.fitL1("start", p, l1.Config{C: 1})
	p.Start = nil
	stopped(s, "stopped", p, func(c solvers.Checkpoint, f func(solvers.Progress)) l1.Config {
		return l1.Config{C: 10, Tol: 1e-5, Workers: 1, Progress: f, Checkpoint: c, Epochs: 200}
	})
}

func (s *steps[T]) fitMKL(name string, p mkl.Problem[T], c mkl.Config) *mkl.Result[T] {
	h := newTrace()
	c.Seed, c.Workers, c.Epochs, c.Progress = 5, max(c.Workers, 1), 60, h.progress
	r, err := p.Fit(context.Background(), c)
	s.add(name, h, r, err)
	return r
}

func (s *steps[T]) mkl() {
	e, wide := drawExamples[T](60, 9, 4), drawExamples[T](60, 70, 4)
	given := must(kernel.FromDistances(e.distances(), .5))
	widths := []kernel.Kernel{kernel.Gaussian{Gamma: .05}, kernel.Gaussian{Gamma: .5}, kernel.Linear{}}
	cubic := []kernel.Kernel{kernel.Polynomial{Degree: 3, Scale: .1, Offset: 1}, kernel.Linear{}}
	bundles := []*bundle.Bundle[T]{
		must(bundle.New(1<<26, bundle.Group[T]{X: e.x, Kernels: widths})),
		must(bundle.New(1<<26, bundle.Group[T]{X: e.x, Kernels: widths},
			bundle.Group[T]{X: thinned(wide.x), Kernels: cubic}, bundle.Group[T]{Matrix: given})),
		must(bundle.New(0, bundle.Group[T]{X: wide.x, Kernels: cubic}, bundle.Group[T]{X: e.x, Kernels: widths[:1]})),
	}
	for k, b := range bundles {
		for _, norm := range []float64{1.02, 1.25, 1.6, 2} {
			for _, loss := range []mkl.Config{{}, {K: 2}, {Loss: mkl.TopKUsunier, K: 2}} {
				c := loss
				c.P, c.C = norm, 1
				name := fmt.Sprintf("bundle %d, norm %v, %v, K %d", k, norm, c.Loss, c.K)
				p := mkl.Problem[T]{Bundle: b, Y: e.y}
				s.fitMKL(name, p, c)
				p.Weights, c.C, c.Tol = e.weights, 30, 1e-5
				s.fitMKL(name+", weights, large C", p, c)
			}
		}
	}
	p := mkl.Problem[T]{Bundle: bundles[1], Y: e.y}
	p.Start = s.fitMKL("small C", p, mkl.Config{C: .01})
	r := s.fitMKL("start", p, mkl.Config{C: 3})
	pruned, err := p.Prune(r, mkl.Config{C: 3}, .1)
	s.add("pruned", newTrace(), pruned, err)
	p.Start = pruned
	s.fitMKL("start from pruned", p, mkl.Config{C: 3})
	p.Start = nil
	stopped(s, "stopped", p, func(c solvers.Checkpoint, f func(solvers.Progress)) mkl.Config {
		return mkl.Config{C: 3, Tol: 1e-5, Workers: 1, Progress: f, Checkpoint: c, Epochs: 200}
	})
}
