package race

import (
	"cmp"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// Linear is a race to the same value of
//
//	1/2 |W|² + C Σ_i loss(i, Wᵀx_i),
//
// the objective, which is computed in float64 for everybody.
type Linear struct {
	Name string
	X    *dataset.CSR[float64]
	C    float64
	Loss func(i int, scores []float64) float64

	Penalty func(w []float64) float64      // in place of 1/2 |W|², unless nil
	Losses  func(scores []float64) float64 // of one output, in place of the sum of losses, unless nil
	Least   float64                        // gap that is tried; 0: the constant Least
}

// Train trains a linear model to a tolerance. It returns the weights, features by outputs, and the CPU seconds.
type Train func(tolerance float64) (w vec.Matrix[float64], seconds float64, err error)

// Weights returns the weights of a model as float64.
func Weights[T vec.Float](m *linear.Model[T]) vec.Matrix[float64] {
	narrow := m.Weights()
	w := vec.NewMatrix[float64](narrow.Rows, narrow.Cols)
	for j := range w.Rows {
		for c, v := range narrow.Row(j) {
			w.Row(j)[c] = float64(v)
		}
	}
	return w
}

// Print races for a number of rounds and prints a line: see [Print].
func (l Linear) Print(eps float64, rounds int, liblinear, float32s, float64s Train) error {
	return Print(l.Name, eps, cmp.Or(l.Least, Least), rounds, l.run(liblinear), l.run(float32s), l.run(float64s))
}

func (l Linear) run(train Train) Run {
	return func(tolerance float64) (objective, seconds float64, err error) {
		w, seconds, err := train(tolerance)
		if err != nil {
			return 0, 0, err
		}
		return l.Objective(w), seconds, nil
	}
}

// Objective returns the objective at the given weights.
func (l Linear) Objective(w vec.Matrix[float64]) float64 {
	sum, scores := 0.0, make([]float64, w.Cols)
	var all []float64
	for i := range l.X.Rows {
		clear(scores)
		columns, values := l.X.Row(i)
		for k, j := range columns {
			vec.Axpy(values[k], w.Row(int(j)), scores)
		}
		if l.Losses != nil {
			all = append(all, scores[0])
		} else {
			sum += l.Loss(i, scores)
		}
	}
	if l.Losses != nil {
		sum = l.Losses(all)
	}
	if l.Penalty != nil {
		return l.Penalty(w.Data) + l.C*sum
	}
	return vec.SquaredNorm(w.Data)/2 + l.C*sum
}
