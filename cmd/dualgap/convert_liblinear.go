package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// toLIBLINEAR returns what writes the model, with the scaling of examples and the threshold of a ranker in its weights.
func toLIBLINEAR[T vec.Float](c *Convert, p *predictor.Predictor, m *model.Model[T],
	out *output) (func(io.Writer) error, error) {
	raw, err := rawLinear(p, m)
	if err != nil {
		return nil, err
	}
	_, outputs := p.Dims()
	solver, known := solverOf(p, outputs)
	switch {
	case p.Task() == predictor.Numbers:
		if !known {
			solver = linear.L2RL2LossSVRDual
		}
		return func(w io.Writer) error { return raw.WriteLIBLINEARRegression(w, 0, solver) }, nil
	case tellsInside(p):
		if c.Class != "" {
			return nil, usage("--class: a model of one class has one output")
		}
		return func(w io.Writer) error { return raw.WriteLIBLINEAROneClass(w, 0) }, nil
	case p.Task() == predictor.Classes && c.Class == "" && outputs > 1:
		if outputs == 2 && eachAlone(p) {
			if raw, err = halved(raw); err != nil {
				return nil, err
			}
		}
		o := linear.LIBLINEAROptions{Solver: solver, Labels: numbers(p.Classes(), out)}
		return func(w io.Writer) error { return raw.WriteLIBLINEAR(w, o) }, nil
	}
	output, labels, err := oneOutput(c, p, out)
	if err != nil {
		return nil, err
	}
	if !known || solver == linear.MCSVMCS || outputs > 1 && !eachAlone(p) { // of no loss of this output alone
		solver = linear.L2RL1LossSVCDual
	}
	return func(w io.Writer) error { return raw.WriteLIBLINEAROutput(w, output, labels, solver) }, nil
}

// rawLinear returns the linear model of raw examples that answers by the signs of its scores.
func rawLinear[T vec.Float](p *predictor.Predictor, m *model.Model[T]) (*linear.Model[T], error) {
	own := m.Linear
	var err error
	switch {
	case m.LowRank != nil:
		if own, err = m.LowRank.Dense(); err != nil {
			return nil, err
		}
	case own == nil:
		return nil, fmt.Errorf("a model of a kernel, LIBLINEAR has linear ones: --to libsvm")
	}
	w, bias := own.Weights(), own.Bias()
	if s := p.Scaling(); s.Shift != nil || s.Factor != nil || s.UnitRows {
		if w, bias, err = dataset.RawWeights(s, w, bias); err != nil {
			return nil, err
		}
	}
	top, added := p.Task() == predictor.Top, p.Task() == predictor.Numbers && p.Offset() != 0
	if bias == nil && (top || added) {
		bias = make([]T, 1)
	}
	switch {
	case top:
		bias[0] = aboveZero(bias[0], p.Threshold())
	case added:
		bias[0] += T(p.Offset())
	}
	return linear.New(w, bias, nil)
}

// solverOf returns the solver of LIBLINEAR that minimises the loss and the regularizer of a model, by its notes: with
// primal Newton steps or by dual coordinate ascent. Where LIBLINEAR has none it is MCSVMCS, and known is false; but of
// two classes by the softmax loss liblinear-predict gives the probabilities as for the logistic loss.
func solverOf(p *predictor.Predictor, outputs int) (s linear.SolverType, known bool) {
	notes := p.Notes()
	if s, known = linear.ParseSolver(notes[linear.NoteSolver]); known {
		return s, true
	}
	_, of, _ := strings.Cut(", "+notes["settings"], ", loss ")
	of, _, _ = strings.Cut(of, ",")
	type way struct{ dual, newton linear.SolverType }
	all := map[string]way{
		"hinge":                       {linear.L2RL1LossSVCDual, linear.L2RL1LossSVCDual},
		"squared hinge":               {linear.L2RL2LossSVCDual, linear.L2RL2LossSVC},
		"logistic":                    {linear.L2RLRDual, linear.L2RLR},
		"epsilon-insensitive":         {linear.L2RL1LossSVRDual, linear.L2RL1LossSVRDual},
		"squared epsilon-insensitive": {linear.L2RL2LossSVRDual, linear.L2RL2LossSVR},
	}
	switch notes["solver"] {
	case "l1":
		all = map[string]way{"squared hinge": {dual: linear.L1RL2LossSVC}, "logistic": {dual: linear.L1RLR}}
	case "svm", "m3l":
	default:
		if p.HasProbabilities() && p.Calibration() == nil && outputs == 2 {
			return linear.L2RLR, true
		}
		return linear.MCSVMCS, false
	}
	found, known := all[of]
	if strings.Contains(notes["settings"], ", algorithm Newton,") {
		return found.newton, known
	}
	return found.dual, known
}

// eachAlone reports whether each output of a model tells its class from all others by a loss of its own.
func eachAlone(p *predictor.Predictor) bool {
	solver, _ := linear.ParseSolver(p.Notes()[linear.NoteSolver])
	return slices.Contains([]string{"m3l", "l1", "svm"}, p.Notes()["solver"]) ||
		solver != linear.MCSVMCS && len(p.Classes()) > 2
}

// halved returns the model with half its weights: of two outputs, each of which tells the classes apart, one the other
// with a changed sign, the difference is then one of them, as LIBLINEAR has it.
func halved[T vec.Float](m *linear.Model[T]) (*linear.Model[T], error) {
	w, bias := m.Weights(), m.Bias()
	half := vec.NewMatrix[T](w.Rows, w.Cols)
	for j := range w.Rows {
		vec.Axpy(.5, w.Row(j), half.Row(j))
	}
	for c := range bias {
		bias[c] /= 2
	}
	return linear.New(half, bias, nil)
}
