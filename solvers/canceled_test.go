package solvers_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/pq"
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
	"github.com/dualgap/dualgap/vec"
)

// TestCanceled: every long call that takes a context returns its error when it ends, unless it is over just then. With
// DUALGAP_LOAD it is asked on larger data, some times each, and has to answer within a tenth of a second: a machine
// that does something else too may be late. With a kernel the step at hand and the certificate of the model that is
// returned cost O(n² d): the test only tells how late these are.
func TestCanceled(t *testing.T) {
	n, d, times := 1500, 50, 1
	large := os.Getenv("DUALGAP_LOAD") != ""
	if large {
		n, d, times = 20000, 200, 10
	}
	calls := longCalls(t, n, d)
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			worst, rng := time.Duration(0), rand.New(rand.NewPCG(1, 5))
			for range times {
				ctx, cancel := context.WithCancel(context.Background())
				var canceled time.Time
				after := time.Duration(rng.Float64() * 100 * float64(time.Millisecond))
				if large {
					after *= 10
				}
				timer := time.AfterFunc(after, func() {
					canceled = time.Now()
					cancel()
				})
				err := call(ctx)
				end := time.Now()
				over := timer.Stop()
				cancel()
				if over || err == nil {
					t.Logf("over when it was canceled after %v: %v", after, err)
					continue
				}
				worst = max(worst, end.Sub(canceled))
				if !errors.Is(err, context.Canceled) {
					t.Errorf("canceled after %v: %v", after, err)
				}
			}
			t.Logf("%v late at most", worst)
			if large && worst > 100*time.Millisecond && !strings.HasSuffix(name, "kernel") {
				t.Errorf("%v late, want a tenth of a second", worst)
			}
		})
	}
}

// longCalls are trainings of n examples that do not end by themselves for a long time.
func longCalls(t *testing.T, n, d int) map[string]func(ctx context.Context) error {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	x, y := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](n, d)}, make([]int, n)
	sets, positive, two, targets := make([][]int, n), make([]bool, n), make([]int, n), make([]float64, n)
	for i := range n {
		y[i] = rng.IntN(10)
		sets[i], positive[i], two[i], targets[i] = []int{y[i], 10 + i%6}, y[i] == 0, y[i]%2, rng.NormFloat64()
		for j := range d {
			x.Row(i)[j] = float32(rng.NormFloat64())
		}
	}
	const tol, passes = 1e-12, 1 << 30
	gaussian := must(kernel.New(x, kernel.Gaussian{Gamma: 1 / float64(d)}, 1<<28))
	few := x.Slice(0, n/10, 0, d)
	wide := must(bundle.New(1<<26, bundle.Group[float32]{X: &dataset.Dense[float32]{Matrix: few},
		Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 1 / float64(d)}, kernel.Linear{}}}))
	multiclass := topk.Config{Lambda: 1e-6, K: 2, Tol: tol, Epochs: passes}
	labels := m3l.Config{C: 10, Tol: tol, Epochs: passes}
	machine := svm.Config{C: 100, Tol: tol, Epochs: passes}
	ranker := toprank.Config{C: 10, Tol: tol, Epochs: passes}
	return map[string]func(ctx context.Context) error{
		"topk": func(ctx context.Context) error {
			_, err := topk.Problem[float32]{X: x, Y: y}.Fit(ctx, multiclass)
			return err
		},
		"topk kernel": func(ctx context.Context) error {
			_, err := topk.Problem[float32]{Kernel: gaussian, Y: y}.Fit(ctx, multiclass)
			return err
		},
		"topk path": func(ctx context.Context) error {
			_, err := topk.Problem[float32]{X: x, Y: y}.Path(ctx, multiclass, topk.PathConfig{
				Lambdas: []float64{1e-5, 1e-6}, CrossValidation: solvers.CrossValidation{Folds: 4}})
			return err
		},
		"m3l": func(ctx context.Context) error {
			_, err := m3l.Problem[float32]{X: x, Sets: sets}.Fit(ctx, labels)
			return err
		},
		"m3l kernel": func(ctx context.Context) error {
			_, err := m3l.Problem[float32]{Kernel: gaussian, Sets: sets}.Fit(ctx, labels)
			return err
		},
		"svm": func(ctx context.Context) error {
			_, err := svm.Problem[float32]{X: x, Y: two}.Fit(ctx, machine)
			return err
		},
		"svm targets": func(ctx context.Context) error {
			_, err := svm.Problem[float32]{X: x, Targets: targets}.Fit(ctx, machine)
			return err
		},
		"svm kernel": func(ctx context.Context) error {
			_, err := svm.Problem[float32]{Kernel: gaussian, Y: two}.Fit(ctx, machine)
			return err
		},
		"toprank": func(ctx context.Context) error {
			_, err := toprank.Problem[float32]{X: x, Positive: positive}.Fit(ctx, ranker)
			return err
		},
		"toprank kernel": func(ctx context.Context) error {
			_, err := toprank.Problem[float32]{Kernel: gaussian, Positive: positive}.Fit(ctx, ranker)
			return err
		},
		"tracenorm": func(ctx context.Context) error {
			_, err := tracenorm.Problem[float32]{X: x, Y: y}.Fit(ctx, tracenorm.Config{Lambda1: 1e-5, Tol: tol,
				Epochs: passes})
			return err
		},
		"l1": func(ctx context.Context) error {
			_, err := l1.Problem[float32]{X: x, Y: y}.Fit(ctx, l1.Config{C: 10, Loss: l1.Logistic, Tol: tol,
				Epochs: passes})
			return err
		},
		"mkl": func(ctx context.Context) error {
			_, err := mkl.Problem[float32]{Bundle: wide, Y: y[:n/10]}.Fit(ctx, mkl.Config{P: 1.5, C: 100, Tol: tol,
				Epochs: passes})
			return err
		},
		"pq.Train": func(ctx context.Context) error {
			_, err := pq.Train(ctx, x.Matrix, pq.Config{M: 10, Iterations: 1 << 20, Rotations: 8})
			return err
		},
		"pq.TrainScalar": func(ctx context.Context) error {
			_, err := pq.TrainScalar(ctx, x.Matrix, pq.ScalarConfig{})
			return err
		},
		"pq.TrainLists": func(ctx context.Context) error {
			_, err := pq.TrainLists(ctx, x.Matrix, 256, 1, 0)
			return err
		},
	}
}
