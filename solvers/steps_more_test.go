package solvers_test

import (
	"context"
	"fmt"
	"reflect"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
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

// distances are the squared distances of all examples.
func (e examples[T]) distances() vec.Matrix[T] {
	all := vec.NewMatrix[T](e.n, e.n)
	for i := range e.n {
		for j := range e.n {
			for k, v := range e.x.Row(i) {
				all.Row(i)[j] += (v - e.x.Row(j)[k]) * (v - e.x.Row(j)[k])
			}
		}
	}
	return all
}

// kernels has trainings on each kernel of each storage, with rows that are kept and that are not.
func (s *steps[T]) kernels() {
	e := drawExamples[T](130, 9, 4)
	for _, x := range e.storages() {
		for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: .1},
			kernel.Polynomial{Degree: 2, Scale: .2, Offset: 1}} {
			for _, budget := range []int64{0, 1 << 26} {
				p := svm.Problem[T]{Kernel: must(kernel.New(x.x, k, budget)), Y: e.two}
				s.fitSVM(fmt.Sprintf("%T %s, budget %d", k, x.name, budget), p, svm.Config{C: 1, Offset: budget > 0})
			}
		}
	}
	given := must(kernel.FromDistances(e.distances(), .25))
	s.fitTopK("distances", topk.Problem[T]{Kernel: given, Y: e.y}, topk.Config{Lambda: .01})
}

// levels has trainings on as many examples as make a kernel go by levels, and others by samples.
func (s *steps[T]) levels() {
	e := drawExamples[T](4200, 4, 3)
	gaussian := must(kernel.New(e.x, kernel.Gaussian{Gamma: 1}, 1<<28))
	s.fitTopK("topk", topk.Problem[T]{Kernel: gaussian, Y: e.y}, topk.Config{Lambda: .02, Tol: 2e-2})
	two := svm.Problem[T]{Kernel: gaussian, Y: e.two}
	s.fitSVM("svm", two, svm.Config{C: 1e-3, Tol: 2e-2})
	s.fitSVM("svm, offset", two, svm.Config{C: 1e-3, Tol: 2e-2, Offset: true})
	s.fitSVM("one class", svm.Problem[T]{Kernel: gaussian, OneClass: true}, svm.Config{Nu: .1, Tol: 2e-2})
	s.fitM3L("m3l", m3l.Problem[T]{Kernel: gaussian, Sets: e.sets}, m3l.Config{C: 1e-3, Tol: 3e-2})
	s.fitTopRank("toprank", toprank.Problem[T]{Kernel: gaussian, Positive: e.positive},
		toprank.Config{K: 50, C: .01, Tol: 2e-2})
	b := must(bundle.New(1<<28, bundle.Group[T]{X: e.x, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 1},
		kernel.Linear{}}}))
	s.fitMKL("mkl", mkl.Problem[T]{Bundle: b, Y: e.y}, mkl.Config{C: 3e-3, Tol: 5e-2})
}

// paths has the points of each family's path, with their parts.
func (s *steps[T]) paths() {
	ctx, cv := context.Background(), solvers.CrossValidation{Folds: 2}
	e := drawExamples[T](40, 6, 3)
	note := func(name string, each func(h trace) error) {
		h := newTrace()
		if err := each(h); err != nil {
			s.t.Fatal(name, err)
		}
		s.line(name, h)
	}
	note("topk", func(h trace) error {
		all, err := topk.Problem[T]{X: e.x, Y: e.y}.Path(ctx, topk.Config{Workers: 1},
			topk.PathConfig{Lambdas: []float64{.1, .01}, CrossValidation: cv})
		for _, p := range all {
			fmt.Fprintln(h, p.Lambda, p.Validation, p.Result.Outcome)
		}
		return err
	})
	note("m3l", func(h trace) error {
		all, err := m3l.Problem[T]{X: e.x, Sets: e.sets}.Path(ctx, m3l.Config{Workers: 1},
			m3l.PathConfig{Cs: []float64{.1, 1}, CrossValidation: cv})
		for _, p := range all {
			fmt.Fprintln(h, p.C, p.Validation, p.Result.Outcome)
		}
		return err
	})
	note("svm", func(h trace) error {
		all, err := svm.Problem[T]{X: e.x, Targets: e.targets}.Path(ctx, svm.Config{Workers: 1, Algorithm: svm.Ascent},
			svm.PathConfig{Cs: []float64{.1, 1}, Epsilons: []float64{0, .1}, CrossValidation: cv})
		for _, p := range all {
			fmt.Fprintln(h, p.C, p.Epsilon, p.Validation, p.Result.Outcome)
		}
		return err
	})
	note("toprank", func(h trace) error {
		all, err := toprank.Problem[T]{X: e.x, Positive: e.positive}.Path(ctx, toprank.Config{Workers: 1},
			toprank.PathConfig{Cs: []float64{.1, 1}, CrossValidation: cv})
		for _, p := range all {
			fmt.Fprintln(h, p.C, p.Validation, p.Result.Outcome)
		}
		return err
	})
	note("tracenorm", func(h trace) error {
		all, err := tracenorm.Problem[T]{X: e.x, Y: e.y}.Path(ctx, tracenorm.Config{Workers: 1},
			tracenorm.PathConfig{CrossValidation: cv})
		for _, p := range all {
			fmt.Fprintln(h, p.Lambda1, p.Lambda2, p.Validation, p.Result.Outcome)
		}
		return err
	})
	note("l1", func(h trace) error {
		all, err := l1.Problem[T]{X: e.x, Y: e.y}.Path(ctx, l1.Config{Workers: 1}, l1.PathConfig{CrossValidation: cv})
		for _, p := range all {
			fmt.Fprintln(h, p.C, p.Validation, p.Result.Outcome)
		}
		return err
	})
	note("mkl", func(h trace) error {
		b := must(bundle.New(1<<26, bundle.Group[T]{X: e.x, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .1},
			kernel.Linear{}}}))
		all, err := mkl.Problem[T]{Bundle: b, Y: e.y}.Path(ctx, mkl.Config{Workers: 1},
			mkl.PathConfig{Ps: []float64{1.1, 1.5}, Cs: []float64{1, 10}, CrossValidation: cv})
		for _, p := range all {
			fmt.Fprintln(h, p.P, p.C, p.Validation, p.Result.Outcome)
		}
		return err
	})
	s.changedPaths(e)
}

// changedPaths has what becomes of paths with one number of a PathConfig another: which are refused, and with what
// words.
func (s *steps[T]) changedPaths(e examples[T]) {
	soon := func() context.Context { return statetest.Soon(200) }
	cv := solvers.CrossValidation{Folds: 2, Groups: e.queries}
	line := func(name string, h trace) { s.line("changed, "+name, h) }
	line("topk", changedPath(func(c topk.PathConfig) ([]topk.Point[T], error) {
		return topk.Problem[T]{X: e.x, Y: e.y}.Path(soon(), topk.Config{Workers: 1}, c)
	}, topk.PathConfig{Lambdas: []float64{.1, .01}, CrossValidation: cv}))
	line("m3l", changedPath(func(c m3l.PathConfig) ([]m3l.Point[T], error) {
		return m3l.Problem[T]{X: e.x, Sets: e.sets}.Path(soon(), m3l.Config{Workers: 1}, c)
	}, m3l.PathConfig{Cs: []float64{.1, 1}, CrossValidation: cv}))
	for k, p := range []svm.Problem[T]{{Y: e.two}, {Targets: e.targets}, {OneClass: true}} {
		path := svm.PathConfig{Cs: []float64{.1}, Epsilons: []float64{.1}, CrossValidation: cv}
		if p.X = e.x; p.OneClass {
			path.Cs, path.Epsilons, path.Nus = nil, nil, []float64{.3}
		}
		nus, epsilons := path, path
		nus.Cs, nus.Nus = []float64{.1}, []float64{.3}
		epsilons.Cs, epsilons.Epsilons, epsilons.Nus = nil, []float64{.1}, []float64{.3}
		line(fmt.Sprint("svm ", k), changedPath(func(c svm.PathConfig) ([]svm.Point[T], error) {
			return p.Path(soon(), svm.Config{Workers: 1}, c)
		}, path, nus, epsilons))
	}
	line("toprank", changedPath(func(c toprank.PathConfig) ([]toprank.Point[T], error) {
		return toprank.Problem[T]{X: e.x, Positive: e.positive}.Path(soon(), toprank.Config{Workers: 1}, c)
	}, toprank.PathConfig{Cs: []float64{.1, 1}, CrossValidation: cv}))
	line("tracenorm", changedPath(func(c tracenorm.PathConfig) ([]tracenorm.Point[T], error) {
		return tracenorm.Problem[T]{X: e.x, Y: e.y}.Path(soon(), tracenorm.Config{Workers: 1}, c)
	}, tracenorm.PathConfig{Lambda1s: []float64{.1}, Lambda2s: []float64{.1}, CrossValidation: cv}))
	line("l1", changedPath(func(c l1.PathConfig) ([]l1.Point[T], error) {
		return l1.Problem[T]{X: e.x, Y: e.y}.Path(soon(), l1.Config{Workers: 1}, c)
	}, l1.PathConfig{Cs: []float64{.1, 1}, CrossValidation: cv}))
	b := must(bundle.New(1<<26, bundle.Group[T]{X: e.x, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .1},
		kernel.Linear{}}}))
	line("mkl", changedPath(func(c mkl.PathConfig) ([]mkl.Point[T], error) {
		return mkl.Problem[T]{Bundle: b, Y: e.y}.Path(soon(), mkl.Config{Workers: 1}, c)
	}, mkl.PathConfig{Ps: []float64{1.5}, Cs: []float64{1, 10}, CrossValidation: cv}))
}

// changedPath is a digest of what fit measures, or says, of c with each of its fields another, and of more as they are.
func changedPath[C, P any](fit func(C) ([]P, error), c C, more ...C) trace {
	h := newTrace()
	note := func(what string, c C) {
		all, err := fit(c)
		var measured []any
		for _, p := range all {
			measured = append(measured, reflect.ValueOf(p).FieldByName("Validation").Interface())
		}
		fmt.Fprintln(h, what, measured, err)
	}
	familytest.Each(c, note)
	for _, c := range more {
		note("as it is", c)
	}
	return h
}

// calibrations has the numbers of calibrations of scores that are right, wrong and equal.
func (s *steps[T]) calibrations() {
	for _, e := range []examples[T]{drawExamples[T](60, 9, 4), drawExamples[T](300, 5, 3), drawExamples[T](12, 3, 2)} {
		scores := e.x.Matrix.Slice(0, e.n, 0, e.all)
		note := func(name string, c *solvers.Calibration, err error) {
			h := newTrace()
			fmt.Fprintf(h, "%+v %v", c, err)
			s.line(fmt.Sprintf("%s of %d examples", name, e.n), h)
		}
		c, err := solvers.FitTemperature(scores, solvers.Truth{Y: e.y})
		note("temperature", c, err)
		c, err = solvers.FitPlatt(scores, solvers.Truth{Sets: e.sets})
		note("Platt", c, err)
	}
}
