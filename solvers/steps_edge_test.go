package solvers_test

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/l1"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/solvers/tracenorm"
)

// ladder notes how trainings end with tolerances down to where rounding has the say: which certificates are refused.
func (s *steps[T]) ladder(name string, fit func(ctx context.Context, tol float64) (solvers.Outcome, error)) {
	s.t.Helper()
	h := newTrace()
	for tol := 1e-4; tol > 1e-17; tol /= math.Sqrt(10) {
		o, err := fit(context.Background(), tol)
		if err != nil {
			s.t.Fatal(name, tol, err)
		}
		fmt.Fprintln(h, o)
	}
	s.line(name, h)
}

// edge has trainings to tolerances at and below what rounding allows, of features about 0 and far from it.
func (s *steps[T]) edge() {
	e := drawExamples[T](24, 4, 3)
	for k, x := range []*dataset.Dense[T]{e.x, e.far()} {
		given := must(kernel.New(x, kernel.Polynomial{Degree: 2, Scale: .1, Offset: 1}, 1<<26))
		for _, by := range []string{"features", "kernel"} {
			name := fmt.Sprintf("%s %d", by, k)
			tk, ml := topk.Problem[T]{Y: e.y}, m3l.Problem[T]{Sets: e.sets}
			two, one := svm.Problem[T]{Y: e.two}, svm.Problem[T]{OneClass: true}
			rank := toprank.Problem[T]{Positive: e.positive}
			if by == "kernel" {
				tk.Kernel, ml.Kernel, two.Kernel, one.Kernel, rank.Kernel = given, given, given, given, given
			} else {
				tk.X, ml.X, two.X, one.X, rank.X = x, x, x, x, x
			}
			s.ladder("topk, "+name, func(ctx context.Context, tol float64) (solvers.Outcome, error) {
				r, err := tk.Fit(ctx, topk.Config{Lambda: .02, Tol: tol, Workers: 1, Epochs: 40})
				return r.Outcome, err
			})
			s.ladder("m3l, "+name, func(ctx context.Context, tol float64) (solvers.Outcome, error) {
				r, err := ml.Fit(ctx, m3l.Config{C: .1, Tol: tol, Workers: 1, Epochs: 40})
				return r.Outcome, err
			})
			for _, offset := range []bool{false, true} {
				s.ladder(fmt.Sprintf("svm, %s, offset %t", name, offset),
					func(ctx context.Context, tol float64) (solvers.Outcome, error) {
						r, err := two.Fit(ctx, svm.Config{C: .1, Tol: tol, Workers: 1, Epochs: 40, Offset: offset})
						return r.Outcome, err
					})
			}
			s.ladder("one class, "+name, func(ctx context.Context, tol float64) (solvers.Outcome, error) {
				r, err := one.Fit(ctx, svm.Config{Tol: tol, Workers: 1, Epochs: 40})
				return r.Outcome, err
			})
			for j, c := range []toprank.Config{{C: .1, K: 2}, {C: .1, Loss: toprank.Hinge},
				{Method: toprank.PatMat, Tau: .2}, {Method: toprank.PatMat, Tau: .2, Loss: toprank.Hinge}} {
				for _, rank.Groups = range [][]int{nil, e.queries} {
					if rank.Groups != nil && c.Method == toprank.PatMat {
						continue
					}
					s.ladder(fmt.Sprintf("toprank, %s, method %d, queries %t", name, j, rank.Groups != nil),
						func(ctx context.Context, tol float64) (solvers.Outcome, error) {
							c.Tol, c.Workers, c.Epochs = tol, 1, 40
							r, err := rank.Fit(ctx, c)
							return r.Outcome, err
						})
				}
			}
		}
		s.ladder(fmt.Sprint("tracenorm ", k), func(ctx context.Context, tol float64) (solvers.Outcome, error) {
			r, err := tracenorm.Problem[T]{X: x, Y: e.y}.Fit(ctx, tracenorm.Config{Lambda1: .05, Lambda2: .01, Tol: tol,
				Workers: 1, Epochs: 30})
			return r.Outcome, err
		})
		for _, loss := range []l1.Loss{l1.SquaredHinge, l1.Logistic} {
			s.ladder(fmt.Sprintf("l1 %d, %v", k, loss), func(ctx context.Context, tol float64) (solvers.Outcome,
				error) {
				r, err := l1.Problem[T]{X: x, Y: e.y}.Fit(ctx, l1.Config{Loss: loss, Tol: tol, Workers: 1, Epochs: 30})
				return r.Outcome, err
			})
		}
		b := must(bundle.New(1<<26, bundle.Group[T]{X: x, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .05},
			kernel.Linear{}}}))
		s.ladder(fmt.Sprint("mkl ", k), func(ctx context.Context, tol float64) (solvers.Outcome, error) {
			r, err := mkl.Problem[T]{Bundle: b, Y: e.y}.Fit(ctx, mkl.Config{P: 1.5, C: .3, Tol: tol, Workers: 1,
				Epochs: 30})
			return r.Outcome, err
		})
	}
}
