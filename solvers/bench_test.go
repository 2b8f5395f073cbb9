package solvers_test

import (
	"context"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// fit is a training to benchmark.
type fit struct {
	name  string
	train func() (solvers.Outcome, error)
}

// BenchmarkFit trains every family, on features and on a kernel, on the 3000 embedded images of Fashion-MNIST, or the
// first 1000 of them, to a relative gap of 1e-3 on one core, certificate included.
func BenchmarkFit(b *testing.B) {
	b.Run("type=f32", func(b *testing.B) { benchmarkFits(b, fits[float32](b)) })
	b.Run("type=f64", func(b *testing.B) { benchmarkFits(b, fits[float64](b)) })
}

func benchmarkFits(b *testing.B, fits []fit) {
	for _, f := range fits {
		b.Run(f.name, func(b *testing.B) {
			passes := 0.
			for b.Loop() {
				end, err := f.train()
				if err != nil || end.Status != solvers.Converged {
					b.Fatal(end, err)
				}
				passes = end.Passes
			}
			b.ReportMetric(passes, "passes")
		})
	}
}

func fits[T vec.Float](b *testing.B) []fit {
	images, _ := samples.FashionMNIST[T]()
	x, y := images.X, images.Y
	few := &dataset.Dense[T]{Matrix: x.Slice(0, 1000, 0, x.Cols)}
	gaussian := []kernel.Kernel{kernel.Gaussian{Gamma: .01}, kernel.Gaussian{Gamma: .05}}
	k, err := kernel.New[T](x, gaussian[0], 1<<28)
	if err != nil {
		b.Fatal(err)
	}
	two, err := bundle.New(1<<28, bundle.Group[T]{X: few, Kernels: gaussian})
	if err != nil {
		b.Fatal(err)
	}
	shirts := make([]bool, len(y))
	for i, c := range y {
		shirts[i] = c == 6
	}
	ctx := context.Background()
	top := func(name string, p topk.Problem[T], c topk.Config) fit {
		return fit{"family=topk/" + name, func() (solvers.Outcome, error) {
			r, err := p.Fit(ctx, c)
			return r.Outcome, err
		}}
	}
	labels := func(name string, p m3l.Problem[T], c m3l.Config) fit {
		return fit{"family=m3l/" + name, func() (solvers.Outcome, error) {
			r, err := p.Fit(ctx, c)
			return r.Outcome, err
		}}
	}
	rank := func(name string, p toprank.Problem[T], c toprank.Config) fit {
		return fit{"family=toprank/" + name, func() (solvers.Outcome, error) {
			r, err := p.Fit(ctx, c)
			return r.Outcome, err
		}}
	}
	prior := vec.NewMatrix[float64](10, 10)
	for l := range 10 {
		for other := range 10 {
			prior.Row(l)[other] = .3
		}
		prior.Row(l)[l] = 1
	}
	return []fit{
		top("x=features/k=1", topk.Problem[T]{X: x, Y: y}, topk.Config{Lambda: 1 / 300., Workers: 1}),
		top("x=features/k=3", topk.Problem[T]{X: x, Y: y}, topk.Config{K: 3, Lambda: 1 / 300., Workers: 1}),
		top("x=features/loss=entropy", topk.Problem[T]{X: x, Y: y},
			topk.Config{Loss: topk.TopKEntropy, Lambda: 1 / 300., Workers: 1}),
		top("x=gaussian/k=1", topk.Problem[T]{Kernel: k, Y: y}, topk.Config{Lambda: 1 / 3000., Workers: 1}),
		labels("x=features", m3l.Problem[T]{X: x, Y: y}, m3l.Config{C: .1, Workers: 1}),
		labels("x=features/prior=dense", m3l.Problem[T]{X: few, Y: y[:1000], R: prior}, m3l.Config{C: .1, Workers: 1}),
		labels("x=gaussian", m3l.Problem[T]{Kernel: k, Y: y}, m3l.Config{C: 1, Workers: 1}),
		rank("x=features", toprank.Problem[T]{X: x, Positive: shirts}, toprank.Config{C: .01, Workers: 1}),
		rank("x=gaussian", toprank.Problem[T]{Kernel: k, Positive: shirts}, toprank.Config{C: .1, Workers: 1}),
		{"family=tracenorm/x=features", func() (solvers.Outcome, error) {
			r, err := tracenorm.Problem[T]{X: x, Y: y}.Fit(ctx, tracenorm.Config{Lambda1: .01, Workers: 1})
			return r.Outcome, err
		}},
		{"family=mkl/x=gaussian", func() (solvers.Outcome, error) {
			r, err := mkl.Fit(ctx, two, y[:1000], mkl.Config{P: 1.25, C: 1, Workers: 1})
			return r.Outcome, err
		}},
	}
}
