package ascent

import (
	"context"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// Training is what a family says of a training beside its problem: how long it may take, where it starts, what becomes
// of it.
type Training[T vec.Float] struct {
	Family   string   // its name, in files
	Settings string   // all that its configuration says about the steps, in words
	Names    []string // of the outputs
	Shared

	State io.Reader      // of a training to go on with, or nil
	Start *vec.Matrix[T] // dual variables to start from, or nil
}

// Shared are the fields that the Configs of all families have.
type Shared struct {
	Tol        float64
	Epochs     int
	Seed       uint64
	Workers    int
	BlockSize  int
	Bias       float64
	Progress   func(solvers.Progress)
	Checkpoint solvers.Checkpoint
}

// Trained is how a training ended.
type Trained[T vec.Float] struct {
	Model   *model.Model[T]
	Outcome solvers.Outcome
	Duals   vec.Matrix[T]
}

// Examples returns the size of what a family is given to learn from, features or a kernel, or what is wrong with it; d
// is 0 for a kernel, whose examples were validated when it was made. bias is the value of the constant feature.
func Examples[T vec.Float](x design.Matrix[T], k *kernel.Matrix[T], bias float64) (n, d int, err error) {
	switch {
	case x == nil && k == nil:
		return 0, 0, fmt.Errorf("no examples: need X or Kernel")
	case x != nil && k != nil:
		return 0, 0, fmt.Errorf("X and Kernel, need one of them")
	case bias != 0 && (T(bias) == 0 || math.IsInf(float64(T(bias)), 0)):
		return 0, 0, fmt.Errorf("Bias = %v is beyond %T", bias, T(0))
	case k != nil && bias != 0:
		return 0, 0, fmt.Errorf("Bias = %v with a kernel: add a constant to the kernel, or a feature to its examples",
			bias)
	case k != nil:
		return k.Len(), 0, nil
	}
	if n, d, err = design.Validate(x); err == nil && n > 0 && d == 0 {
		err = fmt.Errorf("examples without features")
	}
	return n, d, err
}

// Part returns some of the examples of a problem, whose features are x or whose kernel is k.
func Part[T vec.Float](x design.Matrix[T], k *kernel.Matrix[T], rows []int) (design.Matrix[T], *kernel.Matrix[T],
	error) {
	if k == nil {
		return design.Subset(x, rows), nil, nil
	}
	k, err := k.Subset(rows)
	return nil, k, err
}

// Pick returns the given elements of all, nil for nil.
func Pick[E any](all []E, rows []int) []E {
	if all == nil {
		return nil
	}
	some := make([]E, len(rows))
	for q, i := range rows {
		some[q] = all[i]
	}
	return some
}

// Defaults fills in what is left at 0 but for Workers and BlockSize, or says what is wrong.
func (t *Shared) Defaults() error {
	if t.Tol == 0 {
		t.Tol = 1e-3
	}
	if t.Epochs == 0 {
		t.Epochs = 1000
	}
	switch {
	case !(t.Tol > 0):
		return fmt.Errorf("Tol = %v, need a positive number", t.Tol)
	case t.Epochs < 0:
		return fmt.Errorf("Epochs = %d, need at least 1", t.Epochs)
	case t.Workers < 0:
		return fmt.Errorf("Workers = %d, need at least 1, or 0 for all cores", t.Workers)
	case t.BlockSize < 0:
		return fmt.Errorf("BlockSize = %d, need at least 1", t.BlockSize)
	case t.Bias-t.Bias != 0:
		return fmt.Errorf("Bias = %v, need a finite number", t.Bias)
	}
	return t.Checkpoint.Validate()
}

// Train trains p. Where it returns a result and an error, that is why the training ended: the context, or a checkpoint
// that could not be saved.
func Train[T vec.Float](ctx context.Context, p Problem[T], t Training[T]) (*Trained[T], error) {
	s, err := New(p, Options{Tol: t.Tol, Seed: t.Seed, Workers: t.Workers, BlockSize: t.BlockSize})
	if err != nil {
		return nil, err
	}
	var start func() (solvers.Certificate, error)
	if t.Start != nil {
		start = func() (solvers.Certificate, error) { return s.Start(*t.Start) }
	}
	id := train.Identity{Family: t.Family, Settings: t.Settings, Data: sync.OnceValue(p.Fingerprint)}
	end, err := Run(ctx, s, t.Shared, id, t.State, start, func(v train.Variables[T]) (any, error) {
		return p.model(v, t.Names, id.Notes(nil))
	})
	if end.Status == solvers.Running {
		return nil, err
	}
	m, wrong := p.model(end.Primal, t.Names, id.Notes(&end.Outcome))
	if wrong != nil {
		return nil, wrong
	}
	duals := s.Duals()
	if p.Kernel != nil {
		duals = end.Dual.Matrix(duals.Rows, duals.Cols)
	}
	return &Trained[T]{Model: m, Outcome: end.Outcome, Duals: duals}, err
}

// Run runs a training in T as its family's fields say: from state, or from what start begins with and certifies, where
// these are not nil. A start that is good enough takes no step. model makes the models that Progress asks for. The
// status is Running where there is no certificate, for the reason that the error tells.
func Run[T vec.Float](ctx context.Context, m train.Method[T], t Shared, id train.Identity, state io.Reader,
	start func() (solvers.Certificate, error), model func(train.Variables[T]) (any, error)) (end train.Ended[T],
	err error) {
	var clock train.Clock[T]
	switch {
	case state != nil && start != nil:
		err = fmt.Errorf("a state to resume from, and Start: need one of them")
	case state != nil:
		err = train.Resume(state, id, &clock, m)
	case start != nil:
		var certificate solvers.Certificate
		if certificate, err = start(); err == nil {
			err = clock.Start(certificate, t.Tol, m)
		}
	}
	if err != nil {
		return end, err
	}
	_, _, epsilon := Limits[T]()
	return train.Run(ctx, m, train.Options[T]{
		Tol: t.Tol, Epochs: t.Epochs, Epsilon: epsilon, Rest: MaxRest, Progress: t.Progress, Checkpoint: t.Checkpoint,
		Identity: id, Model: model,
	}, &clock)
}

// model returns the model of a training's variables. What its file says of it are the notes.
func (p *Problem[T]) model(v train.Variables[T], names []string, notes map[string]string) (*model.Model[T], error) {
	n, d := p.size()
	if p.Kernel == nil {
		n = d
	}
	return ModelOf(p.Kernel, v.Matrix(n, p.Outputs), p.Constant, names, notes)
}

// ModelOf returns the model of coefficients, those of k's examples or, where k is nil, of features and of the constant
// one. What its file says of it are the notes.
func ModelOf[T vec.Float](k *kernel.Matrix[T], coefficients vec.Matrix[T], constant T, names []string,
	notes map[string]string) (*model.Model[T], error) {
	m, err := &model.Model[T]{}, error(nil)
	if k != nil {
		m.Kernel, err = kernel.NewExpansion(k, coefficients, names)
	} else {
		m.Linear, err = linear.WithConstant(coefficients, constant, names)
	}
	if err != nil {
		return nil, err
	}
	return m.WithNotes(notes), nil
}

// variables are those of a model whose only matrix is a.
func variables[T vec.Float](a vec.Matrix[T]) train.Variables[T] {
	return train.Variables[T]{Matrices: []vec.Matrix[T]{a}}
}
