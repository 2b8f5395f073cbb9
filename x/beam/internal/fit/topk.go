// Package fit trains the families in float64 behind functions without type parameters. Whoever calls the generic ones
// compiles the solvers once more, which takes a minute: here that is done once for package beam and its tests.
package fit

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// Data is rows with a class each, or with sets of classes.
type Data struct {
	X     design.Matrix[float64]
	Y     []int
	Sets  [][]int
	Names []string
}

// Solution is what a training ends with.
type Solution struct {
	Outcome solvers.Outcome
	Model   []byte              // its file
	W       vec.Matrix[float64] // d by m, with the weights of a constant feature as its last row if there is one
	Duals   vec.Matrix[float64]
}

// TopK solves problems of topk on the same rows, each from the dual variables of the one before.
type TopK struct {
	problem topk.Problem[float64]
	config  topk.Config
}

// NewTopK returns the problems of the rows.
func NewTopK(d Data, c topk.Config) *TopK {
	return &TopK{topk.Problem[float64]{X: d.X, Y: d.Y, Sets: d.Sets, Names: d.Names}, c}
}

// Solve solves the problem of a Lambda with a prior, which may be empty: see topk.Problem.
func (t *TopK) Solve(ctx context.Context, prior vec.Matrix[float64], lambda float64) (vec.Matrix[float64], error) {
	t.problem.Prior, t.config.Lambda = prior, lambda
	r, err := t.problem.Fit(ctx, t.config)
	if err != nil {
		return vec.Matrix[float64]{}, err
	}
	t.problem.Start = r
	return r.Model.Linear.Prior(t.config.Bias)
}

// Fit is topk's Problem.Fit.
func Fit(ctx context.Context, d Data, c topk.Config) (s Solution, err error) {
	r, err := NewTopK(d, c).problem.Fit(ctx, c)
	if err != nil {
		return s, err
	}
	s.Outcome, s.Duals = r.Outcome, r.Duals
	if s.Model, err = file(r.Model); err == nil {
		s.W, err = r.Model.Linear.Prior(c.Bias)
	}
	return s, err
}

// Point is one Lambda of a path.
type Point struct {
	Lambda     float64
	Validation solvers.Validation
	Outcome    solvers.Outcome
	Model      []byte // nil: of a part
}

// PathFold is topk's Problem.PathFold.
func PathFold(ctx context.Context, d Data, c topk.Config, path topk.PathConfig, which int) ([]Point, error) {
	points, err := NewTopK(d, c).problem.PathFold(ctx, c, path, which)
	return told(points, err)
}

// Path is topk's Problem.Path.
func Path(ctx context.Context, d Data, c topk.Config, path topk.PathConfig) ([]Point, error) {
	points, err := NewTopK(d, c).problem.Path(ctx, c, path)
	return told(points, err)
}

func told(points []topk.Point[float64], err error) (all []Point, _ error) {
	if err != nil {
		return nil, err
	}
	for _, p := range points {
		t := Point{Lambda: p.Lambda, Validation: p.Validation}
		if p.Result != nil {
			t.Outcome = p.Result.Outcome
			if t.Model, err = file(p.Result.Model); err != nil {
				return nil, fmt.Errorf("the model of Lambda %v: %w", p.Lambda, err)
			}
		}
		all = append(all, t)
	}
	return all, nil
}

// file returns the bytes of a model's file.
func file(m io.WriterTo) ([]byte, error) {
	var b bytes.Buffer
	_, err := m.WriteTo(&b)
	return b.Bytes(), err
}
