package l1

import (
	"fmt"
	"slices"
	"sync"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// prepared is a problem that has been checked, with how to train on it.
type prepared[T vec.Float] struct {
	Problem[T]
	c       Config // with all defaults
	o       solvers.Options
	n, d    int // d with the constant feature
	radius  []float64
	classes []int        // of the outputs
	t       *training[T] // from Begin on
}

// prepare returns the training of p that c and o ask for, or what is wrong with them.
func (p Problem[T]) prepare(c Config, o solvers.Options) (*prepared[T], error) {
	c, err := c.check()
	if err != nil {
		return nil, err
	}
	o, n, d, err := family.Begin(o, p.X, nil, c.Bias)
	if err != nil {
		return nil, err
	}
	if p.Y == nil {
		return nil, fmt.Errorf("no labels: want Y")
	}
	labels := family.Labels{One: p.Y}
	if c.Classes, err = labels.Named(n, c.Classes, p.Names); err != nil {
		return nil, err
	}
	if err = family.CheckSizes(n, d, c.Classes, 0); err != nil {
		return nil, err
	}
	if _, err = family.SquaredNorms(p.X, n, c.Bias); err != nil {
		return nil, err
	}
	radius, err := family.Radii[T](c.C, fmt.Sprintf("C = %v", c.C), &labels, p.Weights, c.ClassWeights, c.Classes)
	if err != nil {
		return nil, err
	}
	if c.Bias != 0 {
		d++
	}
	q := &prepared[T]{Problem: p, c: c, o: o, n: n, d: d, radius: radius}
	for l := range c.Classes {
		q.classes = append(q.classes, l)
	}
	if c.Classes == 2 {
		q.classes = q.classes[1:]
	}
	return q, q.checkStart()
}

// Identity: see family.Training, as of the next ones.
func (p *prepared[T]) Identity() train.Identity {
	settings := fmt.Sprintf("loss %v, C %v, bias %v, tolerance %v, seed %d", p.c.Loss, p.c.C, p.c.Bias, p.o.Tol,
		p.o.Seed)
	data := family.Data[T]{X: p.X, Constant: T(p.c.Bias), Labels: family.Labels{One: p.Y}, Outputs: p.c.Classes,
		Weights: p.radius}
	return train.Identity{Family: name, Settings: settings,
		Data: sync.OnceValue(func() []byte { return data.Fingerprint() })}
}

func (p *prepared[T]) Obeys() solvers.Options { return p.o }

// Begin makes the training at W = 0, or at Start.
func (p *prepared[T]) Begin() (m train.Method[T], start func() (train.Beginning[T], error), err error) {
	x := design.Sparse(p.X)
	s, err := newStore(x, T(p.c.Bias))
	if err != nil {
		return nil, nil, err
	}
	p.t = &training[T]{store: s, Options: p.o, d: p.d, labels: p.Y, radius: p.radius, largest: slices.Max(p.radius),
		loss: p.c.Loss, exact: exact{x: p.wide(x), labels: p.Y, radius: p.radius, loss: p.c.Loss,
			losses: p.c.Loss.binary(), phi: make([]float64, p.n), classes: p.classes, workers: p.o.Workers,
			tol: p.o.Tol}}
	p.t.begin(p.classes)
	if p.Start != nil {
		p.t.start(p.Start, p.c.Bias)
	}
	return p.t, nil, nil
}

// wide returns x in float64, with the constant feature.
func (p *prepared[T]) wide(x design.Matrix[T]) design.Matrix[float64] {
	wide := design.Float64(x)
	if p.c.Bias != 0 {
		wide = design.WithBias(wide, float64(T(p.c.Bias)))
	}
	return wide
}

// checkStart returns what is wrong with Start.
func (p *prepared[T]) checkStart() error {
	if p.Start == nil {
		return nil
	}
	if p.Start.Model == nil {
		return fmt.Errorf("Start without a model")
	}
	_, d := p.X.Dims()
	if features, classes := p.Start.Dims(); features != d || classes != p.c.Classes {
		return fmt.Errorf("Start with %d features and %d classes, but there are %d and %d", features, classes, d,
			p.c.Classes)
	}
	return nil
}

// start takes up the weights of another training.
func (t *training[T]) start(r *Result[T], bias float64) {
	t.warm = true
	d, classes := r.Dims()
	w, offsets := r.Weights(), r.Bias()
	for l := range t.outputs {
		o := &t.outputs[l]
		for f, j := range t.features {
			if int(j) < d {
				o.w[f] = float64(w.Row(int(j))[classes-len(t.outputs)+l])
			} else if offsets != nil {
				o.w[f] = float64(offsets[classes-len(t.outputs)+l]) / bias
			}
		}
	}
}

// Model returns the model of the weights. Of two classes they are class 1's, and class 0 has the same with the other
// sign.
func (p *prepared[T]) Model(v train.Variables[T], notes map[string]string) (*Model[T], error) {
	w := v.Matrix(p.d, len(p.classes))
	if len(p.classes) == 1 {
		both := vec.NewMatrix[T](p.d, 2)
		for j := range p.d {
			both.Row(j)[0], both.Row(j)[1] = 0-w.Row(j)[0], w.Row(j)[0] // no -0
		}
		w = both
	}
	m, err := linear.WithConstant(w, T(p.c.Bias), p.Names)
	if err != nil {
		return nil, err
	}
	return m.WithNotes(notes), nil
}

func (p *prepared[T]) Result(m *Model[T], end train.Ended[T]) *Result[T] {
	return &Result[T]{Model: m, Outcome: end.Outcome, Duals: end.Dual.Matrix(p.n, len(p.classes))}
}
