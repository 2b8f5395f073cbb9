package m3l

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/m3ltruth"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestFactorAsFormed: with P the optimum is that with R = PᵀP + Ridge I, and so are the scores.
func TestFactorAsFormed(t *testing.T) {
	const n, d, m = 40, 7, 8
	rng := rand.New(rand.NewPCG(101, 102))
	x, sets := documents[float64](rng, n, d, m)
	_, sparse := thin(t, rng, x, 2)
	// In one order, so that the problems are the same ones each time: with a low rank some take a million passes.
	for _, s := range []struct {
		storage string
		p       Problem[float64]
	}{
		{"dense", Problem[float64]{X: x}},
		{"sparse", Problem[float64]{X: sparse}},
		{"linear", Problem[float64]{Kernel: kernelOf[float64](t, x, kernel.Linear{})}},
		{"gaussian", Problem[float64]{Kernel: kernelOf[float64](t, sparse, kernel.Gaussian{Gamma: .1})}},
	} {
		for _, r := range []struct {
			rank  int
			ridge float64
		}{{1, 0}, {2, .5}, {5, 0}, {m + 3, .125}} {
			for _, loss := range []Loss{Hamming, SquaredHinge, Logistic} {
				p := s.p
				p.Sets, p.P, p.Ridge = sets, factor(rng, m, r.rank), r.ridge
				q := p
				q.R, q.P, q.Ridge = formed(p.P, r.ridge), vec.Matrix[float64]{}, 0
				c := Config{C: .1, Loss: loss, Tol: 1e-10, Epochs: 1 << 20, Workers: 1}
				sameOptimum(t, fmt.Sprintf("%s, rank %d, ridge %v, %v", s.storage, r.rank, r.ridge, loss), p, q, c)
			}
		}
	}
}

// sameOptimum trains p, with P, and q, with the same R formed. An objective within gap of the optimum has V within
// sqrt(2 gap) of its own, and the score of label l is <V p_l, phi(x)>.
func sameOptimum(t *testing.T, name string, p, q Problem[float64], c Config) {
	t.Helper()
	got, want := solve(t, p, c), solve(t, q, c)
	if a, b := got.Certificate, want.Certificate; math.Abs(a.Primal-b.Primal) > 1e-9*b.Primal ||
		math.Abs(a.Dual-b.Dual) > 1e-9*b.Primal {
		t.Errorf("%s: %v, with R %v", name, a, b)
	}
	near := math.Sqrt(2*max(0, got.Certificate.Gap())) + math.Sqrt(2*max(0, want.Certificate.Gap()))
	near += 1e-12 * math.Sqrt(2*want.Certificate.Primal) // rounding, where |V|² is at most twice the objective
	gram, x := loopsOf(p, c, 0, 0).gram(), p.X
	if p.Kernel != nil {
		x = p.Kernel.Features()
	}
	n, m := len(gram), q.R.Rows
	a, b := vec.NewMatrix[float64](n, m), vec.NewMatrix[float64](n, m)
	if err := errors.Join(got.Scores(a, x, nil), want.Scores(b, x, nil)); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		for l := range m {
			if off := math.Abs(a.At(i, l) - b.At(i, l)); off > near*math.Sqrt(gram[i][i]*q.R.At(l, l)) {
				t.Fatalf("%s: score %v of row %d and label %d, with R %v", name, a.At(i, l), i, l, b.At(i, l))
			}
		}
	}
}

// TestFactorTruth: the known optima, R being given by its Cholesky factor.
func TestFactorTruth(t *testing.T) {
	for i, p := range m3ltruth.Read(t, "testdata") {
		for name, q := range problemsOf(t, p) {
			q.P, q.R = cholesky(q.R), vec.Matrix[float64]{}
			r := solve(t, q, Config{C: p.C, Tol: 1e-7, Epochs: 100000})
			want := p.Dual + p.Constant
			if r.Certificate.Primal < want*(1-1e-9) || r.Certificate.Primal > want*(1+1.1e-7) ||
				r.Certificate.Dual > want*(1+1e-9) || r.Certificate.Dual < want*(1-1.1e-7) {
				t.Errorf("problem %d, %s: %v, want %v", i, name, r.Outcome, want)
			}
			primal, dual := p.Values(r.Duals)
			if math.Abs(primal-r.Certificate.Primal) > 1e-12*want || math.Abs(dual-r.Certificate.Dual) > 1e-12*want {
				t.Errorf("problem %d, %s: certificate %v, from scratch %v and %v", i, name, r.Certificate, primal, dual)
			}
		}
	}
}

// cholesky returns a P with PᵀP = r, which has an inverse.
func cholesky(r vec.Matrix[float64]) vec.Matrix[float64] {
	p := vec.NewMatrix[float64](r.Rows, r.Cols)
	for k := range r.Rows {
		for l := k; l < r.Cols; l++ {
			v := r.At(k, l)
			for j := range k {
				v -= p.At(j, k) * p.At(j, l)
			}
			if l == k {
				p.Row(k)[k] = math.Sqrt(v)
			} else {
				p.Row(k)[l] = v / p.At(k, k)
			}
		}
	}
	return p
}

// TestFactorWorkers: on features several workers take turns where a visit costs enough, with the same bits each time;
// on a kernel any number of them has the same bits.
func TestFactorWorkers(t *testing.T) {
	const n, d, m, rank = 1100, 12, 600, 21
	rng := rand.New(rand.NewPCG(103, 104))
	x, sets := documents[float32](rng, n, d, m)
	few, fewSets := documents[float32](rng, 100, d, 20)
	for name, p := range map[string]Problem[float32]{
		"features":     {X: x, Sets: sets, P: factor(rng, m, rank)},
		"with a ridge": {X: x, Sets: sets, P: factor(rng, m, 12), Ridge: .5},
		"kernel": {Kernel: kernelOf[float32](t, few, kernel.Gaussian{Gamma: .05}), Sets: fewSets,
			P: factor(rng, 20, 3)},
		"kernel and ridge": {Kernel: kernelOf[float32](t, few, kernel.Gaussian{Gamma: .05}), Sets: fewSets,
			P: factor(rng, 20, 3), Ridge: 1},
	} {
		if testing.Short() && name == "with a ridge" {
			continue // a factor of as many rows as labels
		}
		fit := func(workers int) *Result[float32] {
			r, err := p.Fit(context.Background(), Config{C: .01 / rank, Tol: .2, Workers: workers, Seed: 7})
			if err != nil || r.Status != solvers.Converged {
				t.Fatalf("%s, %d workers: %s, %v", name, workers, told(r), err)
			}
			return r
		}
		one, two, again := fit(1), fit(2), fit(2)
		if agree(t, name, one.Certificate, two.Certificate); !slices.Equal(two.Duals.Data, again.Duals.Data) ||
			two.Certificate != again.Certificate {
			t.Errorf("%s: two runs of 2 workers differ", name)
		}
		if same := slices.Equal(one.Duals.Data, two.Duals.Data); same != (p.Kernel != nil) {
			t.Errorf("%s: the same bits by one worker and by two: %t", name, same)
		}
	}
}

// TestFactorStates: a state is refused where P or Ridge is another one, or formed.
func TestFactorStates(t *testing.T) {
	for _, r := range states[float64]().Trainings {
		if p := r.Make(t); p.R.Rows == 0 || p.Prior.Rows > 0 { // which P has not
			continue
		}
		plain := r.Make
		r.Config.Epochs = 1 << 20
		with := func(change func(p *Problem[float64])) func(t testing.TB) Problem[float64] {
			return func(t testing.TB) Problem[float64] {
				p := plain(t)
				p.R, p.P, p.Ridge = vec.Matrix[float64]{}, vec.MatrixOf(2, 3, []float64{1, .5, -1, 0, 1, 2}), .25
				change(&p)
				return p
			}
		}
		r.Make = with(func(p *Problem[float64]) {})
		state := states[float64]().Stopped(t, r, nil, statetest.Soon(4))
		got, err := r.Make(t).Resume(context.Background(), bytes.NewReader(state), r.Config)
		if err != nil || got.Status != solvers.Converged {
			t.Fatal(r.Name, told(got), err)
		}
		honest(t, r.Make(t), r.Config, got)
		for _, change := range []func(p *Problem[float64]){
			func(p *Problem[float64]) { p.P.Row(1)[0] = 1e-9 },
			func(p *Problem[float64]) { p.Ridge += 1e-9 },
			func(p *Problem[float64]) { p.Ridge = 0 },
			func(p *Problem[float64]) { p.P = vec.NewMatrix[float64](3, 3); p.P.Row(0)[0] = 1 },
			func(p *Problem[float64]) { *p = plain(t) },
			func(p *Problem[float64]) { p.R, p.P, p.Ridge = formed(p.P, p.Ridge), vec.Matrix[float64]{}, 0 },
		} {
			got, err := with(change)(t).Resume(context.Background(), bytes.NewReader(state), r.Config)
			if contains(t, err, "m3l: a state of another training: of other data"); got != nil {
				t.Error(r.Name, told(got))
			}
		}
	}
}

// TestFactorErrors: what makes no R of a factor is an error that names its numbers, and so is the paper's own method,
// which has R itself.
func TestFactorErrors(t *testing.T) {
	x, sets := documents[float64](rand.New(rand.NewPCG(111, 112)), 6, 3, 3)
	sets[0] = []int{2}
	nan, inf := math.NaN(), math.Inf(1)
	p := func(numbers ...float64) vec.Matrix[float64] { return vec.MatrixOf(len(numbers)/3, 3, numbers) }
	for want, q := range map[string]prior{
		"m3l: Ridge = 0.5 without P":                             {ridge: .5},
		"m3l: Ridge = 2 without P: it is added to PᵀP, not to R": {ridge: 2, r: identity(3)},
		"m3l: R, 3-by-3, and P, 1-by-3, want one of them":        {r: identity(3), p: p(1, 2, 3)},
		"m3l: P is 1-by-4 for 3 labels":                          {p: vec.NewMatrix[float64](1, 4)},
		"m3l: P is 0-by-3 for 3 labels, want a row":              {p: vec.Matrix[float64]{Cols: 3}},
		"m3l: P is 2-by-0 for 3 labels":                          {p: vec.Matrix[float64]{Rows: 2}},
		"m3l: P: ": {p: vec.Matrix[float64]{Rows: 2, Cols: 3,
			Stride: 3, Data: make([]float64, 5)}},
		"m3l: Ridge = -1, want a finite number":                         {p: p(1, 2, 3), ridge: -1},
		"m3l: Ridge = NaN":                                              {p: p(1, 2, 3), ridge: nan},
		"m3l: Ridge = +Inf":                                             {p: p(1, 2, 3), ridge: inf},
		"m3l: P of row 1 and label 2 is NaN":                            {p: p(1, 2, 3, 4, 5, nan)},
		"m3l: P of row 0 and label 1 is -Inf":                           {p: p(1, -inf, 3, 4, 5, 6)},
		"m3l: PᵀP + Ridge of labels 1 and 1 is 1.0715086071862673e+301": {p: p(1, 0x1p500, 3)},
		"m3l: PᵀP + Ridge of labels 2 and 2 is +Inf, beyond":            {p: p(1, 1, 1e300)},
		"m3l: PᵀP + Ridge of labels 0 and 0 is 1e+300, beyond":          {p: p(0, 0, 0), ridge: 1e300},
	} {
		problem := Problem[float64]{X: x, Sets: sets, R: q.r, P: q.p, Ridge: q.ridge}
		r, err := problem.Fit(context.Background(), Config{Labels: 3})
		if contains(t, err, want); r != nil {
			t.Errorf("%s: %s", want, told(r))
		}
		_, err = problem.Path(context.Background(), Config{Labels: 3}, PathConfig{})
		contains(t, err, want)
	}
	narrow, sets32 := documents[float32](rand.New(rand.NewPCG(111, 112)), 6, 3, 3)
	_, err := Problem[float32]{X: narrow, Sets: sets32, P: p(1, 2, 1e16)}.Fit(context.Background(), Config{Labels: 3})
	contains(t, err, "m3l: PᵀP + Ridge of labels 2 and 2 is 1e+32, beyond float32: want at most 1e+30")
}

// TestPriorFactor: PᵀP + ridge I of the factor is Prior's R, up to the rounding of products of square roots.
func TestPriorFactor(t *testing.T) {
	rng := rand.New(rand.NewPCG(113, 114))
	for _, ridge := range []float64{0, .01, 2} {
		const classes, m = 5, 9
		attributes := factor(rng, m, classes)
		for _, p := range [][]float64{nil, {1, 2, 0, 3, .5}} {
			want := mustPrior(t, attributes, p, ridge)
			f, diagonal, err := PriorFactor(attributes, p, ridge)
			if err != nil || f.Rows != classes || f.Cols != m {
				t.Fatal(f, err)
			}
			got := formed(f, diagonal)
			for l := range m {
				for k := range m {
					// Each of the terms is rounded a few times, in its root, its products and its sum.
					if off := math.Abs(got.At(l, k) - want.At(l, k)); off > 0x1p-53*(4*classes+m)*math.Sqrt(
						want.At(l, l)*want.At(k, k)) {
						t.Errorf("R of labels %d and %d: %v by the factor, want %v", l, k, got.At(l, k), want.At(l, k))
					}
				}
			}
		}
	}
	for want, c := range map[string]struct {
		attributes vec.Matrix[float64]
		p          []float64
		ridge      float64
	}{
		"m3l: attributes of 0 classes":          {},
		"m3l: 3 probabilities for 2 classes":    {attributes: identity(2), p: []float64{1, 2, 3}},
		"m3l: a ridge of -1":                    {attributes: identity(2), ridge: -1},
		"m3l: R has a diagonal of the sum +Inf": {attributes: matrixOf([][]float64{{1, 1e200}})},
		"m3l: R has a diagonal of the sum 16, and a ridge of +Inf": {attributes: matrixOf([][]float64{{4, 0}}),
			ridge: math.MaxFloat64},
	} {
		if _, _, err := PriorFactor(c.attributes, c.p, c.ridge); err == nil {
			t.Errorf("no error, want %q", want)
		} else {
			contains(t, err, want)
		}
	}
	if f, _, err := PriorFactor(vec.NewMatrix[float64](1, 20000), nil, 0); err != nil || f.Cols != 20000 {
		t.Errorf("a factor of %d labels, %v", f.Cols, err)
	}
}
