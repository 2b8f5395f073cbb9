package mkl

import (
	"context"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// TestSumKernel: at p = 2 the optimum is the optimum of the support vector machine on the sum of the kernels, for each
// loss: each certificate bounds the other's objective from both sides.
func TestSumKernel(t *testing.T) {
	p := views[float64](t, 4, 60, 4)
	sum, err := p.Bundle.Mix(0)
	if err != nil {
		t.Fatal(err)
	}
	sum.Weigh(slices.Repeat([]float64{1}, p.Bundle.Kernels()), 0)
	for _, c := range []Config{{P: 2, C: 1}, {P: 2, C: 50}, {P: 2, C: 1, K: 2}, {P: 2, C: 1, K: 2, Loss: TopKUsunier}} {
		c.Tol = 1e-10
		r := fit(t, p, c)
		loss := topk.TopKHinge
		if c.Loss == TopKUsunier {
			loss = topk.TopKUsunier
		}
		lambda := 1 / (c.C * float64(len(p.Y)))
		want, err := topk.Problem[float64]{Kernel: sum.Matrix, Y: p.Y}.Fit(context.Background(),
			topk.Config{Lambda: lambda, K: c.K, Loss: loss, Tol: c.Tol})
		if err != nil || r.Status != solvers.Converged || want.Status != solvers.Converged {
			t.Fatal(r.Outcome, want.Outcome, err)
		}
		if a, b := lambda*r.Certificate.Primal, want.Certificate.Primal; math.Abs(a-b) > 1e-9*b {
			t.Errorf("%+v: %v, want %v", c, a, b)
		}
		all := make([]int, len(p.Y))
		for i := range all {
			all[i] = i
		}
		k, mine, theirs := vec.NewMatrix[float64](len(all), len(all)), vec.NewMatrix[float64](len(all), 4),
			vec.NewMatrix[float64](len(all), 4)
		sum.Rows(k, all, 1)
		r.Kernels.ScoresOf(mine, p.Bundle, nil, nil, 1)
		if err := want.Kernel.ScoresOf(theirs, k); err != nil {
			t.Fatal(err)
		}
		for i, v := range mine.Data { // the objective is 1-strongly convex in w: |w - w'|² <= 2 gaps
			distance := math.Sqrt(4 * c.Tol * r.Certificate.Primal)
			if d := math.Abs(v - theirs.Data[i]); d > 2*distance*math.Sqrt(k.Row(i / 4)[i/4]) {
				t.Fatalf("%+v: score %v, want %v", c, v, theirs.Data[i])
			}
		}
	}
}

// TestWorkersBits: the number of goroutines makes no difference, nor does what the bundle keeps.
func TestWorkersBits(t *testing.T) {
	p := views[float32](t, 5, 200, 5)
	one := fit(t, p, Config{P: 1.1, C: 10, Workers: 1})
	for _, workers := range []int{2, 3, 0} {
		r := fit(t, p, Config{P: 1.1, C: 10, Workers: workers})
		if !slices.Equal(r.Duals.Data, one.Duals.Data) || !slices.Equal(r.Eta, one.Eta) ||
			r.Certificate != one.Certificate {
			t.Errorf("%d workers: %v, want %v", workers, r.Outcome, one.Outcome)
		}
	}
}

// TestCoresBits: the number of cores of the machine makes no difference either, where the budget is about what scratch
// memory takes.
func TestCoresBits(t *testing.T) {
	p := views[float32](t, 5, 200, 5)
	x := vec.NewMatrix[float32](200, 3)
	for i := range x.Rows {
		for j := range x.Cols {
			x.Row(i)[j] = float32(math.Sin(float64(i*(j+2))) + float64(p.Y[i]%(j+2)))
		}
	}
	group := bundle.Group[float32]{X: &dataset.Dense[float32]{Matrix: x},
		Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .1}, kernel.Gaussian{Gamma: 1}, kernel.Linear{}}}
	var one *Result[float32]
	for _, cores := range []int{1, 2, 3} {
		before := runtime.GOMAXPROCS(cores)
		b, err := bundle.New(1<<20, group)
		if err != nil {
			t.Fatal(err)
		}
		r := fit(t, Problem[float32]{Bundle: b, Y: p.Y}, Config{P: 1.1, C: 10})
		runtime.GOMAXPROCS(before)
		if one == nil {
			one = r
		}
		if !slices.Equal(r.Duals.Data, one.Duals.Data) || r.Certificate != one.Certificate {
			t.Errorf("%d cores: %v, want %v", cores, r.Outcome, one.Outcome)
		}
	}
}

// TestScales: p near 1 on float32 kernels far from 1 in size, and C over decades, end with a certificate.
func TestScales(t *testing.T) {
	all := readTruth(t)
	for _, scale := range []float64{1e-6, 1, 1e6} {
		phi := make([][][]float64, len(all.Phi))
		for j, rows := range all.Phi {
			for _, row := range rows {
				scaled := slices.Clone(row)
				vec.Scale(math.Sqrt(scale), scaled)
				phi[j] = append(phi[j], scaled)
			}
		}
		b := bundleOf[float32](t, phi, 0)
		wide := bundleOf[float64](t, all.Phi, 0)
		for _, cost := range []float64{.01, 1, 100} {
			r := fit(t, Problem[float32]{Bundle: b, Y: all.Y}, Config{P: 1.01, C: cost / scale})
			want := fit(t, Problem[float64]{Bundle: wide, Y: all.Y}, Config{P: 1.01, C: cost})
			if r.Status != solvers.Converged || math.Abs(
				r.Certificate.Primal*scale-want.Certificate.Primal) > 2e-3*want.Certificate.Primal {
				t.Errorf("scale %v, C %v: %v, want %v", scale, cost, r.Outcome, want.Outcome)
			}
		}
	}
}
