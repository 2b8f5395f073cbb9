package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/models"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// measure scales e, and measures the answers of m to it.
func measure[T vec.Float](ctx context.Context, m *models.Model[T], e *data.Examples[T], positive []string, workers int) (*report, error) {
	of := newTruth(m, e)
	if _, outputs := m.Dims(); of.sets != nil && len(of.sets) > math.MaxInt/outputs {
		return nil, fmt.Errorf("%d examples and %d labels are more scores than int counts here", len(of.sets), outputs)
	}
	if err := e.Scale(m.Scaling); err != nil {
		return nil, err
	}
	r := &report{Examples: e.Len(), Task: m.Task, Unknown: e.UnseenLabels, LeftOut: e.UnseenNonzeros}
	var found []T // the score for the positive classes
	var use func(i int, scores []T) error
	var end func() error
	switch {
	case of.sets != nil:
		use, end = ofSets(r, m, of.sets)
	case of.y != nil:
		use, end = ofClasses(r, m, of.y)
	default:
		use, end = func(int, []T) error { return nil }, func() error { return nil }
	}
	find, err := finder(m, positive)
	if err != nil {
		return nil, err
	}
	err = eachScores(ctx, m, e.X, workers, func(i int, scores []T) error {
		if find != nil {
			found = append(found, find(scores))
		}
		return use(i, scores)
	})
	if err == nil {
		err = end()
	}
	if err == nil && find != nil {
		if of.positive == nil {
			of.positive = e.Among(positive)
		}
		err = rank(r, found, of.positive, m.Task == models.Top, m.Threshold)
	}
	return r, err
}

// ofClasses returns what takes the scores of each example, whose classes are y, and what puts the measures into r.
func ofClasses[T vec.Float](r *report, m *models.Model[T], y []int) (func(int, []T) error, func() error) {
	names := m.Classes()
	k := min(guesses, len(names))
	var ranked [][]int
	var probabilities, p []T
	if softmax(m.Notes()) {
		p = make([]T, len(names))
	}
	use := func(i int, scores []T) error {
		best := make([]int, k)
		solvers.Rank(best, scores)
		ranked = append(ranked, best)
		if p != nil {
			vec.Softmax(p, scores)
			probabilities = append(probabilities, min(p[best[0]], 1)) // the sum may have been rounded
		}
		return nil
	}
	return use, func() (err error) {
		if r.TopK, err = metrics.TopKRanked(ranked, y, k); err != nil {
			return err
		}
		r.Accuracy = &r.TopK[0]
		if p != nil {
			right := make([]bool, len(y))
			for i, best := range ranked {
				right[i] = best[0] == y[i]
			}
			bins, err := metrics.Calibration(probabilities, right, 10)
			if err != nil {
				return err
			}
			r.Calibration = &calibration{Error: metrics.CalibrationError(bins)}
			for _, b := range bins {
				r.Calibration.Bins = append(r.Calibration.Bins, bin{b.Low, b.High, b.Count, b.Mean, b.Fraction})
			}
		}
		var predicted, known []int
		for i, best := range ranked {
			if y[i] >= 0 {
				predicted, known = append(predicted, best[0]), append(known, y[i])
			}
		}
		if len(known) == 0 {
			return nil
		}
		if r.Confusion, err = metrics.Confusion(predicted, known, len(names)); err != nil {
			return err
		}
		of := metrics.PerClass(r.Confusion)
		recall := metrics.MeanRecall(of)
		r.MeanRecall, r.Classes = &recall, named(names, of)
		return nil
	}
}

func named(names []string, of []metrics.Class) []classLine {
	lines := make([]classLine, len(of))
	for c, k := range of {
		lines[c] = classLine{names[c], k.Count, k.Predicted, k.Correct, k.Precision, k.Recall, k.F1}
	}
	return lines
}

// finder returns what makes one score of those of an example: that of a ranker, or the largest of the positive classes; nil
// where there are none.
func finder[T vec.Float](m *models.Model[T], positive []string) (func([]T) T, error) {
	switch {
	case m.Task == models.Top && positive != nil:
		return nil, usage("--positive: this ranker was trained to find %q", m.Positive)
	case m.Task == models.Top:
		return func(s []T) T { return s[0] }, nil
	case positive == nil:
		return nil, nil
	}
	var of []int
	for _, name := range positive {
		c := slices.Index(m.Classes(), name)
		if c < 0 {
			return nil, usage("--positive %s: the model knows %s", name, list(m.Classes()))
		}
		of = append(of, c)
	}
	return func(s []T) T {
		best := s[of[0]]
		for _, c := range of[1:] {
			best = max(best, s[c])
		}
		return best
	}, nil
}
