package tracenorm

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers/internal/familytest"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// TestErrors: what makes no problem is an error that names the value and its place, of every entry point.
func TestErrors(t *testing.T) {
	type change = familytest.Change[Problem[float64], Config]
	s := draw(7, 6, 3, 3)
	nan, inf := math.NaN(), math.Inf(1)
	config := func(set func(c *Config)) change { return func(_ *Problem[float64], c *Config) { set(c) } }
	start := func(m *Model[float64]) change {
		return func(p *Problem[float64], _ *Config) { p.Start = &Result[float64]{Model: m} }
	}
	prior := func(rows, cols int, v float64) change {
		return func(p *Problem[float64], _ *Config) {
			p.Prior = vec.NewMatrix[float64](rows, cols)
			p.Prior.Data[5] = v
		}
	}
	other := draw(7, 12, 4, 5)
	elsewhere := fit(t, Problem[float64]{X: dense[float64](other), Y: other.y}, Config{}).Model
	familytest.Errors[Problem[float64], Config, *Result[float64]]{
		Name: "tracenorm",
		Make: func() (Problem[float64], Config) {
			return Problem[float64]{X: dense[float64](s), Y: slices.Clone(s.y)}, Config{}
		},
		Path: func(p Problem[float64], c Config, cv solvers.CrossValidation) (any, error) {
			return p.Path(context.Background(), c, PathConfig{Lambda1s: []float64{.1}, Lambda2s: []float64{.1},
				CrossValidation: cv})
		},
		Calls: map[string]func(p Problem[float64], c Config) error{
			"LargestLambda1": func(p Problem[float64], c Config) error { _, err := p.LargestLambda1(c); return err },
		},
		Own: []string{"Lambda", "Start "},
		Cases: map[string]change{
			"Prior is 3-by-2 for 3 features and 3 outputs, want 3-by-3": prior(3, 2, 1),
			"Prior is 4-by-3 for 3 features and 3 outputs, want 3-by-3": prior(4, 3, 1),
			"Prior of row 1 and output 2 is NaN, want a finite number":  prior(3, 3, nan),
			"Prior of row 1 and output 2 is +Inf, want a finite number": prior(3, 3, inf),
			"Lambda1 = -1":        config(func(c *Config) { c.Lambda1 = -1 }),
			"Lambda1 = NaN":       config(func(c *Config) { c.Lambda1 = nan }),
			"Lambda1 = +Inf":      config(func(c *Config) { c.Lambda1 = inf }),
			"Lambda1 = 1e+300":    config(func(c *Config) { c.Lambda1 = 1e300 }),
			"Lambda1 = 1e-300":    config(func(c *Config) { c.Lambda1 = 1e-300 }),
			"Lambda2 = -1":        config(func(c *Config) { c.Lambda2 = -1 }),
			"Lambda2 = NaN":       config(func(c *Config) { c.Lambda2 = nan }),
			"Lambda2 = 1e+300":    config(func(c *Config) { c.Lambda2 = 1e300 }),
			"beyond this machine": config(func(c *Config) { c.Classes = math.MaxInt }),
			"Rank = -1":           config(func(c *Config) { c.Rank = -1 }),
			"Rank = 4":            config(func(c *Config) { c.Rank = 4 }),
			"at most 3":           config(func(c *Config) { c.Rank = 7 }),
			"row 3":               func(p *Problem[float64], c *Config) { p.Y, c.Classes = []int{0, 1, 0, 2, 0, 0}, 2 },
			"2 names for 3 outputs": func(p *Problem[float64], c *Config) {
				p.Names, c.Classes = []string{"a", "b"}, 3
			},
			`the same name "a"`: func(p *Problem[float64], c *Config) { p.Names = []string{"a", "b", "a"} },
			"no examples": func(p *Problem[float64], c *Config) {
				p.X, p.Y = &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](0, 3)}, []int{}
			},
			"Start without a model": start(nil),
			"Start with 0 features and 0 classes, but there are 3 and 3": start(&linear.LowRank[float64]{}),
			"Start with 4 features and 5 classes, but there are 3 and 3": start(elsewhere),
		},
	}.Run(t)
	pulled := Problem[float64]{X: dense[float64](s), Y: s.y, Prior: quarters(3, 3)}
	if got, err := pulled.Fit(context.Background(), Config{Lambda1: .1}); got != nil {
		t.Error("a prior without Lambda2", err)
	} else {
		familytest.Contains(t, err, "tracenorm: Prior, 3-by-3, with Lambda2 = 0, want Lambda2 above 0")
	}
	r, err := Problem[float32]{X: dense[float32](s), Y: s.y}.Fit(context.Background(), Config{Bias: 1e300})
	if familytest.Contains(t, err, "tracenorm: ", "Bias = 1e+300"); r != nil {
		t.Error(told(r))
	}
}

// TestPathErrors: grids and folds that mean nothing, before anything is trained.
func TestPathErrors(t *testing.T) {
	s := draw(8, 12, 3, 3)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	for want, path := range map[string]PathConfig{
		"Lambda1 = 0 with Lambda2 = 0": {Lambda1s: []float64{.1, 0}, Lambda2s: []float64{.1, 0}},
		"Lambda1 = -1":                 {Lambda1s: []float64{.1, -1}},
		"Lambda2 = NaN":                {Lambda1s: []float64{.1}, Lambda2s: []float64{math.NaN()}},
		"top-4 accuracy of 3 classes":  {Tops: 4},
		"top--1 accuracy":              {Tops: -1},
		"-2":                           {CrossValidation: solvers.CrossValidation{Folds: -2}},
		"1 fold":                       {CrossValidation: solvers.CrossValidation{Folds: 1}},
		"13":                           {CrossValidation: solvers.CrossValidation{Folds: 13}},
	} {
		trained := false
		c := Config{Progress: func(solvers.Progress) { trained = true }}
		points, err := p.Path(context.Background(), c, path)
		if familytest.Contains(t, err, "tracenorm: ", want); len(points) > 0 || trained {
			t.Errorf("%s: %d points", want, len(points))
		}
	}
}
