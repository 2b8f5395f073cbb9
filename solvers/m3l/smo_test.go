package m3l

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestSMOTruth: the paper's method ends at the known optima, and no iteration takes anything away.
func TestSMOTruth(t *testing.T) {
	for i, p := range truth(t) {
		r, steps, err := p.problem(t, false).SMO(context.Background(), Config{C: p.C}, SMOOptions{Tau: 1e-9, Every: 1})
		if err != nil || r.Status != solvers.Converged {
			t.Fatalf("problem %d: %v, %v", i, r, err)
		}
		last := steps[len(steps)-1]
		t.Logf("problem %d: %v", i, r.Outcome)
		primal, dual := p.recomputed(r.Duals)
		for name, v := range map[string]float64{
			"primal": primal, "dual": dual, "history": last.Dual,
			"certified primal": r.Certificate.Primal, "certified dual": r.Certificate.Dual,
		} {
			if math.Abs(v-p.Primal) > 1e-7*p.Primal {
				t.Errorf("problem %d: %s %.12g, want %.12g", i, name, v, p.Primal)
			}
		}
		if r.Epochs != last.Iterations || steps[0] != (Step{Dual: p.Constant, Elapsed: steps[0].Elapsed}) && p.Hamming {
			t.Errorf("problem %d: %d iterations, steps from %v to %v", i, r.Epochs, steps[0], last)
		}
		for k, step := range steps[1:] {
			if step.Dual < steps[k].Dual || step.Iterations != k+1 || step.Elapsed < steps[k].Elapsed {
				t.Fatalf("problem %d: %v after %v", i, step, steps[k])
			}
		}
	}
}

func smoOf(t testing.TB, p truthProblem) smoProblem[float64] {
	return smoProblem[float64]{
		k: p.matrix(t), r: p.prior(), labels: ascent.Labels{Sets: p.sets()}, outputs: len(p.R), margins: p.margins,
		cost: func(int, int) float64 { return p.C },
	}
}

// drawn is a problem of n examples of d features, which labels depend on, and a prior of rank classes.
func drawn(rng *rand.Rand, n, d, labels, rank int) truthProblem {
	p := truthProblem{C: .7, Gamma: .1, Kernel: "gauss", Hamming: true}
	gauss := func(rows, cols int) [][]float64 {
		a := make([][]float64, rows)
		for i := range a {
			a[i] = make([]float64, cols)
			for j := range a[i] {
				a[i][j] = rng.NormFloat64()
			}
		}
		return a
	}
	p.X, p.Y, p.Plus, p.Minus = gauss(n, d), gauss(n, labels), gauss(n, labels), gauss(n, labels)
	for i := range p.Y {
		for l := range p.Y[i] {
			p.Y[i][l] = math.Copysign(1, p.Y[i][l]+p.X[i][l%d])
			p.Plus[i][l], p.Minus[i][l] = 0, 2
		}
	}
	p.R = gauss(labels, labels)
	classes := gauss(rank, labels)
	for l := range p.R {
		for k := range p.R {
			p.R[l][k] = 0
			for _, y := range classes {
				p.R[l][k] += y[l] * y[k] / float64(rank)
			}
		}
	}
	return p
}

// smoIn is smoOf with a kernel matrix of T.
func smoIn[T vec.Float](t testing.TB, p truthProblem) smoProblem[T] {
	x := vec.NewMatrix[T](len(p.X), len(p.X[0]))
	for i, row := range p.X {
		vec.Convert(x.Row(i), row)
	}
	k, err := kernel.New[T](&dataset.Dense[T]{Matrix: x}, p.mercer(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return smoProblem[T]{
		k: k, r: p.prior(), labels: ascent.Labels{Sets: p.sets()}, outputs: len(p.R), margins: p.margins,
		cost: func(int, int) float64 { return p.C },
	}
}

// TestSMOGradients: wherever it stops, even within the iterations at one label, the gradients that it went by are those
// of its variables, and the sum of its gains is the dual value of them; of which no iteration takes anything away.
func TestSMOGradients(t *testing.T) {
	prove.Both(t, testSMOGradients[float32], testSMOGradients[float64])
}

func testSMOGradients[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, labels := range []int{1, 2, 7} {
		p := drawn(rng, 30, 4, labels, 3)
		problem := smoIn[T](t, p)
		for _, iterations := range []int{1, 2, 11, 40, 250} {
			s := newSMO(problem, SMOOptions{Tau: 1e-9, Every: 1, Iterations: iterations})
			if status, err := s.solve(context.Background()); err != nil || status != solvers.Converged && s.iterations != iterations {
				t.Errorf("%v, %v after %d iterations", status, err, s.iterations)
			}
			n := len(p.X)
			rows := vec.NewMatrix[T](n, n)
			problem.k.Rows(rows, seq(n))
			dual, most := 0.0, 0.0 // most: all terms of a gradient, each variable at its largest
			for l := range labels {
				for k := range labels {
					for j := range n {
						most = max(most, 2+8*p.C*float64(n*labels)*math.Abs(p.R[l][k])*math.Abs(float64(rows.At(0, j))))
					}
				}
			}
			// An iteration adds to a gradient, and to u, two numbers at most: an error of a few roundings of the largest
			// that any of them can be. The rest is the error of the sums of this test.
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

// TestSMOByLabel: label by label the method takes the iterations of the labels alone and has the sum of their values;
// over all labels together it comes to the same.
func TestSMOByLabel(t *testing.T) {
	p := drawn(rand.New(rand.NewPCG(7, 8)), 40, 4, 5, 3)
	scale := []float64{1, .5, 2, 1, 3}
	for _, r := range [][]float64{nil, scale} {
		all := smoOf(t, p)
		all.r = vec.Matrix[float64]{}
		if r != nil {
			all.r = vec.NewMatrix[float64](5, 5)
			for l, v := range r {
				all.r.Row(l)[l] = v
			}
		}
		o := SMOOptions{Tau: 1e-8, Every: 1}
		iterations, dual := 0, 0.0
		for l := range 5 {
			one := all
			one.outputs, one.labels.Sets, one.r = 1, make([][]int, len(p.X)), vec.Matrix[float64]{}
			for i, set := range all.labels.Sets {
				if slices.Contains(set, l) {
					one.labels.Sets[i] = []int{0}
				}
			}
			one.margins = func(_ int, plus, minus []float64) { plus[0], minus[0] = 0, 2 }
			if r != nil {
				one.r = vec.MatrixOf(1, 1, []float64{r[l]})
			}
			s := solved(t, one, o)
			iterations += s.iterations
			dual += s.steps[len(s.steps)-1].Dual
		}
		o.ByLabel = true
		s := solved(t, all, o)
		if last := s.steps[len(s.steps)-1]; s.iterations != iterations || math.Abs(last.Dual-dual) > float64(iterations+5)*0x1p-52*dual {
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

func solved[T vec.Float](t *testing.T, p smoProblem[T], o SMOOptions) *smo[T] {
	t.Helper()
	s := newSMO(p, o)
	if status, err := s.solve(context.Background()); status != solvers.Converged || err != nil {
		t.Fatalf("%v, %v after %d iterations", status, err, s.iterations)
	}
	return s
}

// TestSMOEqualExamples: examples that are there four times count as one at four times the cost, and no pair of equal
// ones is ever solved for. An example of zeros and labels that R says nothing of, or next to nothing, have all variables at C at once.
func TestSMOEqualExamples(t *testing.T) {
	p := drawn(rand.New(rand.NewPCG(9, 10)), 8, 5, 3, 2)
	p.Kernel = "linear"
	p.X[3] = make([]float64, 5)
	for l := range p.R {
		p.R[1][l], p.R[l][1] = 0, 0
	}
	p.R[2][2] = 0x1p-1060 // nearly nothing
	p.R[0][2], p.R[2][0] = 0, 0
	once := smoOf(t, p)
	once.cost = func(int, int) float64 { return 4 * p.C }
	const tau = 1e-9
	o := SMOOptions{Tau: tau, Every: 1}
	one := solved(t, once, o)
	four := p
	four.X, four.Y = slices.Repeat(p.X, 4), slices.Repeat(p.Y, 4)
	four.Plus, four.Minus = slices.Repeat(p.Plus, 4), slices.Repeat(p.Minus, 4)
	s := solved(t, smoOf(t, four), o)
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
	e := newSMO(smoOf(t, equal), o)
	row := e.k.Pin(5)
	if q := e.second(0, 5, row); q >= 0 {
		t.Errorf("example %d beside 5, which is equal", q)
	}
	e.k.Release(5)
	solved(t, smoOf(t, equal), o)
}

// ending is a context that ends when it has been asked so many times.
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

// TestSMOStops: by the context, by the number of iterations, and where float64 allows no progress; and the history has
// the steps that were asked for, the start and the end.
func TestSMOStops(t *testing.T) {
	p := smoOf(t, drawn(rand.New(rand.NewPCG(11, 12)), 30, 4, 3, 2))
	left := 4
	s := newSMO(p, SMOOptions{Tau: 1e-6, Every: 5})
	status, err := s.solve(ending{context.Background(), &left})
	if status != solvers.Canceled || !errors.Is(err, context.Canceled) || s.iterations != 12 {
		t.Errorf("%v, %v after %d iterations", status, err, s.iterations)
	}
	var at []int
	for _, step := range s.steps {
		at = append(at, step.Iterations)
	}
	if want := []int{0, 5, 10, 12}; !reflect.DeepEqual(at, want) {
		t.Errorf("steps at %v, want %v", at, want)
	}
	s = newSMO(p, SMOOptions{Tau: 1e-6, Every: 7, Iterations: 14})
	status, err = s.solve(context.Background())
	if status != solvers.EpochLimit || err != nil || s.iterations != 14 || len(s.steps) != 3 {
		t.Errorf("%v, %v after %d iterations, %d steps", status, err, s.iterations, len(s.steps))
	}
	s = newSMO(p, SMOOptions{Tau: 1e-300, Every: 1})
	if status, err := s.solve(context.Background()); status != solvers.Stalled || err != nil {
		t.Errorf("%v, %v after %d iterations", status, err, s.iterations)
	}
}

// TestSMOSecond: beside p the example is chosen whose pair would gain the most without bounds, (30), among those that
// can move.
func TestSMOSecond(t *testing.T) {
	p := smoOf(t, drawn(rand.New(rand.NewPCG(13, 14)), 30, 4, 2, 2))
	for iterations := range 40 {
		s := newSMO(p, SMOOptions{Tau: 1e-9, Every: 1, Iterations: iterations + 1})
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

// TestSMOParted: pairs that are equal up to a 2^30th are never solved for, and those farther apart are.
func TestSMOParted(t *testing.T) {
	for _, c := range []struct {
		k    float64
		want int
	}{{1, -1}, {1 - 0x1p-32, -1}, {1 - 0x1p-30, 1}, {.5, 1}, {-1, -1}, {0x1p-32 - 1, -1}} {
		k, err := kernel.Precomputed(vec.MatrixOf(2, 2, []float64{4, 2 * c.k, 2 * c.k, 1}))
		if err != nil {
			t.Fatal(err)
		}
		s := newSMO(smoProblem[float64]{
			k: k, outputs: 1, labels: ascent.Labels{Sets: [][]int{{0}, {}}}, cost: func(int, int) float64 { return 1 },
			margins: func(_ int, plus, minus []float64) { plus[0], minus[0] = 0, 2 },
		}, SMOOptions{})
		if q := s.second(0, 0, k.Pin(0)); q != c.want {
			t.Errorf("K of %v: %d, want %d", c.k, q, c.want)
		}
		k.Release(0)
	}
}

// TestSMOAlone: an example is no partner of its own, where rounding makes K_pp in its row another number than on the
// diagonal, either.
func TestSMOAlone(t *testing.T) {
	p := drawn(rand.New(rand.NewPCG(19, 20)), 20, 999, 1, 1)
	p.Kernel = "linear"
	for alone := range p.X {
		problem := smoIn[float32](t, p)
		problem.cost = func(i, _ int) float64 {
			if i == alone {
				return 1
			}
			return 0
		}
		s := newSMO(problem, SMOOptions{})
		if q := s.second(0, alone, s.k.Pin(alone)); q >= 0 {
			t.Errorf("example %d beside %d", q, alone)
		}
		s.k.Release(alone)
	}
}
