package svm

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/newton"
	"github.com/dualgap/dualgap/solvers/internal/oneclass"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// prepared is a problem that has been checked, with how to train on it.
type prepared[T vec.Float] struct {
	ascent.Training[T]
	of      task
	c       Config    // with its own defaults
	targets []float64 // nil: there are classes
	classes []string  // nil: there are targets
}

// Model: see family.Training, as of the next ones.
func (t *prepared[T]) Model(v train.Variables[T], notes map[string]string) (*Model[T], error) {
	m, err := t.Training.Model(v, notes)
	if err != nil {
		return nil, err
	}
	return noted(m, t.classes, t.of == oneClass), nil
}

func (t *prepared[T]) Result(m *Model[T], end train.Ended[T]) *Result[T] {
	return &Result[T]{Model: m, Outcome: end.Outcome, Duals: t.Duals(end)}
}

// Identity adds the targets to the data.
func (t *prepared[T]) Identity() train.Identity {
	id := t.Training.Identity()
	if t.targets == nil {
		return id
	}
	data := id.Data
	id.Data = sync.OnceValue(func() []byte {
		h := sha256.New()
		h.Write(data())
		binary.Write(h, binary.LittleEndian, t.targets)
		return h.Sum(nil)
	})
	return id
}

// prepare returns the training of p that c and o ask for, or what is wrong with them. The engine minimises |w|²/2 +
// sum_i r_i phi_i(<w, x_i>), r_i = C times the weight, by its dual. An example of class 1 has the one label that there
// is, another none.
func (p Problem[T]) prepare(c Config, o solvers.Options) (*prepared[T], error) {
	of, err := p.task()
	if err != nil {
		return nil, err
	}
	if c, err = c.check(of); err != nil {
		return nil, err
	}
	o, n, d, err := family.Begin(o, p.X, p.Kernel, c.Bias)
	if err != nil {
		return nil, err
	}
	labels, err := p.labels(n)
	if err != nil {
		return nil, err
	}
	if err := family.CheckSizes(n, d, 1, c.BlockSize); err != nil {
		return nil, err
	}
	if c, err = p.choose(c, n, d); err != nil {
		return nil, err
	}
	r, err := family.Radii[T](c.C, fmt.Sprintf("C = %v", c.C), &labels, p.Weights, nil, 1)
	if err != nil {
		return nil, err
	}
	if c.Loss == SquaredInsensitive {
		if err := checkSquares(p.Targets, c.Epsilon, r); err != nil {
			return nil, err
		}
	}
	t := &prepared[T]{of: of, c: c, targets: p.Targets, classes: p.classes(), Training: ascent.Training[T]{Family: name,
		Problem: ascent.Problem[T]{
			X: p.X, Constant: T(c.Bias), Kernel: p.Kernel, Labels: labels, Outputs: 1, Radius: r, Lambda: 1,
			Loss: lossOf[T](c, of, p.Targets), Exact: lossOf[float64](c, of, p.Targets), Offset: c.Offset,
		},
		Options: ascent.Options{Options: o, BlockSize: c.BlockSize},
	}}
	switch {
	case c.Algorithm == Newton:
		t.Method = newton.Method[T]()
	case of == oneClass && p.X != nil:
		t.Method = oneclass.Method[T]()
	}
	if t.classes != nil {
		t.Names = t.classes[1:]
	}
	if of == oneClass {
		t.Problem.Sum = c.Nu * sumOf(r)
	}
	t.Settings = p.settings(t)
	if p.Start != nil {
		t.Start = &ascent.Given[T]{Duals: p.Start.Duals, Certificate: p.Start.Certificate}
		if p.Start.Model != nil {
			t.Start.Model = p.Start.Model.Model
		}
	}
	return t, nil
}

func sumOf(r []float64) (sum float64) {
	for _, v := range r {
		sum += v
	}
	return sum
}

// labels returns the label of each of n examples, none for class 0, with targets and of one class, or what is wrong
// with these.
func (p Problem[T]) labels(n int) (labels family.Labels, err error) {
	labels.Sets = make([][]int, n)
	if p.OneClass {
		if p.Names != nil {
			return labels, fmt.Errorf("%d Names with OneClass, want none", len(p.Names))
		}
		if n == 0 {
			return labels, fmt.Errorf("no examples")
		}
		return labels, nil
	}
	if p.Targets != nil {
		if p.Names != nil {
			return labels, fmt.Errorf("%d Names with Targets, want none", len(p.Names))
		}
		return labels, checkTargets[T](p.Targets, n)
	}
	classes := family.Labels{One: p.Y}
	if _, err := classes.Outputs(n, 2, "Classes"); err != nil {
		return labels, err
	}
	one := []int{0}
	for i, y := range p.Y {
		if y == 1 {
			labels.Sets[i] = one
		}
	}
	return labels, solvers.CheckNames(p.Names, 2)
}

// checkTargets returns an error unless there is a target of each of n examples, well inside the range of T.
func checkTargets[T vec.Float](targets []float64, n int) error {
	if n == 0 {
		return fmt.Errorf("no examples")
	}
	if len(targets) != n {
		return fmt.Errorf("%d targets for %d examples", len(targets), n)
	}
	_, high, _ := family.Limits[T]()
	for i, v := range targets {
		if !(v < high && v > -high) {
			return fmt.Errorf("target %v of row %d, want a finite number, less than %v in size for %T", v, i, high,
				T(0))
		}
	}
	return nil
}

// checkSquares returns an error where the squared losses of scores of 0 with the weights r are not known: each square
// is off by half of the least number at most, where it is below the normal ones. Together that is to be next to
// nothing.
func checkSquares(targets []float64, epsilon float64, r []float64) error {
	sum, off, row := 0.0, 0.0, 0
	for i, y := range targets {
		z := max(0, math.Abs(y)-epsilon)
		sum += r[i] * z * z
		if z > 0 && z < 0x1p-511 {
			off, row = off+r[i]*math.SmallestNonzeroFloat64, i
		}
	}
	if off > 0x1p-40*sum {
		return fmt.Errorf("target %v of row %d with squared losses, and no other is large enough: squares are below "+
			"what float64 can tell from 0: scale the targets up", targets[row], row)
	}
	return nil
}

// classes returns the names of the classes, nil where there are none.
func (p Problem[T]) classes() []string {
	switch {
	case p.Targets != nil || p.OneClass:
		return nil
	case p.Names != nil:
		return []string{p.Names[0], p.Names[1]}
	}
	return []string{"0", "1"}
}

func lossOf[T vec.Float](c Config, from task, targets []float64) loss.Loss[T] {
	if from == oneClass {
		return loss.OneClass[T]{}
	}
	of := &loss.Targets{Y: targets, Epsilon: c.Epsilon}
	switch c.Loss {
	case Hinge:
		return loss.LabelHinge[T]{}
	case SquaredHinge:
		return loss.SquaredHinge[T]{}
	case Logistic:
		return loss.Logistic[T]{}
	case Insensitive:
		return loss.EpsilonInsensitive[T]{Targets: of}
	default:
		return loss.SquaredEpsilonInsensitive[T]{Targets: of}
	}
}

// settings is all that a configuration says about the steps of a training, in words. With a kernel the number of
// workers makes no difference.
func (p Problem[T]) settings(t *prepared[T]) string {
	c, o := t.c, t.Options
	all := fmt.Sprintf("C %v, loss %v, epsilon %v, bias %v, algorithm %v, tolerance %v, seed %d, block size %d", c.C,
		c.Loss, c.Epsilon, c.Bias, c.Algorithm, o.Tol, o.Seed, o.BlockSize)
	switch {
	case p.OneClass:
		all = fmt.Sprintf("one class, nu %v, tolerance %v, seed %d, block size %d", c.Nu, o.Tol, o.Seed, o.BlockSize)
	case c.Offset:
		all += ", offset"
	}
	if p.Kernel != nil {
		return all
	}
	return fmt.Sprintf("%s, workers %d", all, o.Workers)
}
