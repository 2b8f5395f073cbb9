package m3l

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestErrors: what makes no problem is an error that names the value and its place.
func TestErrors(t *testing.T) {
	x, _ := documents[float64](rand.New(rand.NewPCG(17, 18)), 6, 3, 3)
	sets := [][]int{{0}, {2, 1}, {}, {0, 1, 2}, {1}, {2}}
	spoiled := func(v float64) func(p *Problem[float64], c *Config) {
		return func(p *Problem[float64], c *Config) {
			a := vec.NewMatrix[float64](6, 3)
			copy(a.Data, x.Data)
			a.Row(4)[2] = v
			p.X = &dataset.Dense[float64]{Matrix: a}
		}
	}
	prior := func(numbers ...float64) func(p *Problem[float64], c *Config) {
		return func(p *Problem[float64], c *Config) { p.R = vec.MatrixOf(3, len(numbers)/3, numbers) }
	}
	margins := func(l int, plus, minus float64) func(p *Problem[float64], c *Config) {
		return func(p *Problem[float64], c *Config) {
			p.Margins = func(i int, a, b []float64) {
				clear(a)
				clear(b)
				if i == 4 {
					a[l], b[l] = plus, minus
				}
			}
		}
	}
	nan, inf := math.NaN(), math.Inf(1)
	type change = func(p *Problem[float64], c *Config)
	for want, change := range map[string]change{
		"C = -1, need a positive number":           func(p *Problem[float64], c *Config) { c.C = -1 },
		"C = NaN":                                  func(p *Problem[float64], c *Config) { c.C = nan },
		"C = +Inf":                                 func(p *Problem[float64], c *Config) { c.C = inf },
		"C = 1e-300 and the weight 1 of row 0":     func(p *Problem[float64], c *Config) { c.C = 1e-300 },
		"C = 1e+300 and the weight 1 of row 0":     func(p *Problem[float64], c *Config) { c.C = 1e300 },
		"Loss = 3, need one from Hamming, 0, to 2": func(p *Problem[float64], c *Config) { c.Loss = 3 },
		"Loss = -1":                                func(p *Problem[float64], c *Config) { c.Loss = -1 },
		"Tol = -0.1":                               func(p *Problem[float64], c *Config) { c.Tol = -.1 },
		"Tol = NaN":                                func(p *Problem[float64], c *Config) { c.Tol = nan },
		"Epochs = -2":                              func(p *Problem[float64], c *Config) { c.Epochs = -2 },
		"Labels = -2":                              func(p *Problem[float64], c *Config) { c.Labels = -2 },
		"BlockSize = -2":                           func(p *Problem[float64], c *Config) { c.BlockSize = -2 },
		"Bias = NaN":                               func(p *Problem[float64], c *Config) { c.Bias = nan },
		"Workers = -1":                             func(p *Problem[float64], c *Config) { c.Workers = -1 },
		"checkpoints every 1ns, but no function that": func(p *Problem[float64], c *Config) { c.Checkpoint.Every = 1 },
		"2 costs for 3 labels, need as many": func(p *Problem[float64],
			c *Config) {
			c.Costs = []float64{1, 2}
		},
		"0 costs for 3 labels": func(p *Problem[float64], c *Config) { c.Costs = []float64{} },
		"cost 0 of label 1":    func(p *Problem[float64], c *Config) { c.Costs = []float64{1, 0, 1} },
		"cost -1 of label 0":   func(p *Problem[float64], c *Config) { c.Costs = []float64{-1, 0, 1} },
		"cost NaN of label 2": func(p *Problem[float64],
			c *Config) {
			c.Costs = []float64{1, 1, nan}
		},
		"cost +Inf of label 2": func(p *Problem[float64],
			c *Config) {
			c.Costs = []float64{1, 1, inf}
		},
		"cost 1e-300 of label 2": func(p *Problem[float64],
			c *Config) {
			c.Costs = []float64{1, 1, 1e-300}
		},
		"cost 1e+300 of label 1": func(p *Problem[float64],
			c *Config) {
			c.Costs = []float64{1, 1e300, 1}
		},
		"2 weights for 6 examples": func(p *Problem[float64], c *Config) { p.Weights = []float64{1, 2} },
		"weight -1 of row 2": func(p *Problem[float64],
			c *Config) {
			p.Weights = []float64{1, 2, -1, 1, 1, 1}
		},
		"weight NaN of row 0": func(p *Problem[float64],
			c *Config) {
			p.Weights = []float64{nan, 2, 1, 1, 1, 1}
		},
		"weight +Inf of row 5": func(p *Problem[float64],
			c *Config) {
			p.Weights = []float64{1, 2, 1, 1, 1, inf}
		},
		"all 6 weights are 0": func(p *Problem[float64],
			c *Config) {
			p.Weights = make([]float64, 6)
		},
		"label 2 of row 1, need one in 0..1":    func(p *Problem[float64], c *Config) { c.Labels = 2 },
		"label 2 stands twice in row 5":         func(p *Problem[float64], c *Config) { p.Sets[5] = []int{2, 0, 2} },
		"label -1 of row 3, need at least 0":    func(p *Problem[float64], c *Config) { p.Sets[3] = []int{1, -1} },
		"label 70000 of row 1, with 6 examples": func(p *Problem[float64], c *Config) { p.Sets[1] = []int{70000} },
		"5 labels for 6 examples":               func(p *Problem[float64], c *Config) { p.Sets = p.Sets[:5] },
		"no example has a label: set Labels":    func(p *Problem[float64], c *Config) { p.Sets = make([][]int, 6) },
		"no examples": func(p *Problem[float64],
			c *Config) {
			p.X, p.Sets = &dataset.Dense[float64]{}, [][]int{}
		},
		"without features": func(p *Problem[float64], c *Config) {
			p.X = &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](6, 0)}
		},
		"row 4, column 2: value NaN":                spoiled(nan),
		"row 4, column 2: value -Inf":               spoiled(-inf),
		"squared norm of row 4 exceeds the largest": spoiled(1e200),
		"R is 3-by-2 for 3 labels":                  prior(1, 0, 0, 1, 0, 0),
		"R is 2-by-2 for 3 labels": func(p *Problem[float64],
			c *Config) {
			p.R, c.Labels = identity(2), 3
		},
		"there are 2 labels": func(p *Problem[float64],
			c *Config) {
			p.R = identity(2)
		},
		"R of labels 1 and 1 is -1, need a finite number":               prior(1, 0, 0, 0, -1, 0, 0, 0, 1),
		"R of labels 2 and 2 is +Inf":                                   prior(1, 0, 0, 0, 1, 0, 0, 0, inf),
		"R of labels 2 and 0 is NaN and 0.5":                            prior(1, 0, .5, 0, 1, 0, nan, 0, 1),
		"R of labels 2 and 0 is 0.25, but of 0 and 2 0.5":               prior(1, 0, .5, 0, 1, 0, .25, 0, 1),
		"R of labels 1 and 0 is 1.5, more than the 1 that":              prior(1, 1.5, 0, 1.5, 1, 0, 0, 0, 1),
		"R is not positive semidefinite: beside labels 0 to 1, label 2": prior(1, -.9, -.9, -.9, 1, -.9, -.9, -.9, 1),
		"R: ": func(p *Problem[float64], c *Config) { p.R = vec.Matrix[float64]{Rows: 3, Cols: 3, Stride: 3} },
		"margins of row 4, label 1: plus 0, minus NaN, need finite numbers": margins(1, 0, nan),
		"margins of row 4, label 0: plus NaN, minus 1":                      margins(0, nan, 1),
		"margins of row 4, label 2: plus +Inf, minus +Inf":                  margins(2, inf, inf),
		"margins of row 4, label 2: plus -1e+308, minus 1e+308":             margins(2, -1e308, 1e308),
		"4-by-3 dual variables to start from, for 6 examples and 3 outputs": func(p *Problem[float64],
			c *Config) {
			p.Start = &Result[float64]{Duals: vec.NewMatrix[float64](4, 3)}
		},
		"dual variable NaN of row 0 and output 0": func(p *Problem[float64], c *Config) {
			p.Start = &Result[float64]{Duals: vec.MatrixOf(6, 3, slices.Repeat([]float64{nan}, 18))}
		},
		"row 1 has column 3, value 2: expected a column in 0..2": func(p *Problem[float64], c *Config) {
			p.X = &dataset.CSR[float64]{Rows: 6, Cols: 3, Ptr: []int{0, 1, 2, 2, 2, 2, 2}, Idx: []int32{0, 3},
				Val: []float64{1, 2}}
		},
	} {
		p, c := Problem[float64]{X: x, Sets: slices.Clone(sets)}, Config{}
		change(&p, &c)
		r, err := p.Fit(context.Background(), c)
		if contains(t, err, want); r != nil {
			t.Errorf("%s: %s", want, told(r))
		}
		if err != nil && !strings.HasPrefix(err.Error(), "m3l: ") {
			t.Errorf("%q does not say whose error it is", err)
		}
		if strings.Contains(want, "start from") || strings.Contains(want, "dual variable") {
			continue
		}
		points, err := p.Path(context.Background(), c, PathConfig{Cs: []float64{max(c.C, 1)}})
		if strings.Contains(want, "C = ") { // the path has its own
			continue
		}
		if contains(t, err, want); len(points) > 0 {
			t.Errorf("%s: a path", want)
		}
	}
}

// TestErrors32: numbers that float64 has and float32 does not.
func TestErrors32(t *testing.T) {
	x, sets := documents[float32](rand.New(rand.NewPCG(19, 20)), 6, 3, 3)
	sets[0] = []int{2}
	for want, change := range map[string]func(p *Problem[float32], c *Config){
		"C = 1e+30 and the weight 1 of row 0": func(p *Problem[float32], c *Config) { c.C = 1e30 },
		"Bias = 1e+300 is beyond float32":     func(p *Problem[float32], c *Config) { c.Bias = 1e300 },
		"cost 1e+35 of label 1":               func(p *Problem[float32], c *Config) { c.Costs = []float64{1, 1e35, 1} },
		"cost 1e-35 of label 1": func(p *Problem[float32],
			c *Config) {
			c.Costs = []float64{1, 1e-35, 1}
		},
		"margins of row 0, label 0: plus 0, minus 1e+60": func(p *Problem[float32], c *Config) {
			p.Margins = func(_ int, plus, minus []float64) {
				for l := range plus {
					plus[l], minus[l] = 0, 1e60
				}
			}
		},
		"R of labels 0 and 0 is 1e+60": func(p *Problem[float32], c *Config) {
			p.R = identity(3)
			p.R.Row(0)[0] = 1e60
		},
	} {
		p, c := Problem[float32]{X: x, Sets: sets}, Config{}
		change(&p, &c)
		r, err := p.Fit(context.Background(), c)
		if contains(t, err, want); r != nil {
			t.Errorf("%s: %s", want, told(r))
		}
	}
}

// TestNoPanic: what is nil or a literal that does not fit is an error, wherever it stands.
func TestNoPanic(t *testing.T) {
	x, sets := documents[float64](rand.New(rand.NewPCG(79, 80)), 6, 3, 3)
	ctx := context.Background()
	with := func(f design.Matrix[float64]) Problem[float64] { return Problem[float64]{X: f, Sets: sets} }
	literal := func(m vec.Matrix[float64]) Problem[float64] { return with(&dataset.Dense[float64]{Matrix: m}) }
	var noContext context.Context
	for name, c := range map[string]struct {
		ctx     context.Context
		problem Problem[float64]
		want    string
	}{
		"context":   {noContext, with(x), "m3l: no context"},
		"nothing":   {ctx, Problem[float64]{}, "m3l: no examples: need X or Kernel"},
		"features":  {ctx, with(nil), "m3l: no examples: need X or Kernel"},
		"dense":     {ctx, with((*dataset.Dense[float64])(nil)), "no examples"},
		"csr":       {ctx, with((*dataset.CSR[float64])(nil)), "no examples"},
		"kernel":    {ctx, Problem[float64]{Kernel: &kernel.Matrix[float64]{}, Sets: sets}, "no examples"},
		"labels":    {ctx, Problem[float64]{X: x}, "m3l: no labels: need Y or Sets"},
		"no labels": {ctx, Problem[float64]{X: x, Y: []int{}}, "0 labels for 6 examples"},
		"data":      {ctx, literal(vec.Matrix[float64]{Rows: 6, Cols: 3, Stride: 3}), "too few"},
		"negative": {ctx, literal(vec.Matrix[float64]{Rows: 6, Cols: -3, Stride: 3, Data: make([]float64, 18)}),
			"-3 columns"},
		"csr literal": {ctx, with(&dataset.CSR[float64]{Rows: 6, Cols: 3}), "6"},
		"R rows":      {ctx, Problem[float64]{X: x, Sets: sets, R: vec.Matrix[float64]{Rows: -3, Cols: 3}}, "R: "},
		"R columns":   {ctx, Problem[float64]{X: x, Sets: sets, R: vec.Matrix[float64]{Cols: 3}}, "R is 0-by-3"},
	} {
		run := func(how string, f func() error) {
			t.Helper()
			defer func() {
				if e := recover(); e != nil {
					t.Errorf("%s: %s panics: %v", name, how, e)
				}
			}()
			contains(t, f(), c.want)
		}
		run("Fit", func() error { _, err := c.problem.Fit(c.ctx, Config{}); return err })
		run("Resume", func() error {
			_, err := c.problem.Resume(c.ctx, bytes.NewReader([]byte("x")), Config{})
			return err
		})
		run("Path", func() error { _, err := c.problem.Path(c.ctx, Config{}, PathConfig{}); return err })
		run("Path with folds", func() error {
			_, err := c.problem.Path(c.ctx, Config{}, PathConfig{CrossValidation: solvers.CrossValidation{Folds: 2}})
			return err
		})
	}
	_, err := Problem[float64]{X: x, Sets: sets, Start: &Result[float64]{}}.Resume(ctx, strings.NewReader("x"),
		Config{})
	contains(t, err, "m3l: a state to resume from, and Start: need one of them")
	_, err = with(x).Resume(ctx, nil, Config{})
	contains(t, err, "m3l: no state to resume from")
	if _, err := solvers.LabelSets[float64](&Result[float64]{}, x, 1); err == nil {
		t.Error("labels by a result without a model")
	}
}
