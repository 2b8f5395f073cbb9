package l1

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// TestErrors: what makes no problem is an error that names the value and its place, of every entry point.
func TestErrors(t *testing.T) {
	type change = familytest.Change[Problem[float64], Config]
	s := draw(7, 6, 3, 3)
	nan, inf := math.NaN(), math.Inf(1)
	config := func(set func(c *Config)) change { return func(_ *Problem[float64], c *Config) { set(c) } }
	classWeights := func(w ...float64) change { return config(func(c *Config) { c.ClassWeights = w }) }
	start := func(m *Model[float64]) change {
		return func(p *Problem[float64], _ *Config) { p.Start = &Result[float64]{Model: m} }
	}
	other := draw(7, 12, 4, 5)
	elsewhere := fit(t, Problem[float64]{X: dense[float64](other), Y: other.y}, Config{}).Model
	familytest.Errors[Problem[float64], Config, *Result[float64]]{
		Name: "l1",
		Make: func() (Problem[float64], Config) {
			return Problem[float64]{X: dense[float64](s), Y: slices.Clone(s.y)}, Config{}
		},
		Path: func(p Problem[float64], c Config, cv solvers.CrossValidation) (any, error) {
			return p.Path(context.Background(), c, PathConfig{Cs: []float64{.1, 1}, CrossValidation: cv})
		},
		Calls: map[string]func(p Problem[float64], c Config) error{
			"LargestC": func(p Problem[float64], c Config) error { _, err := p.LargestC(c); return err },
		},
		Own: []string{"C = ", "Start "},
		Cases: map[string]change{
			"C = -1, want a positive number":                  config(func(c *Config) { c.C = -1 }),
			"C = NaN, want a positive number":                 config(func(c *Config) { c.C = nan }),
			"C = +Inf, want a positive number":                config(func(c *Config) { c.C = inf }),
			"Loss = 2, want SquaredHinge, 0, or Logistic, 1":  config(func(c *Config) { c.Loss = 2 }),
			"Loss = -1, want SquaredHinge, 0, or Logistic, 1": config(func(c *Config) { c.Loss = -1 }),
			"2 class weights for 3 classes":                   classWeights(1, 2),
			"weight -1 of class 1":                            classWeights(1, -1, 1),
			"Classes = -2":                                    config(func(c *Config) { c.Classes = -2 }),
			"beyond this machine":                             config(func(c *Config) { c.Classes = math.MaxInt }),
			"Bias = 1e+200, whose square is +Inf":             config(func(c *Config) { c.Bias = 1e200 }),
			"row 3": func(p *Problem[float64], c *Config) {
				p.Y, c.Classes = []int{0, 1, 0, 2, 0, 0}, 2
			},
			`the same name "a"`: func(p *Problem[float64], c *Config) { p.Names = []string{"a", "b", "a"} },
			"2 names for 3 outputs": func(p *Problem[float64], c *Config) {
				p.Names, c.Classes = []string{"a", "b"}, 3
			},
			"no examples": func(p *Problem[float64], c *Config) {
				p.X, p.Y = &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](0, 3)}, []int{}
			},
			"Start without a model": start(nil),
			"Start with 0 features and 0 classes, but there are 3 and 3": start(&linear.Model[float64]{}),
			"Start with 4 features and 5 classes, but there are 3 and 3": start(elsewhere),
		},
	}.Run(t)
}

// TestPathErrors: grids and folds that mean nothing, before anything is trained.
func TestPathErrors(t *testing.T) {
	s := draw(8, 12, 3, 3)
	p := Problem[float64]{X: dense[float64](s), Y: s.y}
	for want, path := range map[string]PathConfig{
		"C = 0":                       {Cs: []float64{.1, 0}},
		"C = -1":                      {Cs: []float64{.1, -1}},
		"C = NaN":                     {Cs: []float64{.1, math.NaN()}},
		"top-4 accuracy of 3 classes": {Tops: 4},
		"top--1 accuracy":             {Tops: -1},
		"-2":                          {CrossValidation: solvers.CrossValidation{Folds: -2}},
		"1 fold":                      {CrossValidation: solvers.CrossValidation{Folds: 1}},
		"13":                          {CrossValidation: solvers.CrossValidation{Folds: 13}},
	} {
		trained := false
		c := Config{Progress: func(solvers.Progress) { trained = true }}
		points, err := p.Path(context.Background(), c, path)
		if err == nil || !strings.HasPrefix(err.Error(), "l1: ") || !strings.Contains(err.Error(), want) ||
			len(points) > 0 || trained {
			t.Errorf("%s: %d points, %v", want, len(points), err)
		}
	}
}
