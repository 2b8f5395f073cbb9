package main

import (
	"slices"

	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// ofSets is ofClasses for sets of labels. What a model of the task Classes predicts are no sets: only its order counts.
func ofSets(r *report, m *predictor.Predictor, truth [][]int) (func(int, *predictor.Prediction) error, func() error) {
	names := m.Classes()
	all := vec.NewMatrix[float64](len(truth), len(names))
	predicted := make([][]int, len(truth))
	use := func(i int, q *predictor.Prediction) error {
		copy(all.Row(i), q.Scores)
		for c, v := range q.Scores {
			if m.HasLabel(c, v) {
				predicted[i] = append(predicted[i], c)
			}
		}
		return nil
	}
	return use, func() error {
		if m.Task() == predictor.Sets {
			if err := r.compare(predicted, truth, names); err != nil {
				return err
			}
		}
		// The mean is over examples that have a label, but not all.
		if slices.ContainsFunc(truth, func(s []int) bool { return len(s) > 0 && len(s) < len(names) }) {
			loss, err := metrics.RankingLoss(all, truth)
			if err != nil {
				return err
			}
			r.RankingLoss = &loss
		}
		var err error
		r.PrecisionAt, err = metrics.PrecisionAtK(all, truth, min(guesses, len(names)))
		return err
	}
}

// compare measures sets that were predicted.
func (r *report) compare(predicted, truth [][]int, names []string) error {
	hamming, err := metrics.HammingLoss(predicted, truth, len(names))
	if err != nil {
		return err
	}
	faultless, err := metrics.SubsetAccuracy(predicted, truth, len(names))
	if err != nil {
		return err
	}
	of, err := metrics.PerLabel(predicted, truth, len(names))
	if err != nil {
		return err
	}
	micro, macro := metrics.MicroF1(of), metrics.MacroF1(of)
	r.HammingLoss, r.Faultless, r.MicroF1, r.MacroF1, r.Classes = &hamming, &faultless, &micro, &macro, named(names, of)
	return nil
}
