package mkl

import (
	"context"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// TestErrors: what makes no problem is refused, with the numbers that clash.
func TestErrors(t *testing.T) {
	type change = familytest.Change[Problem[float64], Config]
	config := func(set func(c *Config)) change { return func(_ *Problem[float64], c *Config) { set(c) } }
	p := views[float64](t, 10, 12, 3)
	familytest.Errors[Problem[float64], Config, *Result[float64]]{
		Name: "mkl",
		Make: func() (Problem[float64], Config) {
			q := p
			q.Y = slices.Clone(p.Y)
			return q, Config{}
		},
		Path: func(p Problem[float64], c Config, cv solvers.CrossValidation) (any, error) {
			return p.Path(context.Background(), c, PathConfig{Cs: []float64{1}, CrossValidation: cv})
		},
		Own: []string{"C = "},
		Cases: map[string]change{
			"no examples: want a Bundle":                func(p *Problem[float64], c *Config) { p.Bundle = nil },
			"P = 1, want a number above 1, at most 2":   config(func(c *Config) { c.P = 1 }),
			"P = NaN, want a number above 1, at most 2": config(func(c *Config) { c.P = math.NaN() }),
			"P = 2.5, want a number above 1, at most 2": config(func(c *Config) { c.P = 2.5 }),
			"C = 1e+300 and the weight 1 of row 0":      config(func(c *Config) { c.C = 1e300 }),
			"12 examples of 0 features with":            config(func(c *Config) { c.Classes = math.MaxInt }),
			"K = 3 with 3 classes, want K < classes":    config(func(c *Config) { c.K = 3 }),
			"label 2 of row 2, want one in 0..1: there": config(func(c *Config) { c.Classes = 2 }),
			"of row 2, want one in 0..1: there are 2 cl": func(p *Problem[float64], c *Config) {
				p.Names = []string{"a", "b"}
			},
		},
	}.Run(t)
	for want, call := range map[string]func() error{
		"mkl: P = 0, want a number above 1, at most 2": func() error {
			_, err := p.Path(context.Background(), Config{}, PathConfig{Ps: []float64{0}})
			return err
		},
		"mkl: C = 0, want a positive number": func() error {
			_, err := p.Path(context.Background(), Config{}, PathConfig{Cs: []float64{0}})
			return err
		},
		"mkl: 1 values of P and 0 of C, want one of each at least": func() error {
			_, err := p.Path(context.Background(), Config{}, PathConfig{Cs: []float64{}})
			return err
		},
	} {
		if err := call(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestNoKernel: matrices that are no kernels are errors that say which, where it shows.
func TestNoKernel(t *testing.T) {
	k := vec.MatrixOf(4, 4, []float64{1, 3, 0, 0, 3, 1, 0, 0, 0, 0, 1, 3, 0, 0, 3, 1})
	m, err := kernel.Precomputed(k)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.New(0, bundle.Group[float64]{Matrix: m})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Fit(context.Background(), b, []int{0, 1, 0, 1}, Config{P: 1.5, C: 10})
	if err == nil || !strings.HasPrefix(err.Error(),
		"mkl: kernel 0: the kernel matrix is not positive semi-definite: |W|² = -") {
		t.Errorf("%v", err)
	}
}

// TestOneKernel: a single kernel, an example of each class, kernels that are all 0: no special cases.
func TestOneKernel(t *testing.T) {
	one, err := kernel.Precomputed(vec.MatrixOf(2, 2, []float64{1, 0, 0, 1}))
	if err != nil {
		t.Fatal(err)
	}
	none, err := kernel.Precomputed(vec.NewMatrix[float64](2, 2))
	if err != nil {
		t.Fatal(err)
	}
	for name, groups := range map[string][]bundle.Group[float64]{
		"one": {{Matrix: one}}, "one and none": {{Matrix: none}, {Matrix: one}}, "none": {{Matrix: none}},
		"two of none": {{Matrix: none}, {Matrix: none}},
	} {
		b, err := bundle.New(0, groups...)
		if err != nil {
			t.Fatal(err)
		}
		for _, norm := range []float64{1.01, 1.5, 2} {
			c := Config{P: norm, C: 10, Tol: 1e-6}
			p := Problem[float64]{Bundle: b, Y: []int{0, 1}}
			r := fit(t, p, c)
			if r.Status != solvers.Converged {
				t.Errorf("%s, p = %v: %v", name, norm, r.Outcome)
			}
			honest(t, p, c, r)
		}
	}
}
