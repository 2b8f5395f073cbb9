package ascent

import (
	"sync"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// Training is a training of a problem as package family runs it, but for its result.
type Training[T vec.Float] struct {
	Problem Problem[T]
	Options Options

	Family   string    // its name, in files
	Settings string    // all that its configuration says about the steps, in words
	Names    []string  // of the outputs
	Start    *Given[T] // what to start from, or nil

	// Mirrored says that Problem is the second one of two outputs, and that the first is its negative, with the same
	// losses: of both there are the model and the dual variables, while Problem.Lambda counts the objective twice.
	Mirrored bool

	solver Solver[T]
}

// Identity: see family.Training, as of the next ones.
func (t *Training[T]) Identity() train.Identity {
	return train.Identity{Family: t.Family, Settings: t.Settings, Data: sync.OnceValue(t.Problem.Fingerprint)}
}

func (t *Training[T]) Obeys() solvers.Options { return t.Options.Options }

func (t *Training[T]) Begin() (m train.Method[T], start func() (train.Beginning[T], error), err error) {
	if t.solver, err = New(t.Problem, t.Options); err != nil {
		return nil, nil, err
	}
	if t.Start != nil {
		start = t.start
	}
	return t.solver, start, nil
}

func (t *Training[T]) Model(v train.Variables[T], notes map[string]string) (*model.Model[T], error) {
	p := &t.Problem
	n, d := p.size()
	if p.Kernel == nil {
		n = d
	}
	if p.Offset {
		all := v.Matrix(n+1, 1)
		if v.None() {
			all.Row(n)[0] = p.zeroBias()
		}
		return t.withOffset(all, notes)
	}
	if v.None() && p.hasPrior() {
		v = variables(narrow[T](p.Prior))
	}
	return family.ModelOf(p.Kernel, t.mirror(v.Matrix(n, p.Outputs)), p.Constant, t.Names, notes)
}

// withOffset is Model where the last row is the offset.
func (t *Training[T]) withOffset(all vec.Matrix[T], notes map[string]string) (*model.Model[T], error) {
	if t.Problem.Kernel == nil {
		return family.ModelOf(nil, all, 1, t.Names, notes)
	}
	n := all.Rows - 1
	m, err := family.ModelOf(t.Problem.Kernel, all.Slice(0, n, 0, 1), 0, t.Names, notes)
	if err != nil {
		return nil, err
	}
	m.Kernel, err = m.Kernel.WithBias(all.Row(n))
	return m, err
}

// Memory estimates from above what the training takes besides the examples. O(n).
func (t *Training[T]) Memory() solvers.Memory {
	return append(t.Problem.Memory(t.Options, t.Options.Checkpoint.Save != nil), t.mirrorMemory()...)
}

// Duals returns the dual variables of the certificate that a training ended with.
func (t *Training[T]) Duals(end train.Ended[T]) vec.Matrix[T] {
	duals := t.solver.Duals()
	if t.Problem.Kernel != nil || t.Problem.Offset {
		duals = end.Dual.Matrix(duals.Rows, duals.Cols)
	}
	return t.mirror(duals)
}

// variables are a model's whose only matrix is a.
func variables[T vec.Float](a vec.Matrix[T]) train.Variables[T] {
	return train.Variables[T]{Matrices: []vec.Matrix[T]{a}}
}
