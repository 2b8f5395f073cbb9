package m3l

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// on is x as features of each storage, and as its linear kernel.
func on(t testing.TB, rng *rand.Rand, x *dataset.Dense[float64]) map[string]Problem[float64] {
	thinned, sparse := thin(t, rng, x, 3)
	return map[string]Problem[float64]{
		"dense": {X: x}, "sparse": {X: sparse},
		"kernel": {Kernel: kernelOf[float64](t, thinned, kernel.Gaussian{Gamma: .1})},
	}
}

// agree fails the test unless the optima of two trainings can be the same one: each primal value is above each dual.
func agree(t *testing.T, what string, a, b solvers.Certificate) {
	t.Helper()
	if a.Primal < b.Dual || b.Primal < a.Dual {
		t.Errorf("%s: %v and %v", what, a, b)
	}
}

// TestIdentity: R = I, given as a matrix, is no R.
func TestIdentity(t *testing.T) {
	const n, d, m = 80, 7, 18
	rng := rand.New(rand.NewPCG(21, 22))
	x, sets := documents[float64](rng, n, d, m)
	for name, p := range on(t, rng, x) {
		for _, loss := range []Loss{Hamming, Hinge, SquaredHinge, Logistic} {
			p.Sets = sets
			c := Config{C: .2, Loss: loss, Tol: 1e-9, Epochs: 100000, Workers: 2}
			without := solve(t, p, c)
			p.R = identity(m)
			with := solve(t, p, c)
			agree(t, name, without.Certificate, with.Certificate)
			p.Start, p.R = with, vec.Matrix[float64]{} // it is the solution, whatever problem it was found in
			again := solve(t, p, c)
			if again.Visits > 0 {
				t.Errorf("%s, %v: %s from the solution with R = I", name, loss, told(again))
			}
			p.Start = nil
		}
	}
}

// TestHammingIsHinge: Hamming at the cost C is the hinge at 2 C, step by step.
func TestHammingIsHinge(t *testing.T) {
	const n, d, m = 80, 7, 18
	rng := rand.New(rand.NewPCG(23, 24))
	x, sets := documents[float64](rng, n, d, m)
	for name, p := range on(t, rng, x) {
		p.Sets = sets
		for _, p.R = range []vec.Matrix[float64]{{}, lowRank(rng, m, 5)} {
			c := Config{C: .2, Tol: 1e-5, Epochs: 100000, Workers: 2}
			a := solve(t, p, c)
			c.C, c.Loss = .4, Hinge
			b := solve(t, p, c)
			if a.Certificate != b.Certificate || !slices.Equal(a.Duals.Data, b.Duals.Data) {
				t.Errorf("%s: Hamming at .2 %v, the hinge at .4 %v", name, a.Outcome, b.Outcome)
			}
			p.Margins = func(_ int, plus, minus []float64) {
				for l := range plus {
					plus[l], minus[l] = 0, 2
				}
			}
			c.C, c.Loss = .2, Hamming
			b = solve(t, p, c)
			agree(t, name+", by Margins", a.Certificate, b.Certificate)
			p.Margins = nil
		}
	}
}

// TestEachLabelAlone: without R each label has the scores of the problem with this label only, and the sum of their
// optima is the optimum.
func TestEachLabelAlone(t *testing.T) {
	const n, d, m = 60, 7, 18
	rng := rand.New(rand.NewPCG(25, 26))
	x, sets := documents[float64](rng, n, d, m)
	costs, weights := make([]float64, m), make([]float64, n)
	for l := range costs {
		costs[l] = float64(1+l%3) / 2
	}
	for i := range weights {
		weights[i] = float64(1+i%2) / 2
	}
	for name, p := range on(t, rng, x) {
		for _, loss := range []Loss{Hamming, Hinge, SquaredHinge, Logistic} {
			p.Sets, p.Weights = sets, weights
			c := Config{C: .2, Loss: loss, Tol: 1e-10, Epochs: 100000, Costs: costs}
			all := solve(t, p, c)
			var sum solvers.Certificate
			for l := range m {
				binary := p
				binary.Sets = make([][]int, n)
				for i, set := range sets {
					if binary.Sets[i] = []int{}; slices.Contains(set, l) {
						binary.Sets[i] = []int{0}
					}
				}
				c := c
				c.Labels, c.Costs = 1, costs[l:l+1]
				one := solve(t, binary, c)
				sum.Primal, sum.Dual = sum.Primal+one.Certificate.Primal, sum.Dual+one.Certificate.Dual
				if p.Kernel != nil {
					continue
				}
				// The objective is strongly convex: weights are within sqrt(2 gap) of the optimum's, in both.
				off := 0.0
				for j := range d {
					v := all.Linear.Weights().Row(j)[l] - one.Linear.Weights().Row(j)[0]
					off += v * v
				}
				if bound := math.Sqrt(2*all.Certificate.Gap()) + math.Sqrt(2*one.Certificate.Gap()); math.Sqrt(
					off) > bound {
					t.Errorf("%s, %v: weights of label %d are %g from its weights alone, with gaps for %g", name, loss,
						l, math.Sqrt(off), bound)
				}
			}
			agree(t, name, all.Certificate, sum)
			if math.Abs(all.Certificate.Primal-sum.Primal) > 1e-9*sum.Primal {
				t.Errorf("%s, %v: %v, label by label %v", name, loss, all.Certificate, sum)
			}
		}
	}
}

// TestSquaredHingeIsThatOfTopK: with C = 1/(lambda n) both are one problem, times lambda.
func TestSquaredHingeIsThatOfTopK(t *testing.T) {
	const n, d, m = 60, 7, 18
	rng := rand.New(rand.NewPCG(27, 28))
	x, sets := documents[float64](rng, n, d, m)
	for name, p := range on(t, rng, x) {
		p.Sets = sets
		const lambda = .125
		a := solve(t, p, Config{C: 1 / (lambda * n), Loss: SquaredHinge, Tol: 1e-10, Epochs: 100000, Workers: 1})
		b, err := topk.Problem[float64]{X: p.X, Kernel: p.Kernel, Sets: sets}.Fit(context.Background(),
			topk.Config{Lambda: lambda, Loss: topk.SquaredHinge, Tol: 1e-10, Epochs: 100000, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Duals.Data, b.Duals.Data) || a.Epochs != b.Epochs {
			t.Errorf("%s: %v, topk %v, and other dual variables", name, a.Outcome, b.Outcome)
		}
		if v := lambda * a.Certificate.Primal; math.Abs(v-b.Certificate.Primal) > 1e-14*v {
			t.Errorf("%s: %v, topk %v", name, a.Certificate, b.Certificate)
		}
	}
}

// TestOneVsAll: classes are sets of one label, and the default loss is the hinge.
func TestOneVsAll(t *testing.T) {
	const n, d, m = 60, 5, 4
	rng := rand.New(rand.NewPCG(29, 30))
	x, _ := documents[float64](rng, n, d, m)
	y := make([]int, n)
	for i := range y {
		y[i] = i % m
	}
	for _, loss := range []Loss{Hamming, Hinge, SquaredHinge, Logistic} {
		c := Config{C: .3, Loss: loss, Tol: 1e-8, Epochs: 100000}
		a, err := OneVsAll(context.Background(), design.Matrix[float64](x), y, c)
		if err != nil {
			t.Fatal(err)
		}
		if c.Loss == Hamming {
			c.Loss = Hinge
		}
		honest(t, Problem[float64]{X: x, Y: y}, c, a)
		b, err := Fit(context.Background(), design.Matrix[float64](x), singles(y), c)
		if err != nil || a.Certificate != b.Certificate || !slices.Equal(a.Duals.Data, b.Duals.Data) {
			t.Errorf("%v: %s for classes, %s for sets of one, %v", loss, told(a), told(b), err)
		}
		classes, err := solvers.Predict(a, design.Matrix[float64](x), 1)
		if err != nil {
			t.Fatal(err)
		}
		scores := vec.NewMatrix[float64](n, m)
		if err := a.Scores(scores, x, nil); err != nil {
			t.Fatal(err)
		}
		for i, class := range classes {
			if class != vec.ArgMax(scores.Row(i)) {
				t.Errorf("row %d: class %d, scores %v", i, class, scores.Row(i))
			}
		}
	}
}
