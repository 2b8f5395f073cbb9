package solvers_test

import (
	"fmt"

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

// changed notes what becomes of a training with one number another.
func changed[T vec.Float, P familytest.Problem[C, R], C, R any](s *steps[T], name string, p P, c C) {
	s.t.Helper()
	s.line(name, trace{familytest.Changes(s.t, p, c)})
}

// changes has what becomes of problems and parameters with one number another: which are refused, and with what words.
func (s *steps[T]) changes() {
	e := drawExamples[T](21, 4, 3)
	k := must(kernel.New(e.x, kernel.Gaussian{Gamma: .25}, 1<<26))
	storages := []storage[T]{{"dense", e.x}, {"sparse", must(e.x.CSR())}, {"kernel", nil}}
	for _, x := range storages {
		var gram *kernel.Matrix[T]
		var rows design.Matrix[T]
		if rows = x.x; x.name == "kernel" {
			gram, rows = k, nil
		}
		bias := 1.0
		if gram != nil {
			bias = 0
		}
		for _, loss := range []topk.Loss{topk.TopKHinge, topk.TopKEntropy} {
			p := topk.Problem[T]{X: rows, Kernel: gram, Y: e.y, Weights: e.weights}
			if gram == nil {
				p.Prior = quarterMatrix(5, 3)
			}
			changed(s, fmt.Sprintf("topk, %s, %v", x.name, loss), p,
				topk.Config{Loss: loss, Lambda: .01, K: 2, Bias: bias, Tol: 1e-4, Workers: 1, Epochs: 20})
		}
		related := vec.MatrixOf(3, 3, []float64{2, 1, -1, 1, 2, 0, -1, 0, 2})
		for _, loss := range []m3l.Loss{m3l.Hamming, m3l.Logistic} {
			c := m3l.Config{Loss: loss, Bias: bias, Costs: []float64{1, 2, 3}, Tol: 1e-4, Workers: 1, Epochs: 20}
			changed(s, fmt.Sprintf("m3l, %s, %v, R", x.name, loss), m3l.Problem[T]{X: rows, Kernel: gram, Sets: e.sets,
				R: related, Weights: e.weights}, c)
			changed(s, fmt.Sprintf("m3l, %s, %v, P", x.name, loss), m3l.Problem[T]{X: rows, Kernel: gram, Y: e.y,
				P: quarterMatrix(2, 3), Ridge: .5}, c)
		}
		for _, a := range []svm.Algorithm{svm.Ascent, svm.Automatic} {
			c := svm.Config{Algorithm: a, Offset: true, C: 3, Tol: 1e-4, Workers: 1, Epochs: 20}
			changed(s, fmt.Sprintf("svm, %s, %v", x.name, a), svm.Problem[T]{X: rows, Kernel: gram, Y: e.two,
				Weights: e.weights}, c)
			changed(s, fmt.Sprintf("svm, %s, %v, targets", x.name, a), svm.Problem[T]{X: rows, Kernel: gram,
				Targets: e.targets, Weights: e.weights}, c)
		}
		changed(s, "one class, "+x.name, svm.Problem[T]{X: rows, Kernel: gram, OneClass: true, Weights: e.weights},
			svm.Config{Nu: .3, Tol: 1e-4, Workers: 1, Epochs: 20})
		for j, c := range []toprank.Config{{}, {Loss: toprank.Hinge, K: 2}, {Method: toprank.PatMat, Tau: .2},
			{Method: toprank.PatMat, Tau: .2, All: true, Loss: toprank.Hinge}} {
			c.Workers, c.Epochs, c.Tol = 1, 20, 1e-4
			p := toprank.Problem[T]{X: rows, Kernel: gram, Positive: e.positive}
			if j == 1 {
				p.Groups = e.queries
			}
			changed(s, fmt.Sprintf("toprank, %s, method %d", x.name, j), p, c)
		}
		if gram != nil {
			continue
		}
		changed(s, "tracenorm, "+x.name, tracenorm.Problem[T]{X: rows, Y: e.y, Weights: e.weights},
			tracenorm.Config{Lambda1: .02, Lambda2: .002, Bias: bias, Tol: 1e-4, Workers: 1, Epochs: 20})
		changed(s, "l1, "+x.name, l1.Problem[T]{X: rows, Y: e.y, Weights: e.weights},
			l1.Config{C: 3, Bias: bias, Tol: 1e-4, Workers: 1, Epochs: 20})
	}
	b := must(bundle.New(1<<26, bundle.Group[T]{X: e.x, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .05},
		kernel.Linear{}}}))
	changed(s, "mkl", mkl.Problem[T]{Bundle: b, Y: e.y, Weights: e.weights},
		mkl.Config{P: 1.5, C: 10, K: 2, Loss: mkl.TopKUsunier, Tol: 1e-4, Workers: 1, Epochs: 20})
}
