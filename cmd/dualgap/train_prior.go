package main

import (
	"fmt"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// Why --prior-model stands alone.
const (
	noWeights = "a kernel has no weights; leave out one of them"
	notScaled = "weights go by the features as they are; leave out one of them"
)

// Related is the flag of the families whose weights may be pulled to another model's.
type Related struct {
	PriorModel string `group:"model" name:"prior-model" placeholder:"MODEL" help:"A linear model of a related problem: the regularization pulls the weights to its weights in place of 0, so that few examples do. Its features and classes are the new model's; its examples must not have been scaled."`

	of *predictor.Predictor
}

// open opens the model, whose features and classes the examples then have.
func (r *Related) open(t *Training) (err error) {
	if r.PriorModel == "" {
		return nil
	}
	if r.of, err = openModel(r.PriorModel); err != nil {
		return err
	}
	if s := r.of.Scaling(); s.Shift != nil || s.Factor != nil || s.UnitRows {
		return fmt.Errorf("%s: a model of scaled examples, whose weights do not fit others", r.PriorModel)
	}
	_, outputs := r.of.Dims()
	if classes := len(r.of.Classes()); classes != outputs {
		return fmt.Errorf("%s: a model of %d classes with %d outputs, want as many", r.PriorModel, classes, outputs)
	}
	t.known = knownTo(r.of)
	return nil
}

// weightsFor returns the weights of the model for examples with a constant feature of value bias, 0 for none; empty
// where no flag names one.
func weightsFor[T vec.Float](r *Related, t *Training, e *data.Examples[T], bias float64) (w0 vec.Matrix[float64],
	err error) {
	switch {
	case r.of == nil:
		return w0, nil
	case e.UnseenLabels > 0:
		return w0, fmt.Errorf("%s: %d labels that %s has not, of the classes %s", t.Train, e.UnseenLabels, r.PriorModel,
			list(r.of.Classes()))
	case e.UnseenNonzeros > 0:
		features, _ := r.of.Dims()
		return w0, fmt.Errorf("%s: %d numbers of features beyond the %d that %s has", t.Train, e.UnseenNonzeros,
			features, r.PriorModel)
	}
	single, double := r.of.Models()
	if double != nil {
		w0, err = linearPrior(double, bias)
	} else {
		w0, err = linearPrior(single, bias)
	}
	return w0, inFile(r.PriorModel, err)
}

func linearPrior[T vec.Float](m *model.Model[T], bias float64) (w0 vec.Matrix[float64], err error) {
	var weights *linear.Model[T]
	switch {
	case m.Linear != nil:
		weights = m.Linear
	case m.LowRank != nil:
		if weights, err = m.LowRank.Dense(); err != nil {
			return w0, err
		}
	default:
		return w0, fmt.Errorf("a model of kernels, want a linear one: --prior-model takes its weights")
	}
	w0, err = weights.Prior(bias)
	if err != nil && bias == 0 {
		err = fmt.Errorf("%w: leave out -B -1", err)
	}
	return w0, err
}
