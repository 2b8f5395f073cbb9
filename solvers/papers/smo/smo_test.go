package smo

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/m3ltruth"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/vec"
)

// TestTruth: the method ends at the known optima, and no iteration takes anything away.
func TestTruth(t *testing.T) {
	for i, p := range m3ltruth.Read(t, filepath.Join("..", "..", "m3l", "testdata")) {
		s := solved(t, problemOf[float64](t, p), Options{Tau: 1e-9, Options: papers.Options{Every: 1}})
		primal, dual := p.Values(s.duals())
		for name, v := range map[string]float64{"primal": primal, "dual": dual, "sum of the gains": s.dual} {
			if math.Abs(v-p.Primal) > 1e-7*p.Primal {
				t.Errorf("problem %d: %s %.12g, want %.12g", i, name, v, p.Primal)
			}
		}
		steps := s.steps
		last := steps[len(steps)-1]
		if s.iterations != last.Steps || steps[0].Steps != 0 || steps[0].Dual != p.Constant && p.Hamming {
			t.Errorf("problem %d: %d iterations, steps from %v to %v", i, s.iterations, steps[0], last)
		}
		for k, step := range steps[1:] {
			if step.Dual < steps[k].Dual || step.Steps != k+1 || step.Elapsed < steps[k].Elapsed {
				t.Fatalf("problem %d: %v after %v", i, step, steps[k])
			}
		}
	}
}

// problemOf is p, with a kernel matrix of T.
func problemOf[T vec.Float](t testing.TB, p m3ltruth.Problem) Problem[T] {
	t.Helper()
	k, err := kernel.New[T](&dataset.Dense[T]{Matrix: m3ltruth.Matrix[T](p.X)}, p.Mercer(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return Problem[T]{
		Kernel: k, R: p.Prior(), Labels: len(p.R), Sets: p.Sets(), Margins: p.Margins, C: p.C,
	}
}

// begun returns the method at its start.
func begun[T vec.Float](t testing.TB, p Problem[T], o Options) *solver[T] {
	t.Helper()
	o, err := p.check(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return start(p, o)
}

// TestGradients: wherever it stops, even within the iterations at one label, the gradients that it kept are the
// gradients of its variables, and the sum of its gains is their dual value; no iteration lowers that.
func TestGradients(t *testing.T) {
	prove.Both(t, testGradients[float32], testGradients[float64])
}

func testGradients[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, labels := range []int{1, 2, 7} {
		p := m3ltruth.Draw(rng, 30, 4, labels, 3)
		problem := problemOf[T](t, p)
		for _, iterations := range []int{1, 2, 11, 40, 250} {
			s := begun(t, problem, Options{Tau: 1e-9, Options: papers.Options{Every: 1, Steps: iterations}})
			if status, err := s.solve(context.Background()); err != nil || status != solvers.Converged &&
				s.iterations != iterations {
				t.Errorf("%v, %v after %d iterations", status, err, s.iterations)
			}
			n := len(p.X)
			rows := vec.NewMatrix[T](n, n)
			problem.Kernel.Rows(rows, seq(n), 1)
			dual, most := 0.0, 0.0 // most: all terms of a gradient, each variable at its largest
			for l := range labels {
				for k := range labels {
					for j := range n {
						most = max(most, 2+8*p.C*float64(n*labels)*math.Abs(p.R[l][k])*math.Abs(float64(rows.At(0, j))))
					}
				}
			}
			// An iteration adds to a gradient, and to u, two numbers at most: an error of a few roundings of the
			// largest that any of them can be. The rest is the error of the sums of this test.
			bound := float64(8*s.iterations+2*n*labels) * 0x1p-53 * most
			for l := range labels {
				for i := range n {
					score := 0.0
					for k := range labels {
						for j := range n {
							score += p.R[l][k] * float64(rows.At(i, j)) * 2 * s.a.At(k, j)
						}
					}
					want := 2*p.Y[i][l] - 2*score
					if got := s.g.At(l, i); math.Abs(got-want) > bound {
						t.Fatalf("%d labels, %d iterations: gradient %v of label %d, example %d, want %v within %v",
							labels, s.iterations, got, l, i, want, bound)
					}
					a := s.a.At(l, i)
					if y := p.Y[i][l]; a*y < 0 || a*y > p.C {
						t.Fatalf("alpha is %v", a*y)
					}
					dual += 2*math.Abs(a) - a*score
				}
			}
			last := s.steps[len(s.steps)-1]
			if math.Abs(last.Dual-dual) > bound*p.C*float64(n*labels+2*s.iterations) {
				t.Errorf("%d labels, %d iterations: dual value %v, want %v", labels, s.iterations, last.Dual, dual)
			}
			for k, step := range s.steps[1:] {
				if step.Dual < s.steps[k].Dual {
					t.Errorf("%v after %v", step, s.steps[k])
				}
			}
		}
	}
}

func seq(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// TestByLabel: label by label the method takes the iterations of the labels alone and has the sum of their values;
// over all labels together it comes to the same.
func TestByLabel(t *testing.T) {
	p := m3ltruth.Draw(rand.New(rand.NewPCG(7, 8)), 40, 4, 5, 3)
	scale := []float64{1, .5, 2, 1, 3}
	for _, r := range [][]float64{nil, scale} {
		all := problemOf[float64](t, p)
		all.R = vec.Matrix[float64]{}
		if r != nil {
			all.R = vec.NewMatrix[float64](5, 5)
			for l, v := range r {
				all.R.Row(l)[l] = v
			}
		}
		o := Options{Tau: 1e-8, Options: papers.Options{Every: 1}}
		iterations, dual := 0, 0.0
		for l := range 5 {
			one := all
			sets := make([][]int, len(p.X))
			one.Labels, one.Sets, one.R = 1, sets, vec.Matrix[float64]{}
			for i, set := range p.Sets() {
				if slices.Contains(set, l) {
					sets[i] = []int{0}
				}
			}
			one.Margins = nil // 0 and 2
			if r != nil {
				one.R = vec.MatrixOf(1, 1, []float64{r[l]})
			}
			s := solved(t, one, o)
			iterations += s.iterations
			dual += s.steps[len(s.steps)-1].Dual
		}
		o.ByLabel = true
		s := solved(t, all, o)
		if last := s.steps[len(s.steps)-1]; s.iterations != iterations ||
			math.Abs(last.Dual-dual) > float64(iterations+5)*0x1p-52*dual {
			t.Errorf("%d iterations to %v, want %d to %v", s.iterations, last.Dual, iterations, dual)
		}
		o.ByLabel = false
		together := solved(t, all, o)
		// Each gradient is below tau, so that the dual, concave, is at most tau C for each variable below its optimum.
		if last := together.steps[len(together.steps)-1]; math.Abs(last.Dual-dual) > 2*1e-8*p.C*200 {
			t.Errorf("together %v, want %v", last.Dual, dual)
		}
	}
}

func solved[T vec.Float](t *testing.T, p Problem[T], o Options) *solver[T] {
	t.Helper()
	s := begun(t, p, o)
	if status, err := s.solve(context.Background()); status != solvers.Converged || err != nil {
		t.Fatalf("%v, %v after %d iterations", status, err, s.iterations)
	}
	return s
}

// TestEqualExamples: examples that are there four times count as one at four times the cost, and no pair of equal ones
// is ever solved for. An example of zeros and labels that R says nothing of, or next to nothing, have all variables at
// C at once.
func TestEqualExamples(t *testing.T) {
	p := m3ltruth.Draw(rand.New(rand.NewPCG(9, 10)), 8, 5, 3, 2)
	p.Kernel = "linear"
	p.X[3] = make([]float64, 5)
	for l := range p.R {
		p.R[1][l], p.R[l][1] = 0, 0
	}
	p.R[2][2] = 0x1p-1060 // nearly nothing
	p.R[0][2], p.R[2][0] = 0, 0
	once := problemOf[float64](t, p)
	once.C *= 4
	const tau = 1e-9
	o := Options{Tau: tau, Options: papers.Options{Every: 1}}
	one := solved(t, once, o)
	four := p
	four.X, four.Y = slices.Repeat(p.X, 4), slices.Repeat(p.Y, 4)
	four.Plus, four.Minus = slices.Repeat(p.Plus, 4), slices.Repeat(p.Minus, 4)
	s := solved(t, problemOf[float64](t, four), o)
	if a, b := one.steps[len(one.steps)-1].Dual, s.steps[len(s.steps)-1].Dual; math.Abs(a-b) > 2*tau*p.C*32*3 {
		t.Errorf("once %v, four times %v", a, b)
	}
	for l := range 3 {
		for i := range 32 {
			if a := math.Abs(s.a.At(l, i)); (l > 0 || i%8 == 3) && a != p.C {
				t.Errorf("label %d, example %d: %v, want C = %v", l, i, a, p.C)
			}
		}
	}
	equal := four
	equal.X = slices.Repeat(p.X[:1], 32)
	e := begun(t, problemOf[float64](t, equal), o)
	row := e.k.Pin(5)
	e.first(0)
	if q := e.second(0, 5, row); q >= 0 {
		t.Errorf("example %d beside 5, which is equal", q)
	}
	e.k.Release(5)
	solved(t, problemOf[float64](t, equal), o)
}

// ending is a context that ends once it has been asked left times.
type ending struct {
	context.Context
	left *int
}

func (e ending) Err() error {
	if *e.left--; *e.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestStops: by the context, by the number of iterations, and where float64 allows no progress; and the history has
// the steps that were asked for, the start and the end.
func TestStops(t *testing.T) {
	p := problemOf[float64](t, m3ltruth.Draw(rand.New(rand.NewPCG(11, 12)), 30, 4, 3, 2))
	left := 4
	s := begun(t, p, Options{Tau: 1e-6, Options: papers.Options{Every: 5}})
	status, err := s.solve(ending{context.Background(), &left})
	if status != solvers.Canceled || !errors.Is(err, context.Canceled) || s.iterations != 12 {
		t.Errorf("%v, %v after %d iterations", status, err, s.iterations)
	}
	var at []int
	for _, step := range s.steps {
		at = append(at, step.Steps)
	}
	if want := []int{0, 5, 10, 12}; !reflect.DeepEqual(at, want) {
		t.Errorf("steps at %v, want %v", at, want)
	}
	s = begun(t, p, Options{Tau: 1e-6, Options: papers.Options{Every: 7, Steps: 14}})
	status, err = s.solve(context.Background())
	if status != solvers.EpochLimit || err != nil || s.iterations != 14 || len(s.steps) != 3 {
		t.Errorf("%v, %v after %d iterations, %d steps", status, err, s.iterations, len(s.steps))
	}
	s = begun(t, p, Options{Tau: 1e-300, Options: papers.Options{Every: 1}})
	if status, err := s.solve(context.Background()); status != solvers.Stalled || err != nil {
		t.Errorf("%v, %v after %d iterations", status, err, s.iterations)
	}
}

// TestSecond: beside p the example is chosen whose pair would gain the most without bounds, (30), among those that
// can move.
func TestSecond(t *testing.T) {
	p := problemOf[float64](t, m3ltruth.Draw(rand.New(rand.NewPCG(13, 14)), 30, 4, 2, 2))
	for iterations := range 40 {
		s := begun(t, p, Options{Tau: 1e-9, Options: papers.Options{Every: 1, Steps: iterations + 1}})
		if _, err := s.solve(context.Background()); err != nil {
			t.Fatal(err)
		}
		l, _ := s.label([]int{0, 1})
		first, _ := s.first(l)
		row := s.k.Pin(first)
		best, want := 0.0, -1
		for j := range row {
			g := [2]float64{s.g.At(l, first), s.g.At(l, j)}
			a, end := s.a.At(l, j), s.end.At(l, j)
			up, down := g[1] > 0 && a < max(0, end), g[1] < 0 && a > min(0, end)
			if j == first || !up && !down {
				continue
			}
			free := [2]float64{math.Inf(-1), math.Inf(-1)}
			x := solve2DQP(1, row[j], 1, g, free, [2]float64{-free[0], -free[1]}) // a Gaussian kernel has K_jj = 1
			if v := gain(1, row[j], 1, g, x); v > best {
				best, want = v, j
			}
		}
		if q := s.second(l, first, row); q != want {
			t.Errorf("after %d iterations: %d beside %d, want %d", iterations, q, first, want)
		}
		s.k.Release(first)
	}
}

// TestParted: pairs that are equal up to a 2^30th are never solved for, and those farther apart are.
func TestParted(t *testing.T) {
	for _, c := range []struct {
		k    float64
		want int
	}{{1, -1}, {1 - 0x1p-32, -1}, {1 - 0x1p-30, 1}, {.5, 1}, {-1, -1}, {0x1p-32 - 1, -1}} {
		k, err := kernel.Precomputed(vec.MatrixOf(2, 2, []float64{4, 2 * c.k, 2 * c.k, 1}))
		if err != nil {
			t.Fatal(err)
		}
		s := begun(t, Problem[float64]{
			Kernel: k, Labels: 1, Sets: [][]int{{0}, {}}, C: 1,
		}, Options{})
		s.first(0)
		if q := s.second(0, 0, k.Pin(0)); q != c.want {
			t.Errorf("K of %v: %d, want %d", c.k, q, c.want)
		}
		k.Release(0)
	}
}

// TestAlone: an example is no partner of its own, where rounding makes K_pp in its row another number than on the
// diagonal, either.
func TestAlone(t *testing.T) {
	p := m3ltruth.Draw(rand.New(rand.NewPCG(19, 20)), 20, 999, 1, 1)
	p.Kernel = "linear"
	for alone := range p.X {
		s := begun(t, problemOf[float32](t, p), Options{})
		for i := range s.end.Row(0) {
			if i != alone {
				s.end.Row(0)[i] = 0 // no room to move
			}
		}
		if p, _ := s.first(0); p != alone {
			t.Errorf("example %d first, want %d", p, alone)
		}
		if q := s.second(0, alone, s.k.Pin(alone)); q >= 0 {
			t.Errorf("example %d beside %d", q, alone)
		}
		s.k.Release(alone)
	}
}

// TestErrors: what cannot be is an error that names it.
func TestErrors(t *testing.T) {
	p := problemOf[float64](t, m3ltruth.Read(t, filepath.Join("..", "..", "m3l", "testdata"))[1])
	var none context.Context
	for want, change := range map[string]func(ctx *context.Context, p *Problem[float64], o *Options){
		"no context": func(ctx *context.Context, _ *Problem[float64], _ *Options) { *ctx = none },
		"no Kernel":  func(_ *context.Context, p *Problem[float64], _ *Options) { p.Kernel = nil },
		"labels for": func(_ *context.Context, p *Problem[float64], _ *Options) { p.Sets = p.Sets[1:] },
		"label 5 of row 0, want one in 0..2": func(_ *context.Context, p *Problem[float64], _ *Options) {
			p.Sets = append([][]int{{5}}, p.Sets[1:]...)
		},
		"Labels = 0": func(_ *context.Context, p *Problem[float64], _ *Options) { p.Labels = 0 },
		"C = -1":     func(_ *context.Context, p *Problem[float64], _ *Options) { p.C = -1 },
		"R is 1-by-1 for 3": func(_ *context.Context, p *Problem[float64], _ *Options) {
			p.R = vec.NewMatrix[float64](1, 1)
		},
		"R of labels 0 and 0 is NaN, want a finite": func(_ *context.Context, p *Problem[float64], _ *Options) {
			p.R = vec.NewMatrix[float64](3, 3)
			p.R.Data[0] = math.NaN()
		},
		"ByLabel with R of labels 0 and 1, 0.536": func(_ *context.Context, _ *Problem[float64], o *Options) {
			o.ByLabel = true
		},
		"Tau = -1, want a positive": func(_ *context.Context, _ *Problem[float64], o *Options) { o.Tau = -1 },
		"Tau = NaN":                 func(_ *context.Context, _ *Problem[float64], o *Options) { o.Tau = math.NaN() },
		"Every = -1":                func(_ *context.Context, _ *Problem[float64], o *Options) { o.Every = -1 },
		"a dual value of +Inf after": func(_ *context.Context, p *Problem[float64], _ *Options) {
			p.C, p.Margins = 1e200, func(_ int, plus, _ []float64) { plus[0] = 1e280 }
		},
	} {
		ctx, q, o := context.Background(), p, Options{}
		change(&ctx, &q, &o)
		r, err := Solve(ctx, q, o)
		if r != nil || err == nil || !strings.HasPrefix(err.Error(), "smo: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
