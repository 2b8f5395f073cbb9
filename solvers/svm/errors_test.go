package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
)

// TestRefused: what makes no problem is an error that names the value and its place.
func TestRefused(t *testing.T) {
	x, y, targets := drawn[float32](rand.New(rand.NewPCG(45, 46)), 10, 3)
	for want, change := range map[string]func(p *Problem[float32], c *Config){
		"no labels: want Y or Targets":       func(p *Problem[float32], _ *Config) { p.Y = nil },
		"Y and Targets, want one of them":    func(p *Problem[float32], _ *Config) { p.Targets = targets },
		"label 2 of row 3, want one in 0..1": func(p *Problem[float32], _ *Config) { p.Y[3] = 2 },
		"label -1 of row 3, want at least 0": func(p *Problem[float32], _ *Config) { p.Y[3] = -1 },
		"9 labels for 10 examples":           func(p *Problem[float32], _ *Config) { p.Y = p.Y[:9] },
		"9 targets for 10 examples": func(p *Problem[float32], _ *Config) {
			p.Y, p.Targets = nil, targets[:9]
		},
		"target NaN of row 1": func(p *Problem[float32], _ *Config) {
			p.Y, p.Targets = nil, append([]float64{0, math.NaN()}, targets[2:]...)
		},
		"target 1e-170 of row 9 with squared losses": func(p *Problem[float32], c *Config) {
			p.Y, p.Targets, c.Loss = nil, make([]float64, 10), SquaredInsensitive
			p.Targets[1], p.Targets[9], c.Epsilon = 1e-180, 1e-170, 1e-175
		},
		"target 1e+31 of row 1": func(p *Problem[float32], _ *Config) {
			p.Y, p.Targets = nil, append([]float64{0, 1e31}, targets[2:]...)
		},
		"2 Names with Targets": func(p *Problem[float32], _ *Config) {
			p.Y, p.Targets, p.Names = nil, targets, []string{"a", "b"}
		},
		"3 names for 2 outputs": func(p *Problem[float32], _ *Config) {
			p.Names = []string{"a", "b", "c"}
		},
		"the same name \"a\"":                   func(p *Problem[float32], _ *Config) { p.Names = []string{"a", "a"} },
		"Loss = 7, want one":                    func(_ *Problem[float32], c *Config) { c.Loss = 7 },
		"Loss = epsilon-insensitive of classes": func(_ *Problem[float32], c *Config) { c.Loss = Insensitive },
		"Loss = hinge of Targets": func(p *Problem[float32], c *Config) {
			p.Y, p.Targets, c.Loss = nil, targets, Hinge
		},
		"Epsilon = 0.1 with classes": func(_ *Problem[float32], c *Config) { c.Epsilon = .1 },
		"Epsilon = -1, want": func(p *Problem[float32], c *Config) {
			p.Y, p.Targets, c.Epsilon = nil, targets, -1
		},
		"C = -1, want": func(_ *Problem[float32], c *Config) { c.C = -1 },
		"X and Kernel, want one": func(p *Problem[float32], _ *Config) {
			p.Kernel = familytest.Kernel[float32](t, x, kernel.Linear{})
		},
		"no examples: want X or Kernel": func(p *Problem[float32], _ *Config) { p.X = nil },
		"weight -1 of row 2": func(p *Problem[float32], _ *Config) {
			p.Weights = []float64{1, 1, -1, 1, 1, 1, 1, 1, 1, 1}
		},
		"OneClass and Y or Targets":      func(p *Problem[float32], _ *Config) { p.OneClass = true },
		"want Y or Targets, or OneClass": func(p *Problem[float32], _ *Config) { p.Y = nil },
		"Nu = 0.2 with Y":                func(_ *Problem[float32], c *Config) { c.Nu = .2 },
		"Nu = 1.5, want": func(p *Problem[float32], c *Config) {
			p.Y, p.OneClass, c.Nu = nil, true, 1.5
		},
		"Nu = -1, want": func(p *Problem[float32], c *Config) {
			p.Y, p.OneClass, c.Nu = nil, true, -1
		},
		"C = 2 with OneClass": func(p *Problem[float32], c *Config) { p.Y, p.OneClass, c.C = nil, true, 2 },
		"Loss = hinge with OneClass": func(p *Problem[float32], c *Config) {
			p.Y, p.OneClass, c.Loss = nil, true, Hinge
		},
		"Epsilon = 0.1 with OneClass": func(p *Problem[float32], c *Config) {
			p.Y, p.OneClass, c.Epsilon = nil, true, .1
		},
		"second derivatives of 2147483647 features by 2147483647": func(p *Problem[float32], c *Config) {
			p.X, p.Y = &dataset.CSR[float32]{Rows: 2, Cols: math.MaxInt32, Ptr: []int{0, 0, 0}}, []int{0, 1}
			c.Algorithm = Newton
		},
		"Bias = 1 with OneClass": func(p *Problem[float32], c *Config) { p.Y, p.OneClass, c.Bias = nil, true, 1 },
		"Algorithm = Newton with OneClass": func(p *Problem[float32], c *Config) {
			p.Y, p.OneClass, c.Algorithm = nil, true, Newton
		},
		"Bias = 1 and Offset": func(_ *Problem[float32], c *Config) { c.Bias, c.Offset = 1, true },
		"2 Names with OneClass": func(p *Problem[float32], _ *Config) {
			p.Y, p.OneClass, p.Names = nil, true, []string{"a", "b"}
		},
		"all 10 weights are 0": func(p *Problem[float32], _ *Config) { p.Weights = make([]float64, 10) },
	} {
		p, c := Problem[float32]{X: x, Y: append([]int(nil), y...)}, Config{}
		change(&p, &c)
		r, err := p.Fit(context.Background(), c)
		contains(t, err, "svm: ", want)
		_, err2 := p.Memory(c)
		contains(t, err2, "svm: ", want)
		if r != nil {
			t.Errorf("%s: a result besides", want)
		}
	}
	zero := PathConfig{Cs: []float64{0}}
	if _, err := (Problem[float32]{X: x, Y: y}).Path(context.Background(), Config{}, zero); err == nil {
		t.Error("a path of C = 0")
	}
	p := Problem[float32]{X: x, Y: y}
	if _, err := p.Path(context.Background(), Config{}, PathConfig{Epsilons: []float64{1}}); err == nil {
		t.Error("a path of epsilons with classes")
	}
}

// TestOverflow: weights whose dual value is beyond float64 are an error.
func TestOverflow(t *testing.T) {
	x, _, _ := drawn[float64](rand.New(rand.NewPCG(49, 50)), 20, 3)
	p := Problem[float64]{X: x, OneClass: true, Weights: slices.Repeat([]float64{1e199}, 20)}
	_, err := p.Fit(context.Background(), Config{})
	if want := "give a dual value beyond float64"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// TestOneSided: examples of one class, and equal targets, are no errors.
func TestOneSided(t *testing.T) {
	x, y, targets := drawn[float64](rand.New(rand.NewPCG(47, 48)), 20, 3)
	for i := range y {
		y[i], targets[i] = 1, 0
	}
	for _, l := range losses {
		r := solve(t, Problem[float64]{X: x}.of(l, y, targets), Config{Loss: l, Bias: 1})
		if l.ofTargets() && r.Certificate.Primal != 0 {
			t.Errorf("%v: %v of targets 0", l, r.Outcome)
		}
		r = solve(t, Problem[float64]{X: x}.of(l, y, targets), Config{Loss: l, Offset: true})
		if r.Certificate.Primal != 0 || !l.ofTargets() && r.Linear.Bias()[0] < 1 {
			t.Errorf("%v: %v, with an offset of %v", l, r.Outcome, r.Linear.Bias())
		}
	}
}
