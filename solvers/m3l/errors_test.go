package m3l

import (
	"context"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestErrors: what makes no problem is an error that names the value and its place.
func TestErrors(t *testing.T) {
	type change = familytest.Change[Problem[float64], Config]
	x, _ := documents[float64](rand.New(rand.NewPCG(17, 18)), 6, 3, 3)
	prior := func(numbers ...float64) change {
		return func(p *Problem[float64], c *Config) { p.R = vec.MatrixOf(3, len(numbers)/3, numbers) }
	}
	weights := func(rows, cols int, v float64) change {
		return func(p *Problem[float64], _ *Config) {
			p.Prior = vec.NewMatrix[float64](rows, cols)
			p.Prior.Data[5] = v
		}
	}
	margins := func(l int, plus, minus float64) change {
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
	with := func(set func(c *Config)) change { return func(_ *Problem[float64], c *Config) { set(c) } }
	set := func(i int, labels ...int) change { return func(p *Problem[float64], _ *Config) { p.Sets[i] = labels } }
	nan, inf := math.NaN(), math.Inf(1)
	familytest.Errors[Problem[float64], Config, *Result[float64]]{
		Name: "m3l",
		Make: func() (Problem[float64], Config) {
			return Problem[float64]{X: x, Sets: [][]int{{0}, {2, 1}, {}, {0, 1, 2}, {1}, {2}}}, Config{}
		},
		Path: func(p Problem[float64], c Config, cv solvers.CrossValidation) (any, error) {
			return p.Path(context.Background(), c, PathConfig{Cs: []float64{1}, CrossValidation: cv})
		},
		Own: []string{"C = ", "start from", "dual variable"},
		Cases: map[string]change{
			"Prior is 3-by-2 for 3 features and 3 outputs, want 3-by-3": weights(3, 2, 0),
			"Prior is 4-by-3 for 3 features and 3 outputs, want 3-by-3": weights(4, 3, 0),
			"Prior of row 1 and output 2 is NaN, want a finite number":  weights(3, 3, nan),
			"Prior of row 1 and output 2 is -Inf, want a finite number": weights(3, 3, -inf),
			"Prior, 3-by-3, with a Kernel, which has no weights: want X": func(p *Problem[float64], c *Config) {
				weights(3, 3, 1)(p, c)
				p.X, p.Kernel = nil, kernelOf[float64](t, x, kernel.Linear{})
			},
			"Prior, 3-by-3, with P, 1-by-3, want R in place of P": func(p *Problem[float64], c *Config) {
				weights(3, 3, 1)(p, c)
				p.P = vec.MatrixOf(1, 3, []float64{1, 2, 3})
			},
			"R: ": func(p *Problem[float64], c *Config) {
				p.R = vec.Matrix[float64]{Rows: 3, Cols: 3, Stride: 3}
			},
			"no examples": func(p *Problem[float64], c *Config) {
				p.X, p.Kernel = nil, &kernel.Matrix[float64]{}
			},
			"R is 0-by-3": func(p *Problem[float64], c *Config) {
				p.R = vec.Matrix[float64]{Cols: 3}
			},
			"cost 0 of label 1":       with(func(c *Config) { c.Costs = []float64{1, 0, 1} }),
			"cost -1 of label 0":      with(func(c *Config) { c.Costs = []float64{-1, 0, 1} }),
			"there are 2 labels":      func(p *Problem[float64], c *Config) { p.R = identity(2) },
			"cost NaN of label 2":     with(func(c *Config) { c.Costs = []float64{1, 1, nan} }),
			"0 costs for 3 labels":    with(func(c *Config) { c.Costs = []float64{} }),
			"cost +Inf of label 2":    with(func(c *Config) { c.Costs = []float64{1, 1, inf} }),
			"cost 1e-300 of label 2":  with(func(c *Config) { c.Costs = []float64{1, 1, 1e-300} }),
			"cost 1e+300 of label 1":  with(func(c *Config) { c.Costs = []float64{1, 1e300, 1} }),
			"5 labels for 6 examples": func(p *Problem[float64], c *Config) { p.Sets = p.Sets[:5] },
			"0 labels for 6 examples": func(p *Problem[float64], c *Config) {
				p.Sets, p.Y = nil, []int{}
			},
			"R is 3-by-2 for 3 labels": prior(1, 0, 0, 1, 0, 0),
			"R is 2-by-2 for 3 labels": func(p *Problem[float64], c *Config) {
				p.R, c.Labels = identity(2), 3
			},
			"no labels: want Y or Sets":          func(p *Problem[float64], c *Config) { p.Sets = nil },
			"R of labels 2 and 2 is +Inf":        prior(1, 0, 0, 0, 1, 0, 0, 0, inf),
			"label 2 stands twice in row 5":      set(5, 2, 0, 2),
			"2 costs for 3 labels, want as many": with(func(c *Config) { c.Costs = []float64{1, 2} }),
			"label 2 of row 1, want one in 0..1": with(func(c *Config) { c.Labels = 2 }),
			"label -1 of row 3, want at least 0": set(3, 1, -1),
			"no example has a label: set Labels": func(p *Problem[float64], c *Config) {
				p.Sets = make([][]int, 6)
			},
			"R of labels 2 and 0 is NaN and 0.5":       prior(1, 0, .5, 0, 1, 0, nan, 0, 1),
			"C = 1e-300 and the weight 1 of row 0":     with(func(c *Config) { c.C = 1e-300 }),
			"C = 1e+300 and the weight 1 of row 0":     with(func(c *Config) { c.C = 1e300 }),
			"label 70000 of row 1, with 6 examples":    set(1, 70000),
			"Loss = 4, want one from Hamming, 0, to 3": with(func(c *Config) { c.Loss = 4 }),

			"margins of row 4, label 0: plus NaN, minus 1":          margins(0, nan, 1),
			"R of labels 1 and 1 is -1, want a finite number":       prior(1, 0, 0, 0, -1, 0, 0, 0, 1),
			"R of labels 2 and 0 is 0.25, but of 0 and 2 0.5":       prior(1, 0, .5, 0, 1, 0, .25, 0, 1),
			"R of labels 1 and 0 is 1.5, more than the 1 that":      prior(1, 1.5, 0, 1.5, 1, 0, 0, 0, 1),
			"margins of row 4, label 2: plus 0, minus -1e-300":      margins(2, 0, -1e-300),
			"margins of row 4, label 2: plus 5e-324, minus 1, want": margins(2, 5e-324, 1),
			"margins of row 4, label 2: plus +Inf, minus +Inf":      margins(2, inf, inf),
			"margins of row 4, label 2: plus -1e+308, minus 1e+308": margins(2, -1e308, 1e308),

			"R is not positive semidefinite: beside labels 0 to 1": prior(1, -.9, -.9, -.9, 1, -.9, -.9, -.9, 1),

			"margins of row 4, label 1: plus 0, minus NaN, want finite numbers": margins(1, 0, nan),
			"dual variable NaN of row 0 and output 0": func(p *Problem[float64], c *Config) {
				p.Start = &Result[float64]{Duals: vec.MatrixOf(6, 3, slices.Repeat([]float64{nan}, 18))}
			},
			"4-by-3 dual variables to start from, for 6 examples and 3 outputs": func(p *Problem[float64], c *Config) {
				p.Start = &Result[float64]{Duals: vec.NewMatrix[float64](4, 3)}
			},
			"R: vec: matrix of -3 rows and 3 columns": func(p *Problem[float64], c *Config) {
				p.R = vec.Matrix[float64]{Rows: -3, Cols: 3}
			},
		},
	}.Run(t)
	if _, err := solvers.LabelSets[float64](&Result[float64]{}, x, 1); err == nil {
		t.Error("labels by a result without a model")
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

// TestRange: bounds of dual variables are inside the range, its ends left out; examples of weight 0 have none.
func TestRange(t *testing.T) {
	r, high := vec.NewMatrix[float64](1, 1), vec.NewMatrix[float64](1, 1)
	high.Data[0] = math.Nextafter(1e30, 2e30)
	for _, c := range []struct {
		r      vec.Matrix[float64]
		cost   float64
		radius []float64
		sound  bool
	}{
		{r, 1, []float64{1}, true},
		{r, 1e-30, []float64{1}, false},
		{r, math.Nextafter(1e-30, 1), []float64{0, 1}, true},
		{r, 1e30, []float64{1}, false},
		{r, math.Nextafter(1e30, 1), []float64{1}, true},
		{r, 1, []float64{1e-30, 1}, false},
		{r, 1, []float64{1, 1e30}, false},
		{high, 1, []float64{1}, false},
	} {
		if err := checkRange[float32](c.r, []float64{c.cost}, c.radius); (err == nil) != c.sound {
			t.Errorf("cost %v, r_i %v, R %v: %v", c.cost, c.radius, c.r.Data, err)
		}
	}
	high.Data[0] = 1e30
	if err := checkRange[float32](high, []float64{1}, []float64{1}); err != nil {
		t.Error(err)
	}
}
