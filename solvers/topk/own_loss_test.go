package topk

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// mine is a loss of a caller's, which happens to be one of package loss.
type mine[T vec.Float] struct{ loss.TopKEntropy[T] }

// TestOwnLoss: a loss of the Problem's trains to the bits of the same loss by its name; what does not go with it is an
// error that says so.
func TestOwnLoss(t *testing.T) { prove.Both(t, testOwnLoss[float32], testOwnLoss[float64]) }

func testOwnLoss[T vec.Float](t *testing.T) {
	rng := prove.Rand(61)
	x, y := vec.NewMatrix[T](90, 5), make([]int, 90)
	for i := range y {
		y[i] = i % 4
		for j := range 5 {
			x.Row(i)[j] = T(rng.NormFloat64())
		}
		x.Row(i)[y[i]] += 2
	}
	p := Problem[T]{X: &dataset.Dense[T]{Matrix: x}, Y: y}
	c := Config{K: 2, Loss: TopKEntropy, Lambda: .01, Tol: 1e-3, Workers: 1}
	want, err := p.Fit(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	own := p
	own.Loss, own.Exact = mine[T]{loss.TopKEntropy[T]{K: 2}}, mine[float64]{loss.TopKEntropy[float64]{K: 2}}
	c.K, c.Loss = 0, 0
	got, err := own.Fit(context.Background(), c)
	if err != nil || got.Outcome != want.Outcome || !slices.Equal(got.Duals.Data, want.Duals.Data) {
		t.Errorf("%v, %v, want %v", got.Outcome, err, want.Outcome)
	}
	for text, change := range map[string]func(p *Problem[T], c *Config){
		"Loss = top-k hinge, K = 1": func(_ *Problem[T], c *Config) { c.Loss = TopKHinge },
		"K = 3":                     func(_ *Problem[T], c *Config) { c.K = 3 },
		"Smoothing = 1":             func(_ *Problem[T], c *Config) { c.Smoothing = 1 },
		"Exact without Loss":        func(p *Problem[T], _ *Config) { p.Loss = nil },
		"are not the same":          func(p *Problem[T], _ *Config) { p.Exact = loss.SquaredHinge[float64]{} },
		"one for sets":              func(p *Problem[T], _ *Config) { p.Y, p.Sets = nil, make([][]int, 90) },
	} {
		p, c := own, c
		change(&p, &c)
		if r, err := p.Fit(context.Background(), c); err == nil || r != nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %q", err, text)
		}
	}
	own.Exact = nil
	_, err = own.Fit(context.Background(), c)
	if double := fmt.Sprintf("%T", T(0)) == "float64"; double != (err == nil) {
		t.Errorf("without Exact: %v", err)
	}
}
