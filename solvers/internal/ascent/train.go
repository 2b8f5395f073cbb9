package ascent

import (
	"math"
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

	Method *Method[T] // nil: dual coordinate ascent

	solver Solver[T]
}

// Method is another method for the same problems: how a training begins, and Problem.Memory of it.
type Method[T vec.Float] struct {
	New    func(p Problem[T], o Options) (Solver[T], error)
	Memory func(p Problem[T], o Options, saves bool) solvers.Memory
}

// Identity: see family.Training, as of the next ones.
func (t *Training[T]) Identity() train.Identity {
	return train.Identity{Family: t.Family, Settings: t.Settings, Data: sync.OnceValue(t.Problem.Fingerprint)}
}

func (t *Training[T]) Obeys() solvers.Options { return t.Options.Options }

func (t *Training[T]) Begin() (m train.Method[T], start func() (train.Beginning[T], error), err error) {
	begin := New[T]
	if t.Method != nil {
		begin = t.Method.New
	}
	if t.solver, err = begin(t.Problem, t.Options); err != nil {
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
	saves, all := t.Options.Checkpoint.Save != nil, t.mirrorMemory()
	if t.Method != nil {
		all = append(all, t.Method.Memory(t.Problem, t.Options, saves)...)
		if t.Start == nil {
			return all
		}
	}
	return append(t.Problem.Memory(t.Options, saves), all...)
}

// Duals returns the dual variables of the certificate that a training ended with.
func (t *Training[T]) Duals(end train.Ended[T]) vec.Matrix[T] {
	duals := t.solver.Duals()
	if b, ok := t.solver.(train.Bounded); ok && math.IsInf(b.Bound(), -1) {
		return t.mirror(vec.NewMatrix[T](duals.Rows, duals.Cols))
	}
	if t.solver.DualVariables() != nil { // the last ones need not be the best
		duals = end.Dual.Matrix(duals.Rows, duals.Cols)
	}
	return t.mirror(duals)
}

// variables are a model's whose only matrix is a.
func variables[T vec.Float](a vec.Matrix[T]) train.Variables[T] {
	return train.Variables[T]{Matrices: []vec.Matrix[T]{a}}
}
