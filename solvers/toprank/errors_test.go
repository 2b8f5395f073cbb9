package toprank

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestErrors: what makes no problem is an error that names the value and its place.
func TestErrors(t *testing.T) {
	truth := ranktruth.Draw(rand.New(rand.NewPCG(55, 56)), 6, 3)
	x := &dataset.Dense[float64]{Matrix: ranktruth.Features[float64](truth)}
	nan, inf := math.NaN(), math.Inf(1)
	spoiled := func(v float64) func(p *Problem[float64], c *Config) {
		return func(p *Problem[float64], c *Config) {
			bad := &dataset.Dense[float64]{Matrix: ranktruth.Features[float64](truth)}
			bad.Row(4)[2] = v
			p.X = bad
		}
	}
	config := func(set func(c *Config)) func(p *Problem[float64], c *Config) {
		return func(_ *Problem[float64], c *Config) { set(c) }
	}
	start := func(alpha, beta []float64) func(p *Problem[float64], c *Config) {
		return func(p *Problem[float64], c *Config) { p.Start = &Result[float64]{Alpha: alpha, Beta: beta} }
	}
	positive := func(y ...bool) func(p *Problem[float64], c *Config) {
		return func(p *Problem[float64], c *Config) { p.Positive = y }
	}
	six := func(v float64) []float64 { return slices.Repeat([]float64{v}, 6) }
	for want, change := range map[string]func(p *Problem[float64], c *Config){
		"Method = 2":            config(func(c *Config) { c.Method = 2 }),
		"Method = -1":           config(func(c *Config) { c.Method = -1 }),
		"Loss = 2":              config(func(c *Config) { c.Loss = 2 }),
		"C = -1":                config(func(c *Config) { c.C = -1 }),
		"C = NaN":               config(func(c *Config) { c.C = nan }),
		"C = +Inf":              config(func(c *Config) { c.C = inf }),
		"Theta1 = -2":           config(func(c *Config) { c.Theta1 = -2 }),
		"Theta2 = NaN":          config(func(c *Config) { c.Theta2 = nan }),
		"K = -3":                config(func(c *Config) { c.K = -3 }),
		"K = 5":                 config(func(c *Config) { c.K = 5 }), // of 4 negative ones
		"K = 3 with PatMat":     config(func(c *Config) { c.Method, c.K = PatMat, 3 }),
		"Tau = 0.1":             config(func(c *Config) { c.Tau = .1 }),
		"All = true":            config(func(c *Config) { c.All = true }),
		"Tau = 1, ":             config(func(c *Config) { c.Method, c.Tau = PatMat, 1 }),
		"Tau = -0.5, ":          config(func(c *Config) { c.Method, c.Tau = PatMat, -.5 }),
		"Tau = NaN, ":           config(func(c *Config) { c.Method, c.Tau = PatMat, nan }),
		"Tol = -1":              config(func(c *Config) { c.Tol = -1 }),
		"Tol = NaN":             config(func(c *Config) { c.Tol = nan }),
		"Epochs = -1":           config(func(c *Config) { c.Epochs = -1 }),
		"-2":                    config(func(c *Config) { c.Workers = -2 }),
		"checkpoints every 1ns": config(func(c *Config) { c.Checkpoint.Every = 1 }),
		"X and Kernel": func(p *Problem[float64], c *Config) {
			p.Kernel = kernelOf[float64](t, x, kernel.Linear{})
		},
		"C = 1e+300":                            func(p *Problem[float64], c *Config) { c.C = 1e300 },
		"Theta1 = 1e-300":                       func(p *Problem[float64], c *Config) { c.Theta1 = 1e-300 },
		"5 ":                                    positive(true, false, true, false, true), // for 6 examples
		"0 positive examples of 6":              positive(false, false, false, false, false, false),
		"6 positive examples of 6":              positive(true, true, true, true, true, true),
		"row 4, column 2: value NaN":            spoiled(nan),
		"row 4, column 2: value -Inf":           spoiled(-inf),
		"row 4":                                 spoiled(1e200),
		"4 alphas and 6 betas, but there are 6": start(six(1)[:4], six(1)),
		"6 alphas and 0 betas, but there are 6": start(six(1), nil),
		"NaN of example 0":                      start(six(nan), six(0)),
		"+Inf of example 1":                     start(six(0), append([]float64{0, inf}, six(0)[:4]...)),
		"-1 of example 2":                       start(append([]float64{0, 0, -1}, six(0)[:3]...), six(0)),
		"alpha = 1 of example 1":                start(append([]float64{0, 1}, six(0)[:4]...), six(0)),
		"0 positive examples of 0": func(p *Problem[float64], c *Config) {
			p.X, p.Positive = &dataset.Dense[float64]{}, []bool{}
		},
		"without features": func(p *Problem[float64], c *Config) {
			p.X = &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](6, 0)}
		},
		"row 1 has column 3": func(p *Problem[float64], c *Config) {
			p.X = &dataset.CSR[float64]{
				Rows: 6, Cols: 3, Ptr: []int{0, 1, 2, 2, 2, 2, 2}, Idx: []int32{0, 3}, Val: []float64{1, 2},
			}
		},
	} {
		p, c := Problem[float64]{X: x, Positive: slices.Clone(truth.Positive)}, Config{}
		change(&p, &c)
		r, err := p.Fit(context.Background(), c)
		if contains(t, err, "toprank: ", want); r != nil {
			t.Errorf("%s: %s", want, told(r))
		}
		if err != nil && (!strings.HasPrefix(err.Error(), "toprank: ") || strings.Count(err.Error(), "toprank") > 1) {
			t.Errorf("%q does not say once whose error it is", err)
		}
		points, err := p.Path(context.Background(), c, PathConfig{Cs: []float64{1}})
		if err == nil && !strings.Contains(want, "C = ") || len(points) > 0 && err != nil { // the path has its own C
			t.Errorf("%s: a path of %d points, %v", want, len(points), err)
		}
	}
}

// TestNoPanic: what is nil or a literal that does not fit is an error, wherever it stands.
func TestNoPanic(t *testing.T) {
	truth := ranktruth.Draw(rand.New(rand.NewPCG(57, 58)), 6, 3)
	x := &dataset.Dense[float64]{Matrix: ranktruth.Features[float64](truth)}
	ctx := context.Background()
	with := func(f design.Matrix[float64]) Problem[float64] {
		return Problem[float64]{X: f, Positive: truth.Positive}
	}
	literal := func(m vec.Matrix[float64]) Problem[float64] { return with(&dataset.Dense[float64]{Matrix: m}) }
	var noContext context.Context
	for name, c := range map[string]struct {
		ctx     context.Context
		problem Problem[float64]
		want    string
	}{
		"context":     {noContext, with(x), "toprank: no context"},
		"nothing":     {ctx, Problem[float64]{}, "X or Kernel"},
		"features":    {ctx, with(nil), "X or Kernel"},
		"dense":       {ctx, with((*dataset.Dense[float64])(nil)), "no examples"},
		"csr":         {ctx, with((*dataset.CSR[float64])(nil)), "no examples"},
		"kernel":      {ctx, Problem[float64]{Kernel: &kernel.Matrix[float64]{}, Positive: truth.Positive}, "0"},
		"labels":      {ctx, Problem[float64]{X: x}, "Positive"},
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
			if err := f(); err == nil || how != "folds" && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %s: %v, want %q", name, how, err, c.want)
			}
		}
		run("Fit", func() error { _, err := c.problem.Fit(c.ctx, Config{}); return err })
		run("Resume", func() error { _, err := c.problem.Resume(c.ctx, strings.NewReader("x"), Config{}); return err })
		run("Path", func() error { _, err := c.problem.Path(c.ctx, Config{}, PathConfig{}); return err })
		run("folds", func() error {
			_, err := c.problem.Path(c.ctx, Config{}, PathConfig{CrossValidation: solvers.CrossValidation{Folds: 2}})
			return err
		})
	}
	p := with(x)
	p.Start = &Result[float64]{Alpha: make([]float64, 6), Beta: make([]float64, 6)}
	_, err := p.Resume(ctx, strings.NewReader("x"), Config{})
	contains(t, err, "toprank: a state to resume from, and Start: need one of them")
	_, err = with(x).Resume(ctx, nil, Config{})
	contains(t, err, "toprank: no state to resume from")
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
