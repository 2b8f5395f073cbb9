package topk

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestErrors: what makes no problem is an error that names the value and its place.
func TestErrors(t *testing.T) {
	type change = familytest.Change[Problem[float64], Config]
	x, y := blobs[float64](rand.New(rand.NewPCG(17, 18)), 6, 3, 3)
	with := func(set func(c *Config)) change { return func(_ *Problem[float64], c *Config) { set(c) } }
	nan := math.NaN()
	prior := func(rows, cols int, v float64) change {
		return func(p *Problem[float64], _ *Config) {
			p.Prior = vec.NewMatrix[float64](rows, cols)
			p.Prior.Data[5] = v
		}
	}
	onKernel := func(p *Problem[float64], c *Config) {
		prior(3, 3, 1)(p, c)
		p.X, p.Kernel = nil, familytest.Kernel[float64](t, x, kernel.Linear{})
	}
	torn := vec.Matrix[float64]{Data: make([]float64, 1), Rows: 3, Cols: 3, Stride: 3}
	sets := func(sets [][]int) change { return func(p *Problem[float64], _ *Config) { p.Y, p.Sets = nil, sets } }
	set := func(i int, labels ...int) change {
		return sets(slices.Replace([][]int{{0}, {2}, {1}, {}, {0, 1}, {2}}, i, i+1, labels))
	}
	familytest.Errors[Problem[float64], Config, *Result[float64]]{
		Name: "topk",
		Make: func() (Problem[float64], Config) { return Problem[float64]{X: x, Y: y}, Config{Lambda: .1} },
		Path: func(p Problem[float64], c Config, cv solvers.CrossValidation) (any, error) {
			return p.Path(context.Background(), c, PathConfig{Lambdas: []float64{.1}, CrossValidation: cv})
		},
		Own: []string{"Lambda = "},
		Cases: map[string]change{
			"Prior is 3-by-2 for 3 features and 3 outputs, want 3-by-3": prior(3, 2, 0),
			"Prior is 4-by-3 for 3 features and 3 outputs, want 3-by-3": prior(4, 3, 0),
			"Prior is 3-by-4 for 3 features and 3 outputs, want 3-by-3": func(p *Problem[float64], c *Config) {
				prior(3, 4, 0)(p, c)
				c.Classes = 3
			},
			"Prior is 3-by-3 for 3 features and a constant one and 3 outputs, want 4-by-3": func(p *Problem[float64],
				c *Config) {
				prior(3, 3, 0)(p, c)
				c.Bias = 1
			},
			"Prior of row 1 and output 2 is NaN, want a finite number":   prior(3, 3, nan),
			"Prior of row 1 and output 2 is +Inf, want a finite number":  prior(3, 3, math.Inf(1)),
			"Prior of row 1 and output 2 is -1e+300, want a finite":      prior(3, 3, -1e300),
			"Prior, 3-by-3, with a Kernel, which has no weights: want X": onKernel,
			"Prior: vec: 1 numbers are too few for 3 rows": func(p *Problem[float64], _ *Config) {
				p.Prior = torn
			},

			"Lambda = 0, want a positive number":    with(func(c *Config) { c.Lambda = 0 }),
			"Lambda = 1e-300 with 6 examples":       with(func(c *Config) { c.Lambda = 1e-300 }),
			"K = 3 with 3 classes":                  with(func(c *Config) { c.K = 3 }),
			"label 2 of row 2, want one in 0..1":    with(func(c *Config) { c.Classes = 2 }),
			"Smoothing = -1":                        with(func(c *Config) { c.Smoothing = -1 }),
			"Smoothing = 1 with the top-k entropy":  with(func(c *Config) { c.Smoothing, c.Loss = 1, TopKEntropy }),
			"2 class weights for 3 classes":         with(func(c *Config) { c.ClassWeights = []float64{1, 2} }),
			"weight NaN of class 1":                 with(func(c *Config) { c.ClassWeights = []float64{1, nan, 1} }),
			"label 2 stands twice in row 1":         set(1, 2, 0, 2),
			"label 0 stands twice in row 5":         set(5, 0, 0),
			"label -1 of row 3, want at least 0":    set(3, 1, -1),
			"label 70000 of row 1, with 6 examples": set(1, 70000),
			"5 labels for 6 examples":               sets(make([][]int, 5)),

			"0 labels for 6 examples of 1 classes":           sets(make([][]int, 6)),
			"18 labels for 6 examples of 3 classes: nothing": sets(slices.Repeat([][]int{{0, 1, 2}}, 6)),
			fmt.Sprintf("label %d of row 0", math.MinInt): func(p *Problem[float64], _ *Config) {
				p.Y = []int{math.MinInt, 0, 1, 0, 1, 0}
			},
			"no examples": func(p *Problem[float64], _ *Config) { p.X, p.Kernel = nil, &kernel.Matrix[float64]{} },
			"0-by-0 dual variables to start from, for 6 examples and 3 outputs": func(p *Problem[float64], _ *Config) {
				p.Start = &Result[float64]{}
			},
		},
	}.Run(t)
}
