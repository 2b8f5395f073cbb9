package main

import (
	"slices"

	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// manyCurves is up to how many classes each has curves of its own: more lines cannot be told apart.
const manyCurves = 7

// withCurves returns use and end, which take the predictions of all examples, whose classes are y, and besides put into
// r the curves of each class against the rest, by its score. Examples of unknown classes belong to the rest.
func withCurves(r *report, m *predictor.Predictor, y []int, use func(int, *predictor.Prediction) error,
	end func() error) (
	func(int, *predictor.Prediction) error, func() error) {
	scores := make([][]float64, len(m.Classes()))
	collect := func(i int, q *predictor.Prediction) error {
		for c, v := range q.Scores {
			scores[c] = append(scores[c], v)
		}
		return use(i, q)
	}
	return collect, func() error {
		for c, name := range m.Classes() {
			is := make([]bool, len(y))
			for i := range y {
				is[i] = y[i] == c
			}
			if !slices.Contains(is, true) || !slices.Contains(is, false) {
				continue
			}
			pr, err := metrics.PrecisionRecall(scores[c], is)
			if err != nil {
				return err
			}
			roc, err := metrics.ROC(scores[c], is)
			if err != nil {
				return err
			}
			r.curves = append(r.curves, curves{name, pr, roc})
		}
		return end()
	}
}
