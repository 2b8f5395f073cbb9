package dualgap_test

import (
	"context"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/solvers/tracenorm"
)

// TestRaw: on data that nobody scaled no family ends above the model of weights 0, after however few passes. Its value
// is where a training ends that was stopped before it began.
func TestRaw(t *testing.T) {
	for name, data := range map[string]*dataset.Labeled[*dataset.Dense[float32]]{
		"white wine": samples.WhiteWine[float32](), "spambase": samples.Spambase[float32](),
	} {
		n := len(data.Y)
		x, y := design.Matrix[float32](data.X), data.Y
		some := make([]int, 0, 500)
		for i := 0; i < n; i += n/500 + 1 {
			some = append(some, i)
		}
		few := design.Subset[float32](x, some)
		labels, positive := make([]int, len(some)), make([]bool, n)
		for q, i := range some {
			labels[q] = y[i]
		}
		for i, c := range y {
			positive[i] = c == slices.Max(y)
		}
		b, err := bundle.New[float32](1<<20,
			bundle.Group[float32]{X: few, Kernels: []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		for family, fit := range map[string]func(ctx context.Context, epochs int) (solvers.Outcome, error){
			"topk": func(ctx context.Context, epochs int) (o solvers.Outcome, err error) {
				r, err := topk.Problem[float32]{X: x, Y: y}.Fit(ctx, topk.Config{Lambda: 1 / float64(n), Bias: 1,
					Epochs: epochs})
				if r != nil {
					o = r.Outcome
				}
				return o, err
			},
			"m3l": func(ctx context.Context, epochs int) (o solvers.Outcome, err error) {
				r, err := m3l.Problem[float32]{X: x, Y: y}.Fit(ctx, m3l.Config{Bias: 1, Epochs: epochs})
				if r != nil {
					o = r.Outcome
				}
				return o, err
			},
			"tracenorm": func(ctx context.Context, epochs int) (o solvers.Outcome, err error) {
				r, err := tracenorm.Problem[float32]{X: x, Y: y}.Fit(ctx, tracenorm.Config{Bias: 1, Lambda1: 1e-3,
					Lambda2: 1e-4, Epochs: epochs})
				if r != nil {
					o = r.Outcome
				}
				return o, err
			},
			"toprank": func(ctx context.Context, epochs int) (o solvers.Outcome, err error) {
				r, err := toprank.Problem[float32]{X: x, Positive: positive}.Fit(ctx, toprank.Config{Epochs: epochs})
				if r != nil {
					o = r.Outcome
				}
				return o, err
			},
			"mkl": func(ctx context.Context, epochs int) (o solvers.Outcome, err error) {
				r, err := mkl.Problem[float32]{Bundle: b, Y: labels}.Fit(ctx, mkl.Config{Epochs: epochs})
				if r != nil {
					o = r.Outcome
				}
				return o, err
			},
		} {
			stopped, cancel := context.WithCancel(context.Background())
			cancel()
			zero, _ := fit(stopped, 1)
			if !zero.ZeroModel {
				t.Fatalf("%s, %s: stopped before it began: %v", name, family, zero)
			}
			for _, epochs := range []int{1, 10} {
				o, err := fit(context.Background(), epochs)
				if o.Status == solvers.Running || o.Certificate.Primal > zero.Certificate.Primal {
					t.Errorf("%s, %s, %d passes: %v, %v; weights of 0 have %v", name, family, epochs, o, err,
						zero.Certificate.Primal)
				}
				t.Logf("%s, %s: %v", name, family, o)
			}
		}
	}
}
