package topk

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

func TestErrors(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(17, 18)), 6, 3, 3)
	spoiled := func(v float64) design.Matrix[float64] {
		a := vec.NewMatrix[float64](6, 3)
		copy(a.Data, x.Data)
		a.Row(4)[2] = v
		return &dataset.Dense[float64]{Matrix: a}
	}
	good := Config{Lambda: .1}
	with := func(change func(*Config)) Config {
		c := good
		change(&c)
		return c
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		want   string
		x      design.Matrix[float64]
		y      []int
		config Config
	}{
		{"Lambda = 0, need a positive number", x, y, Config{}},
		{"Lambda = -1", x, y, Config{Lambda: -1}},
		{"Lambda = NaN", x, y, Config{Lambda: nan}},
		{"Lambda = +Inf", x, y, Config{Lambda: inf}},
		{"Lambda = 1e-300 with 6 examples", x, y, Config{Lambda: 1e-300}},
		{"K = -1, need at least 1", x, y, with(func(c *Config) { c.K = -1 })},
		{"K = 3 with 3 classes", x, y, with(func(c *Config) { c.K = 3 })},
		{"Loss = 99", x, y, with(func(c *Config) { c.Loss = 99 })},
		{"Tol = -0.1", x, y, with(func(c *Config) { c.Tol = -.1 })},
		{"Tol = NaN", x, y, with(func(c *Config) { c.Tol = nan })},
		{"Epochs = -2", x, y, with(func(c *Config) { c.Epochs = -2 })},
		{"Classes = -2", x, y, with(func(c *Config) { c.Classes = -2 })},
		{"BlockSize = -2", x, y, with(func(c *Config) { c.BlockSize = -2 })},
		{"Bias = NaN", x, y, with(func(c *Config) { c.Bias = nan })},
		{"label 2 of row 2, need one in 0..1", x, y, with(func(c *Config) { c.Classes = 2 })},
		{"label -3 of row 1", x, []int{0, -3, 1, 0, 1, 0}, good},
		{"label 2000000000 of row 5, with 6 examples", x, []int{0, 1, 1, 0, 1, 2000000000}, good},
		{"5 labels for 6 examples", x, y[:5], good},
		{"all 6 labels are 1", x, []int{1, 1, 1, 1, 1, 1}, good},
		{"no examples", &dataset.Dense[float64]{}, []int{}, good},
		{"without features", &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](6, 0)}, y, good},
		{"row 4, column 2: value NaN", spoiled(nan), y, good},
		{"row 4, column 2: value -Inf", spoiled(-inf), y, good},
		{"squared norm of row 4 exceeds the largest float64", spoiled(1e200), y, good},
		{"row 4, column 2: value NaN", spoiled(nan), y, with(func(c *Config) { c.Bias = 1 })},
		{"row 1 has column 3, value 2: expected a column in 0..2", &dataset.CSR[float64]{Rows: 6, Cols: 3,
			Ptr: []int{0, 1, 2, 2, 2, 2, 2}, Idx: []int32{0, 3}, Val: []float64{1, 2}}, y, good},
		{"Smoothing = -1", x, y, with(func(c *Config) { c.Smoothing = -1 })},
		{"Smoothing = 1 with the top-k entropy", x, y, with(func(c *Config) { c.Smoothing, c.Loss = 1, TopKEntropy })},
		{"2 class weights for 3 classes", x, y, with(func(c *Config) { c.ClassWeights = []float64{1, 2} })},
		{"weight NaN of class 1", x, y, with(func(c *Config) { c.ClassWeights = []float64{1, nan, 1} })},
		{"Workers = -1", x, y, with(func(c *Config) { c.Workers = -1 })},
	} {
		r, err := Fit(context.Background(), c.x, c.y, c.config)
		if r != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	for _, c := range []struct {
		want    string
		problem Problem[float64]
	}{
		{"2 weights for 6 examples", Problem[float64]{X: x, Y: y, Weights: []float64{1, 2}}},
		{"0 weights for 6 examples", Problem[float64]{X: x, Y: y, Weights: []float64{}}},
		{"weight -1 of row 2", Problem[float64]{X: x, Y: y, Weights: []float64{1, 2, -1, 1, 1, 1}}},
		{"weight NaN of row 0", Problem[float64]{X: x, Y: y, Weights: []float64{nan, 2, 1, 1, 1, 1}}},
		{"weight +Inf of row 5", Problem[float64]{X: x, Y: y, Weights: []float64{1, 2, 1, 1, 1, inf}}},
		{"all 6 weights are 0", Problem[float64]{X: x, Y: y, Weights: make([]float64, 6)}},
		{"label 2 stands twice in row 1", Problem[float64]{X: x, Sets: [][]int{{0}, {2, 0, 2}, {1}, {}, {0, 1}, {2}}}},
		{"label 0 stands twice in row 5", Problem[float64]{X: x, Sets: [][]int{{0}, {2}, {1}, {}, {0, 1}, {0, 0}}}},
		{"label -1 of row 3, need at least 0", Problem[float64]{X: x, Sets: [][]int{{0}, {2}, {1}, {1, -1}, {0, 1},
			{0}}}},
		{"5 labels for 6 examples", Problem[float64]{X: x, Sets: [][]int{{0}, {2}, {1}, {}, {0, 1}}}},
		{"0 labels for 6 examples of 1 classes: nothing to tell apart", Problem[float64]{X: x, Sets: make([][]int, 6)}},
		{"18 labels for 6 examples of 3 classes: nothing to tell apart",
			Problem[float64]{X: x, Sets: slices.Repeat([][]int{{0, 1, 2}}, 6)}},
		{"label 70000 of row 1, with 6 examples",
			Problem[float64]{X: x, Sets: [][]int{{0}, {70000}, {1}, {}, {0, 1}, {0}}}},
		{"label -1 of row 0", Problem[float64]{X: x, Y: []int{math.MinInt, 0, 1, 0, 1, 0}}},
		{"no examples", Problem[float64]{Kernel: &kernel.Matrix[float64]{}, Y: y}},
	} {
		if c.want == "label -1 of row 0" {
			c.want = fmt.Sprintf("label %d of row 0", math.MinInt)
		}
		r, err := c.problem.Fit(context.Background(), good)
		if contains(t, err, "topk: "); r != nil {
			t.Errorf("%s: a result", c.want)
		}
		contains(t, err, c.want)
	}
}

// TestNoPanic: what is nil or a literal that does not fit is an error, wherever it stands.
func TestNoPanic(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(79, 80)), 6, 3, 3)
	ctx, good := context.Background(), Config{Lambda: .1}
	with := func(f design.Matrix[float64]) Problem[float64] { return Problem[float64]{X: f, Y: y} }
	literal := func(m vec.Matrix[float64]) Problem[float64] { return with(&dataset.Dense[float64]{Matrix: m}) }
	var noContext context.Context
	for name, c := range map[string]struct {
		ctx     context.Context
		problem Problem[float64]
		want    string
	}{
		"context":   {noContext, with(x), "topk: no context"},
		"nothing":   {ctx, Problem[float64]{}, "topk: no examples: need X or Kernel"},
		"features":  {ctx, with(nil), "topk: no examples: need X or Kernel"},
		"dense":     {ctx, with((*dataset.Dense[float64])(nil)), "no examples"},
		"csr":       {ctx, with((*dataset.CSR[float64])(nil)), "no examples"},
		"labels":    {ctx, Problem[float64]{X: x}, "topk: no labels: need Y or Sets"},
		"no labels": {ctx, Problem[float64]{X: x, Y: []int{}}, "0 labels for 6 examples"},
		"data":      {ctx, literal(vec.Matrix[float64]{Rows: 6, Cols: 3, Stride: 3}), "too few"},
		"short": {ctx, literal(vec.Matrix[float64]{Rows: 6, Cols: 3, Stride: 3, Data: make([]float64, 17)}),
			"too few"},
		"stride": {ctx, literal(vec.Matrix[float64]{Rows: 6, Cols: 3, Data: make([]float64, 18)}), "stride 0"},
		"negative": {ctx, literal(vec.Matrix[float64]{Rows: 6, Cols: -3, Stride: 3, Data: make([]float64, 18)}),
			"-3 columns"},
		"csr literal": {ctx, with(&dataset.CSR[float64]{Rows: 6, Cols: 3}), "6"},
		"csr pointers": {ctx, with(&dataset.CSR[float64]{Rows: 6, Cols: 3, Ptr: []int{0, 1, 2, 3, 4, 5, 99},
			Idx: make([]int32, 6), Val: make([]float64, 6)}), "99"},
		"csr backwards": {ctx, with(&dataset.CSR[float64]{Rows: 6, Cols: 3, Ptr: []int{0, 4, 2, 3, 4, 5, 6},
			Idx: make([]int32, 6), Val: make([]float64, 6)}), "row"},
	} {
		run := func(how string, f func() error) {
			t.Helper()
			defer func() {
				if e := recover(); e != nil {
					t.Errorf("%s: %s panics: %v", name, how, e)
				}
			}()
			contains(t, f(), c.want)
		}
		run("Fit", func() error { _, err := c.problem.Fit(c.ctx, good); return err })
		run("Resume", func() error {
			_, err := c.problem.Resume(c.ctx, bytes.NewReader([]byte("x")), good)
			return err
		})
		run("Path", func() error { _, err := c.problem.Path(c.ctx, good, PathConfig{}); return err })
		run("Path with folds", func() error {
			_, err := c.problem.Path(c.ctx, good, PathConfig{CrossValidation: solvers.CrossValidation{Folds: 2}})
			return err
		})
	}
	_, err := Problem[float64]{X: x, Y: y, Start: &Result[float64]{}}.Fit(ctx, good)
	contains(t, err, "topk: 0-by-0 dual variables to start from, for 6 examples and 3 outputs")
	_, err = Problem[float64]{X: x, Y: y, Start: &Result[float64]{}}.Resume(ctx, strings.NewReader("x"), good)
	contains(t, err, "topk: a state to resume from, and Start: need one of them")
	_, err = with(x).Resume(ctx, nil, good)
	contains(t, err, "topk: no state to resume from")
}
