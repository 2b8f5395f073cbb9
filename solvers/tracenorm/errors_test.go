package tracenorm

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// contains checks that an error says each of some words.
func contains(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("%v, want %q", err, w)
		}
	}
}

// TestErrors: what makes no problem is an error that names the value and its place, of every entry point.
func TestErrors(t *testing.T) {
	s := draw(7, 6, 3, 3)
	nan, inf := math.NaN(), math.Inf(1)
	spoiled := func(v float64) func(p *Problem[float64], c *Config) {
		return func(p *Problem[float64], c *Config) {
			bad := dense[float64](s)
			bad.Row(4)[2] = v
			p.X = bad
		}
	}
	config := func(set func(c *Config)) func(p *Problem[float64], c *Config) {
		return func(_ *Problem[float64], c *Config) { set(c) }
	}
	labels := func(y ...int) func(p *Problem[float64], c *Config) {
		return func(p *Problem[float64], c *Config) { p.Y = y }
	}
	weights := func(w ...float64) func(p *Problem[float64], c *Config) {
		return func(p *Problem[float64], c *Config) { p.Weights = w }
	}
	for want, change := range map[string]func(p *Problem[float64], c *Config){
		"Lambda1 = -1":          config(func(c *Config) { c.Lambda1 = -1 }),
		"Lambda1 = NaN":         config(func(c *Config) { c.Lambda1 = nan }),
		"Lambda1 = +Inf":        config(func(c *Config) { c.Lambda1 = inf }),
		"Lambda1 = 1e+300":      config(func(c *Config) { c.Lambda1 = 1e300 }),
		"Lambda1 = 1e-300":      config(func(c *Config) { c.Lambda1 = 1e-300 }),
		"Lambda2 = -1":          config(func(c *Config) { c.Lambda2 = -1 }),
		"Lambda2 = NaN":         config(func(c *Config) { c.Lambda2 = nan }),
		"Lambda2 = 1e+300":      config(func(c *Config) { c.Lambda2 = 1e300 }),
		"Classes = -3":          config(func(c *Config) { c.Classes = -3 }),
		"beyond this machine":   config(func(c *Config) { c.Classes = math.MaxInt }),
		"row 3":                 labels(0, 1, 0, 2, 0, 0), // of two classes
		"label -1 of row 5":     labels(0, 1, 0, 2, 0, -1),
		"Rank = -1":             config(func(c *Config) { c.Rank = -1 }),
		"Rank = 4":              config(func(c *Config) { c.Rank = 4 }),
		"at most 3":             config(func(c *Config) { c.Rank = 7 }),
		"Tol = -1":              config(func(c *Config) { c.Tol = -1 }),
		"Tol = NaN":             config(func(c *Config) { c.Tol = nan }),
		"Epochs = -1":           config(func(c *Config) { c.Epochs = -1 }),
		"Workers = -2":          config(func(c *Config) { c.Workers = -2 }),
		"Bias = NaN":            config(func(c *Config) { c.Bias = nan }),
		"Bias = +Inf":           config(func(c *Config) { c.Bias = inf }),
		"checkpoints every 1ns": config(func(c *Config) { c.Checkpoint.Every = 1 }),
		"5 labels":              labels(0, 1, 2, 0, 1),
		"all 6 labels are 0":    labels(0, 0, 0, 0, 0, 0),
		"4 weights":             weights(1, 1, 1, 1),
		"-1 of row 2":           weights(1, 1, -1, 1, 1, 1),
		"NaN":                   weights(1, 1, 1, nan, 1, 1),
		"2 names for 3 outputs": func(p *Problem[float64],
			c *Config) {
			p.Names, c.Classes = []string{"a", "b"}, 3
		},
		`the same name "a"`:           func(p *Problem[float64], c *Config) { p.Names = []string{"a", "b", "a"} },
		"row 4, column 2: value NaN":  spoiled(nan),
		"row 4, column 2: value +Inf": spoiled(inf),
		"norm of row 4":               spoiled(1e200),
		"no labels":                   func(p *Problem[float64], c *Config) { p.Y = nil },
		"without features": func(p *Problem[float64], c *Config) {
			p.X = &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](6, 0)}
		},
		"no examples": func(p *Problem[float64], c *Config) {
			p.X, p.Y = &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](0, 3)}, []int{}
		},
		"row 1 has column 3": func(p *Problem[float64], c *Config) {
			p.X = &dataset.CSR[float64]{
				Rows: 6, Cols: 3, Ptr: []int{0, 1, 2, 2, 2, 2, 2}, Idx: []int32{0, 3}, Val: []float64{1, 2},
			}
		},
	} {
		p, c := Problem[float64]{X: dense[float64](s), Y: slices.Clone(s.y)}, Config{}
		change(&p, &c)
		if want == "row 3" {
			c.Classes = 2
		}
		check := func(how string, none bool, err error) {
			t.Helper()
			if contains(t, err, want); !none {
				t.Errorf("%s, %s: a result besides", want, how)
			}
			if err != nil && (!strings.HasPrefix(err.Error(), "tracenorm: ") ||
				strings.Count(err.Error(), "tracenorm") > 1) {
				t.Errorf("%s: %q does not say once whose error it is", how, err)
			}
		}
		r, err := p.Fit(context.Background(), c)
		check("Fit", r == nil, err)
		r, err = p.Resume(context.Background(), strings.NewReader("x"), c)
		check("Resume", r == nil, err)
		r, steps, err := p.RankOne(context.Background(), c, RankOneOptions{})
		check("RankOne", r == nil && steps == nil, err)
		points, err := p.Path(context.Background(), c, PathConfig{Lambda1s: []float64{.1}, Lambda2s: []float64{.1}})
		check("Path", len(points) == 0, err)
		if !strings.Contains(want, "Lambda") { // it has its own
			_, err = p.LargestLambda1(c)
			check("LargestLambda1", true, err)
		}
	}
	r, err := Problem[float32]{X: dense[float32](s), Y: s.y}.Fit(context.Background(), Config{Bias: 1e300})
	if contains(t, err, "tracenorm: ", "Bias = 1e+300"); r != nil {
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
		if contains(t, err, "tracenorm: ", want); len(points) > 0 || trained {
			t.Errorf("%s: %d points", want, len(points))
		}
	}
}

// TestNoPanic: what is nil or a literal that does not fit is an error, wherever it stands.
func TestNoPanic(t *testing.T) {
	s := draw(7, 6, 3, 3)
	ctx := context.Background()
	with := func(f design.Matrix[float64]) Problem[float64] { return Problem[float64]{X: f, Y: s.y} }
	literal := func(m vec.Matrix[float64]) Problem[float64] { return with(&dataset.Dense[float64]{Matrix: m}) }
	var none context.Context
	for name, c := range map[string]struct {
		ctx     context.Context
		problem Problem[float64]
		want    string
	}{
		"context":     {none, with(dense[float64](s)), "tracenorm: no context"},
		"nothing":     {ctx, Problem[float64]{}, "no examples"},
		"features":    {ctx, with(nil), "no examples"},
		"dense":       {ctx, with((*dataset.Dense[float64])(nil)), "no examples"},
		"csr":         {ctx, with((*dataset.CSR[float64])(nil)), "no examples"},
		"data":        {ctx, literal(vec.Matrix[float64]{Rows: 6, Cols: 3, Stride: 3}), "too few"},
		"negative":    {ctx, literal(vec.Matrix[float64]{Rows: 6, Cols: -3, Stride: 3}), "-3 columns"},
		"csr literal": {ctx, with(&dataset.CSR[float64]{Rows: 6, Cols: 3}), "6"},
	} {
		run := func(how string, f func() error) {
			t.Helper()
			defer func() {
				if e := recover(); e != nil {
					t.Errorf("%s: %s panics: %v", name, how, e)
				}
			}()
			if err := f(); err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.HasPrefix(err.Error(), "tracenorm: ") {
				t.Errorf("%s: %s: %v, want %q", name, how, err, c.want)
			}
		}
		run("Fit", func() error { _, err := c.problem.Fit(c.ctx, Config{}); return err })
		run("Resume", func() error { _, err := c.problem.Resume(c.ctx, strings.NewReader("x"), Config{}); return err })
		run("RankOne", func() error { _, _, err := c.problem.RankOne(c.ctx, Config{}, RankOneOptions{}); return err })
		run("Path", func() error { _, err := c.problem.Path(c.ctx, Config{}, PathConfig{}); return err })
		run("folds", func() error {
			_, err := c.problem.Path(c.ctx, Config{}, PathConfig{CrossValidation: solvers.CrossValidation{Folds: 2}})
			return err
		})
	}
	p := with(dense[float64](s))
	_, err := p.Resume(ctx, nil, Config{})
	contains(t, err, "tracenorm: no state to resume from")
	p.Start = fit(t, p, Config{})
	_, err = p.Resume(ctx, strings.NewReader("x"), Config{})
	contains(t, err, "tracenorm: a state to resume from, and Start: need one of them")

	p.Start = &Result[float64]{}
	_, err = p.Fit(ctx, Config{})
	contains(t, err, "tracenorm: Start without a model")
	p.Start.Model = &linear.LowRank[float64]{}
	_, err = p.Fit(ctx, Config{})
	contains(t, err, "tracenorm: Start with 0 features and 0 classes, but there are 3 and 3")
	other := draw(7, 12, 4, 5)
	p.Start = fit(t, Problem[float64]{X: dense[float64](other), Y: other.y}, Config{})
	_, err = p.Fit(ctx, Config{})
	contains(t, err, "tracenorm: Start with 4 features and 5 classes, but there are 3 and 3")
}
