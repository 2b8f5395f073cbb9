package m3l

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// TestCombinations: every combination of what a Problem and a Config can hold trains to an honest certificate, or is an
// error whose text says why not.
func TestCombinations(t *testing.T) {
	const n, d, m = 12, 3, 3
	rng := rand.New(rand.NewPCG(71, 72))
	x, sets := documents[float64](rng, n, d, m)
	k := kernelOf[float64](t, x, kernel.Gaussian{Gamma: .3})
	y, weights := make([]int, n), make([]float64, n)
	for i := range y {
		y[i], weights[i] = i%m, float64(i%3)
	}
	names, r, low := []string{"a", "b", "c"}, lowRank(rng, m, 2), factor(rng, m, 2)
	start := solve(t, Problem[float64]{X: x, Sets: sets}, Config{Tol: .01})
	worked, refused := 0, map[string]int{}
	for bits := range 1 << 12 {
		on := func(bit int) bool { return bits>>bit&1 == 1 }
		var p Problem[float64]
		c := Config{C: .5, Tol: .05}
		if on(0) {
			p.X = x
		}
		if on(1) {
			p.Kernel = k
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
			p.R = r
		}
		if on(8) {
			p.Margins = someMargins
		}
		if on(9) {
			c.Costs = []float64{1, .5, 2}
		}
		if on(10) {
			c.Bias = 1
		}
		if on(11) {
			p.P, p.Ridge = low, .5
		}
		for c.Loss = range Loss(len(lossNames)) {
			want := ""
			switch {
			case !on(0) && !on(1):
				want = "m3l: no examples: want X or Kernel"
			case on(0) && on(1):
				want = "m3l: X and Kernel, want one of them"
			case on(1) && on(10):
				want = "m3l: Bias = 1 with a kernel: add a constant to the kernel"
			case !on(2) && !on(3):
				want = "m3l: no labels: want Y or Sets"
			case on(2) && on(3):
				want = "m3l: Y and Sets, want one of them"
			case on(7) && on(11):
				want = "m3l: R, 3-by-3, and P, 2-by-3, want one of them"
			case on(8) && c.Loss != Hamming:
				want = "m3l: Margins with Loss = " + c.Loss.String() + ": they are a loss of their own"
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
			if features, labels := r.Dims(); features != d || labels != m {
				t.Fatalf("%b: %d features, %d labels", bits, features, labels)
			}
		}
	}
	// Features with bias or without, kernels; classes or sets; each with and without weights, start, names and costs,
	// with R, with P and without; and with four losses or Margins.
	if want := (2 + 1) * 2 * 16 * 3 * 5; worked != want {
		t.Errorf("%d combinations train, want %d", worked, want)
	}
	if len(refused) != 6+3 {
		t.Errorf("refused for %d reasons: %v", len(refused), refused)
	}
}

// TestNames: names go to the model, and say how many labels there are, as R does.
func TestNames(t *testing.T) {
	x, sets := documents[float64](rand.New(rand.NewPCG(75, 76)), 20, 3, 3)
	sets[0] = []int{2}
	p := Problem[float64]{X: x, Sets: sets, Names: []string{"a", "b", "c", "never seen"}}
	r := solve(t, p, Config{})
	p.Names[0] = "changed"
	if _, m := r.Dims(); m != 4 || !slices.Equal(r.Names(), []string{"a", "b", "c", "never seen"}) {
		t.Errorf("%d labels, %q", m, r.Names())
	}
	p.Names, p.R = nil, identity(5)
	if _, m := solve(t, p, Config{}).Dims(); m != 5 {
		t.Errorf("%d labels with R of 5", m)
	}
	for want, change := range map[string]func(p *Problem[float64], c *Config){
		"label 2 of row 0, want one in 0..1": func(p *Problem[float64],
			c *Config) {
			p.Names = []string{"a", "b"}
		},
		"R is 3-by-3 for 4 labels": func(p *Problem[float64],
			c *Config) {
			p.Names, p.R = []string{"a", "b", "c", "d"}, identity(3)
		},
		"R is 4-by-4 for 3 labels": func(p *Problem[float64], c *Config) { c.Labels, p.R = 3, identity(4) },
		"names for 3 ": func(p *Problem[float64],
			c *Config) {
			p.Names, c.Labels = []string{"a", "b", "c", "d"}, 3
		},
		"0 names for": func(p *Problem[float64], c *Config) { p.Names = []string{} },
		"outputs 1 and 2 have the same name \"b\"": func(p *Problem[float64],
			c *Config) {
			p.Names = []string{"a", "b", "b"}
		},
	} {
		p, c := Problem[float64]{X: x, Sets: sets},
			Config{Progress: func(solvers.Progress) { t.Fatalf("%s: refused after training", want) }}
		change(&p, &c)
		r, err := p.Fit(context.Background(), c)
		if contains(t, err, want); r != nil {
			t.Errorf("%s: a result", want)
		}
	}
}

// TestModelFiles: a model scores as the sum over the dual variables says, its sets are the labels of positive scores,
// and what is read from its file scores the same.
func TestModelFiles(t *testing.T) { prove.Both(t, testModelFiles[float32], testModelFiles[float64]) }

func testModelFiles[T vec.Float](t *testing.T) {
	const n, m = 50, 4
	rng := rand.New(rand.NewPCG(77, 78))
	x, sets := documents[T](rng, n, 5, m)
	r, low, f := lowRank(rng, m, 2), factor(rng, m, 2), design.Matrix[T](x)
	gaussian := kernelOf(t, f, kernel.Gaussian{Gamma: .1})
	for name, p := range map[string]Problem[T]{
		"linear": {X: f, R: r}, "kernel": {Kernel: gaussian, R: r},
		"linear with P": {X: f, P: low}, "kernel with P": {Kernel: gaussian, P: low, Ridge: .5},
	} {
		p.Sets, p.Names = sets, []string{"a", "b", "c", "d"}
		result := solve(t, p, Config{})
		// else the model is an earlier one, and the dual variables are the last
		last := result.ModelEpoch == result.Epochs
		scores, again := vec.NewMatrix[T](n, m), vec.NewMatrix[T](n, m)
		if err := result.Scores(scores, x, nil); err != nil {
			t.Fatal(err)
		}
		o := loopsOf(p, Config{}, n, m)
		gram := o.gram()
		predicted, err := solvers.LabelSets(result, f, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			set := []int{}
			for l := range m {
				want, size := 0.0, 0.0
				for j := range n {
					for k := range m {
						v := gram[i][j] * float64(result.Duals.Row(j)[k])
						want, size = want+v*o.r[k][l], size+max(v, -v)*o.rSize[k][l]
					}
				}
				// n m products and sums in T, and numbers of K that are as many roundings off
				if d := float64(scores.Row(i)[l]) - want; last && max(d, -d) > 2*prove.Unit[T]()*(n*m+16)*size {
					t.Fatalf("%s: score %v of row %d and label %d, want %v", name, scores.Row(i)[l], i, l, want)
				}
				if scores.Row(i)[l] > 0 {
					set = append(set, l)
				}
			}
			if !slices.Equal(predicted[i], set) {
				t.Errorf("%s: labels %v of row %d, scores %v", name, predicted[i], i, scores.Row(i))
			}
		}
		var file bytes.Buffer
		var read solvers.Scorer[T]
		if p.X != nil {
			if _, err = result.Linear.WriteTo(&file); err == nil {
				read, err = linear.Read[T](&file)
			}
		} else {
			if _, err = result.Kernel.WriteTo(&file); err == nil {
				read, err = kernel.ReadExpansion[T](&file)
			}
		}
		if err == nil {
			err = read.Scores(again, f, nil)
		}
		if err != nil || !slices.Equal(again.Data, scores.Data) {
			t.Errorf("%s: other scores by the file, %v", name, err)
		}
		contains(t, result.ScoresWorkers(scores, f, nil, -1), "-1 workers")
		if _, err := result.MarshalJSON(); err == nil {
			t.Errorf("%s: a model as JSON", name)
		}
	}
}

// TestConfigWords: losses have names, also those that there are not.
func TestConfigWords(t *testing.T) {
	if Hamming.String() != "hamming" || SquaredHinge.String() != "squared hinge" ||
		Logistic.String() != "logistic" || Loss(99).String() != "Loss(99)" || Loss(-1).String() != "Loss(-1)" {
		t.Errorf("%v %v %v %v %v", Hamming, SquaredHinge, Logistic, Loss(99), Loss(-1))
	}
}
