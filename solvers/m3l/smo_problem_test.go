package m3l

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/m3ltruth"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestSMOTruth: the paper's method ends at the known optima, which its certificate tells.
func TestSMOTruth(t *testing.T) {
	for i, p := range m3ltruth.Read(t, "testdata") {
		r, steps, err := problemOf(t, p, false).SMO(context.Background(), Config{C: p.C},
			SMOOptions{Tau: 1e-9, Every: 1})
		if err != nil || r.Status != solvers.Converged {
			t.Fatalf("problem %d: %v, %v", i, r, err)
		}
		last := steps[len(steps)-1]
		t.Logf("problem %d: %v", i, r.Outcome)
		primal, dual := p.Values(r.Duals)
		for name, v := range map[string]float64{
			"primal": primal, "dual": dual, "history": last.Dual,
			"certified primal": r.Certificate.Primal, "certified dual": r.Certificate.Dual,
		} {
			if math.Abs(v-p.Primal) > 1e-7*p.Primal {
				t.Errorf("problem %d: %s %.12g, want %.12g", i, name, v, p.Primal)
			}
		}
		if r.Epochs != last.Iterations || len(steps) != r.Epochs+1 ||
			steps[0] != (Step{Dual: p.Constant, Elapsed: steps[0].Elapsed}) && p.Hamming {
			t.Errorf("problem %d: %d iterations, steps from %v to %v", i, r.Epochs, steps[0], last)
		}
	}
}

// TestSMOAgreesWithFit: on every kind of problem that both solve, and within what both certify.
func TestSMOAgreesWithFit(t *testing.T) {
	prove.Both(t, testSMOAgrees[float32], testSMOAgrees[float64])
}

func testSMOAgrees[T vec.Float](t *testing.T) {
	p := m3ltruth.Draw(rand.New(rand.NewPCG(15, 16)), 60, 5, 4, 2)
	x, sets := m3ltruth.Matrix[T](p.X), p.Sets()
	y := make([]int, 60)
	weights := make([]float64, 60)
	for i := range y {
		y[i], weights[i] = i%4, float64(i%3)
	}
	k, err := kernel.New[T](&dataset.Dense[T]{Matrix: x}, p.Mercer(), 1<<16)
	if err != nil {
		t.Fatal(err)
	}
	margins := func(i int, plus, minus []float64) {
		for l := range plus {
			plus[l], minus[l] = float64(i%2)/4, 1+float64(l)
		}
	}
	prior, costs := p.Prior(), []float64{1, .5, 3, 2}
	for name, c := range map[string]struct {
		problem Problem[T]
		config  Config
		byLabel bool
	}{
		"sets":     {Problem[T]{Sets: sets, R: prior}, Config{C: .3}, false},
		"classes":  {Problem[T]{Y: y, R: prior}, Config{C: .3}, false},
		"no prior": {Problem[T]{Sets: sets}, Config{C: .3}, false},
		"by label": {Problem[T]{Sets: sets}, Config{C: .3}, true},
		"hinge":    {Problem[T]{Sets: sets, R: prior}, Config{C: .3, Loss: Hinge}, false},
		"margins":  {Problem[T]{Sets: sets, R: prior, Margins: margins}, Config{C: .3}, false},
		"costs":    {Problem[T]{Sets: sets, R: prior, Weights: weights}, Config{C: .3, Costs: costs}, false},
		"labels":   {Problem[T]{Sets: make([][]int, 60)}, Config{C: .3, Labels: 3}, false},
	} {
		c.problem.Kernel, c.config.Tol = k, 1e-5
		want, err := c.problem.Fit(context.Background(), c.config)
		if err != nil {
			t.Fatal(name, ": ", err)
		}
		got, steps, err := c.problem.SMO(context.Background(), c.config, SMOOptions{Tau: 1e-5, ByLabel: c.byLabel})
		if err != nil {
			t.Fatal(name, ": ", err)
		}
		a, b := got.Certificate, want.Certificate
		if got.Status != solvers.Converged || a.RelativeGap() > 1e-4 || a.Dual > b.Primal || b.Dual > a.Primal {
			t.Errorf("%s: %v, want %v", name, got.Outcome, b)
		}
		// The sum of the gains is the dual value of A: gradients have an error of a few roundings a term and iteration.
		// (In float32 the certificate has another K.)
		last, terms := steps[len(steps)-1], 0.0
		for i := range got.Duals.Rows {
			for l, v := range got.Duals.Row(i) {
				terms += (float64(l) + 2) * math.Abs(float64(v))
				for j := range got.Duals.Rows {
					for m, w := range got.Duals.Row(j) {
						if r := c.problem.R; r.Rows > 0 {
							terms += math.Abs(r.At(l, m) * float64(v) * float64(w))
						} else if l == m {
							terms += math.Abs(float64(v) * float64(w))
						}
					}
				}
			}
		}
		if !prove.IsF32[T]() && math.Abs(last.Dual-a.Dual) > float64(last.Iterations+4*60*60)*0x1p-52*terms {
			t.Errorf("%s: %v at the last step, %v certified", name, last.Dual, a.Dual)
		}
		// The primal grows by half the square of the distance from its optimum, in the norm that R^-1 gives, in which
		// an example with K_ii = 1 moves the score of label l by sqrt(R_ll) of it at most.
		_, outputs := got.Dims()
		scores, others := vec.NewMatrix[T](60, outputs), vec.NewMatrix[T](60, outputs)
		for m, s := range map[*Result[T]]vec.Matrix[T]{got: scores, want: others} {
			if err := m.Scores(s, &dataset.Dense[T]{Matrix: x}, nil); err != nil {
				t.Fatal(name, ": ", err)
			}
		}
		apart := math.Sqrt(2*(a.Primal-b.Dual)) + math.Sqrt(2*max(0, b.Primal-b.Dual))
		for i := range 60 {
			for l, v := range scores.Row(i) {
				r := 1.0
				if c.problem.R.Rows > 0 {
					r = c.problem.R.At(l, l)
				}
				if u := others.Row(i)[l]; math.Abs(float64(v)-float64(u)) > math.Sqrt(r)*apart {
					t.Errorf("%s: score %v of example %d, label %d, want %v", name, v, i, l, u)
				}
			}
		}
	}
}

// TestSMOMany: with more examples than the engine trains at a time at first, the certificate is of all.
func TestSMOMany(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: a kernel matrix of 4200 examples")
	}
	p := m3ltruth.Draw(rand.New(rand.NewPCG(17, 18)), 4200, 3, 2, 2)
	q := Problem[float64]{Kernel: kernelOf(t, featuresOf(p), p.Mercer()), Sets: p.Sets(), R: p.Prior()}
	c := Config{C: 1e-3, Workers: 1}
	got, _, err := q.SMO(context.Background(), c, SMOOptions{})
	if err != nil || got.Status != solvers.Converged {
		t.Fatalf("%v, %v", got, err)
	}
	want, err := q.Fit(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := got.Certificate, want.Certificate; a.RelativeGap() > 1e-2 || a.Dual > b.Primal || b.Dual > a.Primal {
		t.Errorf("%v, want %v", got.Outcome, b)
	}
}

func TestSMOErrors(t *testing.T) {
	p := m3ltruth.Read(t, "testdata")[1]
	good := problemOf(t, p, false)
	with := func(change func(*Problem[float64])) Problem[float64] {
		q := good
		change(&q)
		return q
	}
	prior := func(r [][]float64) Problem[float64] {
		return with(func(q *Problem[float64]) { q.R = matrixOf(r) })
	}
	started := with(func(q *Problem[float64]) { q.Start = &Result[float64]{} })
	outside := with(func(q *Problem[float64]) { q.Sets = append([][]int{{5}}, q.Sets[1:]...) })
	ctx, nan := context.Background(), math.NaN()
	var none context.Context
	for _, c := range []struct {
		want    string
		ctx     context.Context
		problem Problem[float64]
		config  Config
		options SMOOptions
	}{
		{"no context", none, good, Config{}, SMOOptions{}},
		{"SMO without Kernel", ctx, problemOf(t, p, true), Config{}, SMOOptions{}},
		{"SMO with Loss = squared hinge", ctx, good, Config{Loss: SquaredHinge}, SMOOptions{}},
		{"Loss = 7", ctx, good, Config{Loss: 7}, SMOOptions{}},
		{"SMO with Start", ctx, started, Config{}, SMOOptions{}},
		{"SMO with Start, Progress", ctx, good, Config{Progress: func(solvers.Progress) {}}, SMOOptions{}},
		{"Tau = -1, need a positive number", ctx, good, Config{}, SMOOptions{Tau: -1}},
		{"Tau = NaN", ctx, good, Config{}, SMOOptions{Tau: nan}},
		{"Tau = +Inf", ctx, good, Config{}, SMOOptions{Tau: math.Inf(1)}},
		{"Iterations = -3", ctx, good, Config{}, SMOOptions{Iterations: -3}},
		{"Every = -1", ctx, good, Config{}, SMOOptions{Every: -1}},
		{"ByLabel with R of labels 0 and 1, 0.536", ctx, good, Config{}, SMOOptions{ByLabel: true}},
		{"R is 2-by-2 for 3 labels", ctx, prior([][]float64{{1, 0}, {0, 1}}), Config{Labels: 3}, SMOOptions{}},
		{"not positive semidefinite", ctx, prior([][]float64{{1, 0, .9}, {0, 1, .9}, {.9, .9, 1}}), Config{},
			SMOOptions{}},
		{"label 5 of row 0", ctx, outside, Config{}, SMOOptions{}},
		{"C = -1", ctx, good, Config{C: -1}, SMOOptions{}},
	} {
		r, steps, err := c.problem.SMO(c.ctx, c.config, c.options)
		if r != nil || steps != nil {
			t.Errorf("%s: a result", c.want)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "m3l: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestSMOHuge: numbers whose products are beyond float64 end the method with what it has, or in an error.
func TestSMOHuge(t *testing.T) {
	k, err := kernel.Precomputed(vec.MatrixOf(2, 2, []float64{1e200, 5e199, 5e199, 1e200}))
	if err != nil {
		t.Fatal(err)
	}
	q := Problem[float64]{Kernel: k, Sets: [][]int{{0}, {1}}, R: matrixOf([][]float64{{1e200, 0}, {0, 1}})}
	r, _, err := q.SMO(context.Background(), Config{C: 1e200}, SMOOptions{Iterations: 1000})
	if err != nil || r.Status != solvers.Stalled || math.IsNaN(r.Certificate.Gap()) {
		t.Errorf("%v, %v", r, err)
	}
	q.R, q.Margins = vec.Matrix[float64]{},
		func(_ int, plus, minus []float64) { clear(plus); minus[0], minus[1] = 1e280, 1e280 }
	r, _, err = q.SMO(context.Background(), Config{C: 1e200}, SMOOptions{Iterations: 1000})
	if r != nil || err == nil || !strings.Contains(err.Error(), "a dual value of +Inf after") {
		t.Errorf("%v, %v", r, err)
	}
}

// TestSMOCanceled: the model so far, with its certificate.
func TestSMOCanceled(t *testing.T) {
	p := m3ltruth.Read(t, "testdata")[2]
	r, steps, err := problemOf(t, p, false).SMO(statetest.Soon(30), Config{C: p.C}, SMOOptions{Every: 1})
	if r == nil || !errors.Is(err, context.Canceled) || r.Status != solvers.Canceled || r.Epochs != 150 ||
		len(steps) != 151 {
		t.Fatalf("%v, %v, %d steps", r, err, len(steps))
	}
	primal, dual := p.Values(r.Duals)
	if c := r.Certificate; math.Abs(primal-c.Primal) > 1e-12*primal || math.Abs(dual-c.Dual) > 1e-12*primal {
		t.Errorf("%v, from scratch %v and %v", c, primal, dual)
	}
	if d := steps[150].Dual; r.Certificate.Dual < d-1e-12*primal {
		t.Errorf("certified %v, below %v", r.Certificate.Dual, d)
	}
}
