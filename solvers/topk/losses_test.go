package topk

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/vec"
)

// single are the losses for one true class.
var single = []Config{{Loss: TopKHinge}, {Loss: TopKUsunier}, {Loss: TopKHinge, Smoothing: .5},
	{Loss: TopKUsunier, Smoothing: .5}, {Loss: TopKEntropy}}

// Every loss and K converges to a gap of 1e-8 in float64 and of 1e-4 in float32, and certificates are what they say.
func TestLosses(t *testing.T) {
	x64, y := blobs[float64](rand.New(rand.NewPCG(31, 32)), 80, 12, 6)
	x32, _ := blobs[float32](rand.New(rand.NewPCG(31, 32)), 80, 12, 6)
	for _, c := range single {
		for _, c.K = range []int{1, 3, 5} {
			if testing.Short() && c.K != 3 {
				continue
			}
			c.Lambda, c.Epochs = .01, 1<<20
			t.Run(fmt.Sprintf("%v/smoothing%v/k%d", c.Loss, c.Smoothing, c.K), func(t *testing.T) {
				converge(t, x64, y, c, 1e-8)
				converge(t, x32, y, c, 1e-4)
			})
		}
	}
}

// ofSets are the losses for sets of true classes, and what they are for one true class each; 0: of Fit with K = 1
// nothing.
var ofSets = []struct{ sets, one Loss }{{MultilabelHinge, TopKHinge}, {MultilabelSoftmax, TopKEntropy},
	{SquaredHinge, 0}}

func TestSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	x64, y := blobs[float64](rand.New(rand.NewPCG(35, 36)), 80, 12, 6)
	x32, _ := blobs[float32](rand.New(rand.NewPCG(35, 36)), 80, 12, 6)
	sets := labelSets(rng, y, 6)
	for _, l := range ofSets {
		t.Run(l.sets.String(), func(t *testing.T) {
			c := Config{Loss: l.sets, Lambda: .01, Epochs: 1 << 20, Tol: 1e-8}
			solve(t, Problem[float64]{X: x64, Sets: sets}, c)
			c.Tol = 1e-4
			solve(t, Problem[float32]{X: x32, Sets: sets}, c)
			if testing.Short() {
				return
			}
			// One true class each: as Y, and the losses with K = 1.
			c.Tol = 1e-8
			one := solve(t, Problem[float64]{X: x64, Sets: singles(y)}, c)
			same := converge(t, x64, y, c, 1e-8)
			if !slices.Equal(one.Duals.Data, same.Duals.Data) {
				t.Errorf("%v as sets, %v as classes", one.Certificate, same.Certificate)
			}
			if l.one == 0 {
				return
			}
			c.Loss = l.one
			plain := converge(t, x64, y, c, 1e-8)
			if a, b := one.Certificate.Primal, plain.Certificate.Primal; math.Abs(a-b) > 2e-8*a {
				t.Errorf("%v as sets, %v", a, b)
			}
		})
	}
}

// An example of weight 2 is two examples, one of weight 0 none; the weight of a class is the weight of each of its
// examples.
func TestWeights(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(37, 38)), 60, 8, 4)
	count, rows, twice := make([]float64, 60), []int{}, []int{}
	for i := range count {
		count[i] = float64(i % 3)
		for range i % 3 {
			rows, twice = append(rows, i), append(twice, y[i])
		}
	}
	for _, c := range append(slices.Clone(single), Config{Loss: SquaredHinge}) {
		if c.Epochs, c.Tol = 1<<20, 1e-8; c.Loss != SquaredHinge {
			c.K = 2
		}
		c.Lambda = .01 * 60 / float64(len(rows))
		want := converge(t, design.Subset(design.Matrix[float64](x), rows), twice, c, 1e-8)
		c.Lambda = .01
		got := solve(t, Problem[float64]{X: x, Y: y, Weights: count}, c)
		if a, b := got.Certificate.Primal*60, want.Certificate.Primal*float64(len(rows)); math.Abs(a-b) > 1e-7*a {
			t.Errorf("%v: %v, with copies %v", c.Loss, a, b)
		}
		c.ClassWeights = []float64{0, 1, 2, .5}
		byClass := converge(t, x, y, c, 1e-8)
		c.ClassWeights = nil
		weights := make([]float64, 60)
		for i, v := range y {
			weights[i] = []float64{0, 1, 2, .5}[v]
		}
		byExample := solve(t, Problem[float64]{X: x, Y: y, Weights: weights}, c)
		if byClass.Certificate != byExample.Certificate {
			t.Errorf("%v: %v by class, %v by example", c.Loss, byClass.Certificate, byExample.Certificate)
		}
	}
}

// A start from the solution has nothing left to do, one from another problem's solution less than one from zero.
func TestStart(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(39, 40)), 200, 20, 6)
	p := Problem[float64]{X: x, Y: y}
	for _, c := range append(slices.Clone(single), Config{Loss: SquaredHinge}) {
		if testing.Short() && (c.Loss != TopKHinge || c.Smoothing > 0) {
			continue
		}
		if c.Epochs, c.Lambda = 1<<20, .01; c.Loss != SquaredHinge {
			c.K = 2
		}
		first := converge(t, x, y, c, 1e-6)
		for _, c.Lambda = range []float64{.01, .005, .02} {
			cold := converge(t, x, y, c, 1e-6)
			p.Start = first
			warm, err := p.Fit(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			if warm.Certificate.RelativeGap() > 1e-3 {
				t.Fatalf("%v: %v", c.Lambda, told(warm))
			}
			c.Tol = 1e-6
			warm = solve(t, p, c)
			if warm.Visits >= cold.Visits || c.Lambda == .01 && warm.Visits > 200 {
				t.Errorf("%v, lambda %v: %d visits, %d from zero", c.Loss, c.Lambda, warm.Visits, cold.Visits)
			}
		}
	}
	duals := vec.NewMatrix[float64](200, 6)
	duals.Row(7)[3] = math.NaN()
	for want, d := range map[string]vec.Matrix[float64]{
		"topk: dual variable NaN of row 7 and output 3, want a finite number": duals,
		"topk: 2-by-6 dual variables to start from, for 200 examples and 6 " +
			"outputs": vec.NewMatrix[float64](2, 6),
		"topk: 0-by-0 dual variables to start from, for 200 examples and 6 outputs": {},
		"topk: dual variables to start from: vec: 0 numbers are too few for 200 rows of 6 columns at " +
			"stride 6": {Rows: 200, Cols: 6, Stride: 6},
	} {
		p.Start = &Result[float64]{Duals: d}
		_, err := p.Fit(context.Background(), Config{Lambda: 1})
		familytest.Contains(t, err, want)
	}
}

// TestStartGiven: a model and dual variables of different epochs that have a gap within the tolerance are the result of
// a start from them, without a visit, though the dual variables' own model has not. What the given certificate says is
// not believed.
func TestStartGiven(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(39, 41)), 100, 10, 4)
	for _, c := range single {
		c.Epochs, c.Lambda = 1<<20, .01
		fine, rough := converge(t, x, y, c, 1e-5), converge(t, x, y, c, .03)
		given := &Result[float64]{Model: fine.Model, Duals: rough.Duals}
		given.Certificate = solvers.Certificate{Primal: fine.Certificate.Primal, Dual: rough.Certificate.Dual}
		p := Problem[float64]{X: x, Y: y, Start: &Result[float64]{Duals: rough.Duals}}
		c.Tol = math.MaxFloat64
		own := solve(t, p, c)
		if c.Tol = 1.01 * given.Certificate.RelativeGap(); own.Certificate.RelativeGap() <= c.Tol {
			t.Fatalf("%v: %v is within %v of its own", c, own.Certificate, c.Tol)
		}
		p.Start = given
		again := solve(t, p, c)
		if again.Visits != 0 || !slices.Equal(again.Linear.Weights().Data, fine.Linear.Weights().Data) {
			t.Errorf("%v: %s from %v", c, told(again), given.Certificate)
		}
		given.Model = rough.Model
		if again = solve(t, p, c); again.Visits == 0 {
			t.Errorf("%v: %s with a certificate of another model", c, told(again))
		}
		given.Model, p.Weights = fine.Model, make([]float64, 100)
		for i := range p.Weights {
			p.Weights[i] = 1 + .1*float64(i%2)
		}
		solve(t, p, c)
	}
}
