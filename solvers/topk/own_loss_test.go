package topk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// mine is a loss of a caller's, which happens to be one of package loss. Its name tells its parameter, and where it is
// in memory tells nothing.
type mine[T vec.Float] struct {
	loss.TopKEntropy[T]
	name *string
}

func own[T vec.Float](k int) mine[T] {
	name := fmt.Sprintf("mine, k = %d", k)
	return mine[T]{loss.TopKEntropy[T]{K: k}, &name}
}

func (l mine[T]) Traits() loss.Traits {
	t := l.TopKEntropy.Traits()
	t.Name = *l.name
	return t
}

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
	mine := p
	mine.Loss, mine.Exact = own[T](2), own[float64](2)
	c.K, c.Loss = 0, 0
	got, err := mine.Fit(context.Background(), c)
	if err != nil || got.Outcome != want.Outcome || !slices.Equal(got.Duals.Data, want.Duals.Data) {
		t.Errorf("%v, %v, want %v", got.Outcome, err, want.Outcome)
	}
	// Another process goes on with the same loss, and not with another one.
	var state bytes.Buffer
	stop := c
	stop.Epochs, stop.Checkpoint.Save = 2, func(write func(io.Writer) error) error {
		state.Reset()
		return write(&state)
	}
	if _, err := mine.Fit(context.Background(), stop); err != nil {
		t.Fatal(err)
	}
	again := mine
	again.Loss, again.Exact = own[T](2), own[float64](2)
	got, err = again.Resume(context.Background(), bytes.NewReader(state.Bytes()), c)
	if err != nil || got.Outcome != want.Outcome || !slices.Equal(got.Duals.Data, want.Duals.Data) {
		t.Errorf("resumed: %v, %v, want %v", got, err, want.Outcome)
	}
	again.Loss, again.Exact = own[T](1), own[float64](1)
	if _, err = again.Resume(context.Background(), bytes.NewReader(state.Bytes()), c); !errors.Is(err,
		solvers.ErrOtherState) {
		t.Errorf("resumed with another loss: %v", err)
	}
	for text, change := range map[string]func(p *Problem[T], c *Config){
		"Loss = top-k hinge, K = 1": func(_ *Problem[T], c *Config) { c.Loss = TopKHinge },
		"K = 3":                     func(_ *Problem[T], c *Config) { c.K = 3 },
		"Smoothing = 1":             func(_ *Problem[T], c *Config) { c.Smoothing = 1 },
		"Exact without Loss":        func(p *Problem[T], _ *Config) { p.Loss = nil },
		"are not the same":          func(p *Problem[T], _ *Config) { p.Exact = loss.SquaredHinge[float64]{} },
		"one for sets":              func(p *Problem[T], _ *Config) { p.Y, p.Sets = nil, make([][]int, 90) },
	} {
		p, c := mine, c
		change(&p, &c)
		if r, err := p.Fit(context.Background(), c); err == nil || r != nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %q", err, text)
		}
	}
	mine.Exact = nil
	_, err = mine.Fit(context.Background(), c)
	if double := fmt.Sprintf("%T", T(0)) == "float64"; double != (err == nil) {
		t.Errorf("without Exact: %v", err)
	}
}
