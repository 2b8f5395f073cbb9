package toprank

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers/internal/familytest"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestErrors: what makes no problem is an error that names the value and its place.
func TestErrors(t *testing.T) {
	type change = familytest.Change[Problem[float64], Config]
	truth := ranktruth.Draw(rand.New(rand.NewPCG(55, 56)), 6, 3)
	x := &dataset.Dense[float64]{Matrix: ranktruth.Features[float64](truth)}
	nan, inf := math.NaN(), math.Inf(1)
	config := func(set func(c *Config)) change { return func(_ *Problem[float64], c *Config) { set(c) } }
	start := func(alpha, beta []float64) change {
		return func(p *Problem[float64], c *Config) { p.Start = &Result[float64]{Alpha: alpha, Beta: beta} }
	}
	positive := func(y ...bool) change { return func(p *Problem[float64], c *Config) { p.Positive = y } }
	six := func(v float64) []float64 { return slices.Repeat([]float64{v}, 6) }
	familytest.Errors[Problem[float64], Config, *Result[float64]]{
		Name: "toprank",
		Make: func() (Problem[float64], Config) {
			return Problem[float64]{X: x, Positive: slices.Clone(truth.Positive)}, Config{}
		},
		Path: func(p Problem[float64], c Config, cv solvers.CrossValidation) (any, error) {
			return p.Path(context.Background(), c, PathConfig{Cs: []float64{1}, CrossValidation: cv})
		},
		Own: []string{"C = ", "and 6 betas", "and 0 betas", "of example", "K = 5"},
		Cases: map[string]change{
			"Method = 2":        config(func(c *Config) { c.Method = 2 }),
			"Method = -1":       config(func(c *Config) { c.Method = -1 }),
			"Theta1 = -2":       config(func(c *Config) { c.Theta1 = -2 }),
			"Theta2 = NaN":      config(func(c *Config) { c.Theta2 = nan }),
			"K = 5":             config(func(c *Config) { c.K = 5 }), // of 4 negative ones
			"K = 3 with PatMat": config(func(c *Config) { c.Method, c.K = PatMat, 3 }),
			"Tau = 0.1":         config(func(c *Config) { c.Tau = .1 }),
			"All = true":        config(func(c *Config) { c.All = true }),
			"Tau = 1, ":         config(func(c *Config) { c.Method, c.Tau = PatMat, 1 }),
			"Tau = -0.5, ":      config(func(c *Config) { c.Method, c.Tau = PatMat, -.5 }),
			"Tau = NaN, ":       config(func(c *Config) { c.Method, c.Tau = PatMat, nan }),
			"C = 1e+300":        config(func(c *Config) { c.C = 1e300 }),
			"Theta1 = 1e-300":   config(func(c *Config) { c.Theta1 = 1e-300 }),

			"5 ":                                    positive(true, false, true, false, true), // for 6 examples
			"0 positive examples of 6":              positive(false, false, false, false, false, false),
			"6 positive examples of 6":              positive(true, true, true, true, true, true),
			"4 alphas and 6 betas, but there are 6": start(six(1)[:4], six(1)),
			"6 alphas and 0 betas, but there are 6": start(six(1), nil),
			"NaN of example 0":                      start(six(nan), six(0)),
			"+Inf of example 1":                     start(six(0), append([]float64{0, inf}, six(0)[:4]...)),
			"-1 of example 2":                       start(append([]float64{0, 0, -1}, six(0)[:3]...), six(0)),
			"alpha = 1 of example 1":                start(append([]float64{0, 1}, six(0)[:4]...), six(0)),
			"0 positive examples of 0": func(p *Problem[float64], c *Config) {
				p.X, p.Positive = &dataset.Dense[float64]{}, []bool{}
			},
			"Positive": func(p *Problem[float64], c *Config) { p.Positive = nil },
			"0":        func(p *Problem[float64], c *Config) { p.X, p.Kernel = nil, &kernel.Matrix[float64]{} },
		},
	}.Run(t)
	if _, err := (&Model[float64]{}).Decide(x, 0); err == nil {
		t.Error("decisions without a model")
	}
}

// TestModelErrors: Open and Decide refuse what has no threshold, and scores that are NaN.
func TestModelErrors(t *testing.T) {
	p := some(12)[0]
	q := problemsOf[float64](t, linearOf(p))["dense"]
	r := solve(t, q, Config{})
	if _, err := Open[float64](nil); err == nil {
		t.Error("no model opened")
	}
	for _, notes := range []map[string]string{nil, {"threshold": "high"}, {"threshold": "NaN"}, {"threshold": "+Inf"}} {
		if _, err := Open(r.Model.Model.WithNotes(notes)); err == nil || !strings.HasPrefix(err.Error(), "toprank: ") {
			t.Errorf("%v: %v", notes, err)
		}
	}
	bad := ranktruth.Features[float64](p)
	bad.Row(7)[1] = math.NaN()
	_, err := r.Decide(&dataset.Dense[float64]{Matrix: bad}, 0)
	contains(t, err, "row 7")
	_, err = r.Decide(&dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](3, 5)}, 0)
	contains(t, err, "5")
	_, err = r.Decide(q.X, -1)
	contains(t, err, "-1")
}
