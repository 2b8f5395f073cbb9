package mkl

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestErrors: what makes no problem is refused, with the numbers that clash.
func TestErrors(t *testing.T) {
	p := views[float64](t, 10, 12, 3)
	for want, change := range map[string]func(p *Problem[float64], c *Config){
		"no examples: need a Bundle": func(p *Problem[float64],
			c *Config) {
			p.Bundle = nil
		},
		"P = 1, need a number above 1, at most 2": func(p *Problem[float64],
			c *Config) {
			c.P = 1
		},
		"P = NaN, need a number above 1, at most 2": func(p *Problem[float64],
			c *Config) {
			c.P = math.NaN()
		},
		"P = 2.5, need a number above 1, at most 2": func(p *Problem[float64],
			c *Config) {
			c.P = 2.5
		},
		"C = -1, need a positive number": func(p *Problem[float64],
			c *Config) {
			c.C = -1
		},
		"C = +Inf, need a positive number": func(p *Problem[float64],
			c *Config) {
			c.C = math.Inf(1)
		},
		"C = 1e+300 and the weight 1 of row 0": func(p *Problem[float64],
			c *Config) {
			c.C = 1e300
		},
		"Loss = 7, need TopKHinge, 0, or TopKUsunier, 1": func(p *Problem[float64],
			c *Config) {
			c.Loss = 7
		},
		"K = -1, need at least 1": func(p *Problem[float64],
			c *Config) {
			c.K = -1
		},
		"K = 3 with 3 classes, need K < classes": func(p *Problem[float64],
			c *Config) {
			c.K = 3
		},
		"Classes = -1, need at least 2": func(p *Problem[float64],
			c *Config) {
			c.Classes = -1
		},
		"label 2 of row 2, need one in 0..1: there are 2 classes": func(p *Problem[float64],
			c *Config) {
			c.Classes = 2
		},
		"Tol = -1, need a positive number": func(p *Problem[float64],
			c *Config) {
			c.Tol = -1
		},
		"Epochs = -1, need at least 1": func(p *Problem[float64],
			c *Config) {
			c.Epochs = -1
		},
		"Workers = -1, need at least 1, or 0 for all cores": func(p *Problem[float64],
			c *Config) {
			c.Workers = -1
		},
		"solvers: checkpoints every 1ns, but no function that saves the": func(p *Problem[float64],
			c *Config) {
			c.Checkpoint.Every = time.Nanosecond
		},
		"11 labels for 12 examples": func(p *Problem[float64],
			c *Config) {
			p.Y = p.Y[:11]
		},
		"0 labels for 12 examples":           func(p *Problem[float64], c *Config) { p.Y = nil },
		"label -1 of row 3, need at least 0": func(p *Problem[float64], c *Config) { p.Y[3] = -1 },
		"all 12 labels are 0, need two classes at least": func(p *Problem[float64],
			c *Config) {
			p.Y = make([]int, 12)
		},
		"2 weights for 12 examples": func(p *Problem[float64],
			c *Config) {
			p.Weights = []float64{1, 1}
		},
		"weight -1 of row 0, need a finite number of at least 0": func(p *Problem[float64],
			c *Config) {
			p.Weights = []float64{-1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
		},
		"all 12 weights are 0": func(p *Problem[float64],
			c *Config) {
			p.Weights = make([]float64, 12)
		},
		"label 2 of row 2, need one in 0..1: there are 2 cl": func(p *Problem[float64],
			c *Config) {
			p.Names = []string{"a", "b"}
		},
	} {
		q, c := p, Config{}
		q.Y = append([]int(nil), p.Y...)
		change(&q, &c)
		r, err := q.Fit(context.Background(), c)
		if r != nil || err == nil || !strings.HasPrefix(err.Error(), "mkl: "+want) {
			t.Errorf("%v, want %q", err, want)
		}
		if points, err := q.Path(context.Background(), c, PathConfig{Cs: []float64{max(c.C, 1)}}); c.C == 0 &&
			(points != nil || err == nil || !strings.HasPrefix(err.Error(), "mkl: "+want)) {
			t.Errorf("of a path: %v, want %q", err, want)
		}
		if _, _, err := q.Stages(context.Background(), c, StageOptions{}); err == nil ||
			!strings.HasPrefix(err.Error(), "mkl: "+want) {
			t.Errorf("of stages: %v, want %q", err, want)
		}
	}
	solved := fit(t, p, Config{})
	var none context.Context
	for want, call := range map[string]func() error{
		"mkl: no context": func() error { _, err := p.Fit(none, Config{}); return err },
		"mkl: no state to resume from": func() error {
			_, err := p.Resume(context.Background(), nil, Config{})
			return err
		},
		"mkl: a state to resume from, and Start: need one of them": func() error {
			q := p
			q.Start = solved
			_, err := q.Resume(context.Background(), strings.NewReader(""), Config{})
			return err
		},
		"mkl: P = 0 and C = 1, need a P above 1 and a C above 0": func() error {
			_, err := p.Path(context.Background(), Config{}, PathConfig{Ps: []float64{0}})
			return err
		},
		"mkl: P = 0 and C = 0, need a P above 1 and a C above 0": func() error {
			_, err := p.Path(context.Background(), Config{}, PathConfig{Cs: []float64{0}})
			return err
		},
		"mkl: 1 values of P and 0 of C, need one of each at least": func() error {
			_, err := p.Path(context.Background(), Config{}, PathConfig{Cs: []float64{}})
			return err
		},
		"mkl: Online = -1, Batch = 0 and Every = 12, need none below": func() error {
			_, _, err := p.Stages(context.Background(), Config{}, StageOptions{Online: -1})
			return err
		},
		"mkl: Eta = -2, need a positive number": func() error {
			_, _, err := p.Stages(context.Background(), Config{}, StageOptions{Eta: -2})
			return err
		},
		"mkl: the paper's stages with top-k hinge and K = 2: they": func() error {
			_, _, err := p.Stages(context.Background(), Config{K: 2}, StageOptions{})
			return err
		},
		"mkl: the paper's stages with Weights, Start, Progress or Ch": func() error {
			q := p
			q.Start = solved
			_, _, err := q.Stages(context.Background(), Config{}, StageOptions{})
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
	b, err := kernel.NewBundle(0, kernel.Group[float64]{Matrix: m})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Fit(context.Background(), b, []int{0, 1, 0, 1}, Config{P: 1.5, C: 10})
	if err == nil || !strings.HasPrefix(err.Error(),
		"mkl: kernel 0: the kernel matrix is not positive semi-definite: |W|² = -") {
		t.Errorf("%v", err)
	}
}

// TestOutgrown: numbers of the paper's stages that leave the range of T are an error that says so.
func TestOutgrown(t *testing.T) {
	p := views[float32](t, 12, 20, 3)
	_, _, err := p.Stages(context.Background(), Config{}, StageOptions{Eta: 1e200})
	if err == nil || !strings.HasPrefix(err.Error(), "mkl: numbers outgrew float32 within 20 steps") {
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
	for name, groups := range map[string][]kernel.Group[float64]{
		"one": {{Matrix: one}}, "one and none": {{Matrix: none}, {Matrix: one}}, "none": {{Matrix: none}},
		"two of none": {{Matrix: none}, {Matrix: none}},
	} {
		b, err := kernel.NewBundle(0, groups...)
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
