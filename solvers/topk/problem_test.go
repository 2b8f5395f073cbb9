package topk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestCombinations: every combination of what a Problem and a Config can hold trains to an honest certificate, or is an
// error whose text says why not.
func TestCombinations(t *testing.T) {
	const n, d, m = 12, 3, 3
	rng := rand.New(rand.NewPCG(71, 72))
	x, y := blobs[float64](rng, n, d, m)
	sets := labelSets(rng, y, m)
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = float64(i % 3)
	}
	start := converge(t, x, y, Config{Lambda: .3, Loss: TopKUsunier}, .01)
	names := []string{"a", "b", "c"}
	worked, refused := 0, map[string]int{}
	for bits := range 1 << 9 {
		on := func(bit int) bool { return bits>>bit&1 == 1 }
		var p Problem[float64]
		c := Config{Lambda: .1, Tol: .05}
		if on(0) {
			p.X = x
		}
		if on(1) {
			p.Kernel = matrix(t, design.Matrix[float64](x), kernel.Gaussian{Gamma: .3}, 1<<20)
		}
		if on(2) {
			p.Y = y
		}
		if on(3) {
			p.Sets = sets
		}
		if on(4) {
			p.Weights = weights
		}
		if on(5) {
			p.Start = start
		}
		if on(6) {
			p.Names = names
		}
		if on(7) {
			c.ClassWeights = []float64{1, .5, 2}
		}
		if on(8) {
			c.Bias = 1
		}
		for c.Loss = range Loss(len(losses) + 1) {
			oneClass := c.Loss == TopKHinge || c.Loss == TopKUsunier || c.Loss == TopKEntropy
			want := ""
			switch {
			case !on(0) && !on(1):
				want = "topk: no examples: want X or Kernel"
			case on(0) && on(1):
				want = "topk: X and Kernel, want one of them"
			case on(1) && on(8):
				want = "topk: Bias = 1 with a kernel: add a constant to the kernel"
			case !on(2) && !on(3):
				want = "topk: no labels: want Y or Sets"
			case on(2) && on(3):
				want = "topk: Y and Sets, want one of them"
			case on(3) && oneClass:
				want = fmt.Sprintf("topk: the loss %v with sets of classes, want one for sets, such as MultilabelHinge",
					c.Loss)
			case on(3) && on(7):
				want = "3 class weights with sets of classes, want one class for each example"
			}
			r, err := p.Fit(context.Background(), c)
			if want != "" {
				refused[want]++
				if r != nil || err == nil || !strings.Contains(err.Error(), want) {
					t.Fatalf("%b, %v: %v, want %q", bits, c.Loss, err, want)
				}
				continue
			}
			worked++
			if err != nil || r.Status != solvers.Converged {
				t.Fatalf("%b, %v: %s, %v", bits, c.Loss, told(r), err)
			}
			honest(t, p, c, r)
			if !slices.Equal(r.Names(), p.Names) || (r.Linear == nil) != on(1) || (r.Kernel == nil) == on(1) {
				t.Fatalf("%b: names %q, linear %v, kernel %v", bits, r.Names(), r.Linear, r.Kernel)
			}
			if features, classes := r.Dims(); features != d || classes != m {
				t.Fatalf("%b: %d features, %d classes", bits, features, classes)
			}
		}
	}
	// Features with and without class weights and bias, kernels with class weights or without: 7 losses of classes;
	// without class weights: 4 of sets. Each with and without weights, start, names.
	if want := 8 * ((4+2)*7 + (2+1)*4); worked != want {
		t.Errorf("%d combinations train, want %d", worked, want)
	}
	if len(refused) != 6+3 {
		t.Errorf("refused for %d reasons: %v", len(refused), refused)
	}
}

// TestDefaultLoss: the zero value is the top-k hinge of classes and the multilabel hinge of sets.
func TestDefaultLoss(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(73, 74)), 40, 4, 3)
	for _, p := range []Problem[float64]{{X: x, Y: y}, {X: x, Sets: singles(y)}} {
		want := TopKHinge
		if p.Sets != nil {
			want = MultilabelHinge
		}
		a, b := solve(t, p, Config{Lambda: .1, Tol: 1e-3}), solve(t, p, Config{Lambda: .1, Tol: 1e-3, Loss: want})
		if a.Outcome != b.Outcome || !slices.Equal(a.Duals.Data, b.Duals.Data) {
			t.Errorf("%v by default, %v with %v", a.Outcome, b.Outcome, want)
		}
	}
	if Loss(0).String() != "default" || TopKHinge.String() != "top-k hinge" || Loss(99).String() != "Loss(99)" ||
		Loss(-1).String() != "Loss(-1)" {
		t.Errorf("%v %v %v", Loss(0), TopKHinge, Loss(99))
	}
}

// TestNames: names go to the model, and say how many classes there are.
func TestNames(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(75, 76)), 20, 3, 3)
	p := Problem[float64]{X: x, Y: y, Names: []string{"a", "b", "c", "never seen"}}
	r := solve(t, p, Config{Lambda: .1, Tol: 1e-3})
	p.Names[0] = "changed"
	if _, m := r.Dims(); m != 4 || !slices.Equal(r.Names(), []string{"a", "b", "c", "never seen"}) {
		t.Errorf("%d classes, %q", m, r.Names())
	}
	for want, change := range map[string]func(p *Problem[float64], c *Config){
		"label 2 of row 2, want one in 0..1: there are 2 classes": func(p *Problem[float64],
			c *Config) {
			p.Names = []string{"a", "b"}
		},
		"names for 3 ": func(p *Problem[float64], c *Config) { p.Names, c.Classes = []string{"a", "b", "c", "d"}, 3 },
		"0 names for":  func(p *Problem[float64], c *Config) { p.Names = []string{} },
		"outputs 1 and 2 have the same name \"b\"": func(p *Problem[float64],
			c *Config) {
			p.Names = []string{"a", "b", "b"}
		},
		"\"\\xff\" of output 0 is not UTF-8": func(p *Problem[float64],
			c *Config) {
			p.Names = []string{"\xff", "b", "c"}
		},
	} {
		p, c := Problem[float64]{X: x, Y: y},
			Config{Lambda: .1, Progress: func(solvers.Progress) { t.Fatalf("%s: refused after training", want) }}
		change(&p, &c)
		r, err := p.Fit(context.Background(), c)
		if familytest.Contains(t, err, want); r != nil {
			t.Errorf("%s: a result", want)
		}
	}
}

// TestModel: a model scores as its linear model or its expansion does.
func TestModel(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(77, 78)), 50, 4, 3)
	f := design.Matrix[float64](x)
	for name, p := range map[string]Problem[float64]{
		"linear": {X: f, Y: y}, "kernel": {Kernel: matrix(t, f, kernel.Gaussian{Gamma: .1}, 1<<20), Y: y},
	} {
		r := solve(t, p, Config{Lambda: .01, Tol: 1e-3})
		rows := []int{7, 0, 49, 7}
		want, _, _ := scoresAndNorms(p, Config{}, r, r.Duals)
		all, some := vec.NewMatrix[float64](50, 3), vec.NewMatrix[float64](4, 3)
		if err := r.Scores(all, x, nil); err != nil {
			t.Fatal(err)
		}
		if err := r.ScoresWorkers(some, x, rows, 2); err != nil {
			t.Fatal(err)
		}
		// Both sum at most 50 products of numbers below 1e3; 1e-9 is far above their rounding, far below a score.
		for i := range 50 {
			for c, v := range want.Row(i) {
				if d := v - all.Row(i)[c]; d > 1e-9 || d < -1e-9 {
					t.Fatalf("%s: score %v of row %d and class %d, want %v", name, all.Row(i)[c], i, c, v)
				}
			}
		}
		for q, i := range rows {
			for c, v := range want.Row(i) {
				if d := v - some.Row(q)[c]; d > 1e-9 || d < -1e-9 {
					t.Fatalf("%s: score %v of row %d and class %d, want %v", name, some.Row(q)[c], i, c, v)
				}
			}
		}
		classes, err := solvers.Predict(r, f, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range classes {
			if c != vec.ArgMax(all.Row(i)) {
				t.Errorf("%s: class %d of row %d, scores %v", name, c, i, all.Row(i))
			}
		}
		familytest.Contains(t, r.ScoresWorkers(some, x, rows, -1), "-1 workers")
		familytest.Contains(t, r.Scores(some, x, nil), "4-by-3 matrix for the scores of 50 examples")
	}
}
