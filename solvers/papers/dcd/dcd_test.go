package dcd

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/m3ltruth"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/vec"
)

// TestTruth: the method ends at the known optima, in both types, whatever the storage.
func TestTruth(t *testing.T) { prove.Both(t, testTruth[float32], testTruth[float64]) }

func testTruth[T vec.Float](t *testing.T) {
	found := 0
	for i, p := range m3ltruth.Read(t, filepath.Join("..", "..", "m3l", "testdata")) {
		if p.Kernel != "linear" {
			continue
		}
		found++
		near := math.Max(1e-8, 100*prove.Unit[T]())
		for name, x := range storages[T](t, p) {
			r, err := Solve(context.Background(), problemOf(x, p), Options{Tau: 1e-7})
			if err != nil || r.Status != solvers.Converged {
				t.Fatalf("problem %d, %s: %+v, %v", i, name, r, err)
			}
			last := r.Last()
			for _, v := range []float64{last.Primal, last.Dual} {
				if math.Abs(v-p.Primal) > near*p.Primal {
					t.Errorf("problem %d, %s: %v, want %v", i, name, last.Certificate, p.Primal)
				}
			}
			for k, step := range r.Steps[1:] {
				if step.Dual < r.Steps[k].Dual-1e-12*p.Primal {
					t.Errorf("problem %d, %s: %v after %v", i, name, step, r.Steps[k])
				}
			}
		}
	}
	if found == 0 {
		t.Error("no linear problems")
	}
}

// TestZeros: examples of zeros and labels that R says nothing of have all variables at C.
func TestZeros(t *testing.T) {
	p := m3ltruth.Draw(rand.New(rand.NewPCG(9, 10)), 8, 5, 3, 2)
	p.X[3] = make([]float64, 5)
	for l := range p.R {
		p.R[1][l], p.R[l][1] = 0, 0
	}
	for name, x := range storages[float64](t, p) {
		r, err := Solve(context.Background(), problemOf(x, p), Options{Tau: 1e-6})
		if err != nil || r.Status != solvers.Converged || r.Last().RelativeGap() > 1e-5 {
			t.Fatalf("%s: %+v, %v", name, r, err)
		}
		for i := range 8 {
			for l := range 3 {
				if v := math.Abs(r.Duals.At(i, l)); (i == 3 || l == 1) && v != 2*p.C {
					t.Errorf("%s: dual variable %v of example %d, label %d, want %v", name, v, i, l, 2*p.C)
				}
			}
		}
	}
}

// TestAlone: without R the labels are trainings of their own, and the default margins are the Hamming margins.
func TestAlone(t *testing.T) {
	p := m3ltruth.Draw(rand.New(rand.NewPCG(7, 8)), 30, 4, 3, 2)
	x := storages[float64](t, p)["dense"]
	all := problemOf(x, p)
	all.R, all.Margins = vec.Matrix[float64]{}, nil
	together, err := Solve(context.Background(), all, Options{Tau: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for l := range 3 {
		one := Problem[float64]{X: x, Labels: 1, C: p.C}
		for i := range p.Y {
			one.Sets = append(one.Sets, []int{0}[:max(0, int(p.Y[i][l]))])
		}
		r, err := Solve(context.Background(), one, Options{Tau: 1e-6})
		if err != nil {
			t.Fatal(err)
		}
		sum += r.Last().Dual
	}
	if got := together.Last().Dual; math.Abs(got-sum) > 1e-5*sum {
		t.Errorf("%v together, %v alone", got, sum)
	}
}

// TestStops: by the context, by the number of steps, and where float64 allows no progress.
func TestStops(t *testing.T) {
	p := m3ltruth.Draw(rand.New(rand.NewPCG(11, 12)), 30, 4, 3, 2)
	problem := problemOf(storages[float64](t, p)["sparse"], p)
	r, err := Solve(statetest.EndAt(3), problem, Options{Options: papers.Options{Every: 64}})
	if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled || r.Last().Steps > 3*64 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = Solve(context.Background(), problem, Options{Options: papers.Options{Every: 7, Steps: 20}})
	if err != nil || r.Status != solvers.EpochLimit || r.Last().Steps != 20 || len(r.Steps) != 4 ||
		r.Last().Passes != 20./90 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = Solve(context.Background(), problem, Options{Tau: 1e-300})
	if err != nil || r.Status != solvers.Stalled && r.Status != solvers.Converged || r.Last().RelativeGap() > 1e-11 {
		t.Errorf("%v after %+v, %v", r.Status, r.Last(), err)
	}
}

// TestAllocations: a pass and its estimate take no memory, in either choice of variables.
func TestAllocations(t *testing.T) {
	p := m3ltruth.Draw(rand.New(rand.NewPCG(13, 14)), 40, 6, 3, 2)
	for name, x := range storages[float64](t, p) {
		for _, turn := range []float64{1e-9, 1e9} {
			m, err := problemOf(x, p).begin(context.Background(), Options{Tau: 1e-15, Switch: turn})
			if err != nil {
				t.Fatal(err)
			}
			m.Take(context.Background(), 200)
			count := prove.Allocs(10, func() { m.Take(context.Background(), 120) })
			if count > 0 {
				t.Errorf("%s, switch %v: %v allocations", name, turn, count)
			}
		}
	}
}

// TestErrors: what cannot be is an error that names it.
func TestErrors(t *testing.T) {
	draw := m3ltruth.Draw(rand.New(rand.NewPCG(15, 16)), 20, 3, 2, 2)
	good := problemOf(storages[float64](t, draw)["dense"], draw)
	var none context.Context
	large := vec.NewMatrix[float64](20, 3)
	large.Row(4)[1] = 1e200
	type change func(ctx *context.Context, p *Problem[float64], o *Options)
	r := func(values ...float64) change {
		return func(_ *context.Context, p *Problem[float64], _ *Options) { p.R = vec.MatrixOf(2, 2, values) }
	}
	for want, change := range map[string]change{
		"no context": func(ctx *context.Context, _ *Problem[float64], _ *Options) { *ctx = none },
		"no X":       func(_ *context.Context, p *Problem[float64], _ *Options) { p.X = nil },
		"19 labels for 20": func(_ *context.Context, p *Problem[float64], _ *Options) {
			p.Sets = p.Sets[1:]
		},
		"Labels = 0, want at least 1":  func(_ *context.Context, p *Problem[float64], _ *Options) { p.Labels = 0 },
		"R is 2-by-2 for 3 labels":     func(_ *context.Context, p *Problem[float64], _ *Options) { p.Labels = 3 },
		"C = -1, want a positive":      func(_ *context.Context, p *Problem[float64], _ *Options) { p.C = -1 },
		"Tau = -2, want a positive":    func(_ *context.Context, _ *Problem[float64], o *Options) { o.Tau = -2 },
		"Switch = -2, want a positive": func(_ *context.Context, _ *Problem[float64], o *Options) { o.Switch = -2 },
		"Every = -1":                   func(_ *context.Context, _ *Problem[float64], o *Options) { o.Every = -1 },
		"R of labels 0 and 1 is 0.5, but of 1 and 0 0.25: not symmetric": r(1, .5, .25, 1),
		"R of labels 1 and 1 is -1, want a finite number, at least 0":    r(1, 0, 0, -1),
		"R of labels 0 and 1 is NaN":                                     r(1, math.NaN(), math.NaN(), 1),
		"example 4 has the squared norm +Inf": func(_ *context.Context, p *Problem[float64], _ *Options) {
			p.X = design.Matrix[float64](&dataset.Dense[float64]{Matrix: large})
		},
		"values of +Inf": func(_ *context.Context, p *Problem[float64], _ *Options) {
			p.C, p.Margins = 1e300, func(_ int, plus, _ []float64) { plus[0] = 1e300 }
		},
	} {
		ctx, p, o := context.Background(), good, Options{}
		change(&ctx, &p, &o)
		r, err := Solve(ctx, p, o)
		if r != nil || err == nil || !strings.HasPrefix(err.Error(), "dcd: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
