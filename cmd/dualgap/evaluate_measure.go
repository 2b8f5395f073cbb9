package main

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// measure measures the answers of m to e, with the curves of each class where these are wanted.
func measure[T vec.Float](ctx context.Context, m *predictor.Predictor, e *data.Examples[T], positive []string,
	curves bool, workers int) (*report, error) {
	of := newTruth(m, e)
	if _, outputs := m.Dims(); of.sets != nil && len(of.sets) > math.MaxInt/outputs {
		return nil, fmt.Errorf("%d examples and %d labels are more scores than int counts here", len(of.sets), outputs)
	}
	r := &report{Examples: e.Len(), Task: m.Task(), unseen: unseen{e.UnseenLabels, e.UnseenNonzeros}}
	var found []float64 // the score for the positive classes
	var use func(i int, q *predictor.Prediction) error
	var end func() error
	switch {
	case of.sets != nil:
		use, end = ofSets(r, m, of.sets)
	case of.y != nil:
		use, end = ofClasses(r, m, of.y)
	case of.targets != nil:
		use, end = ofNumbers(r, of.targets)
	case m.Task() == predictor.Numbers:
		return nil, fmt.Errorf("labels that are no numbers, which the model predicts")
	default:
		use, end = func(int, *predictor.Prediction) error { return nil }, func() error { return nil }
	}
	if curves && of.y != nil && positive == nil && len(m.Classes()) <= manyCurves {
		use, end = withCurves(r, m, of.y, use, end)
	}
	use, end = withReliability(r, m, of, use, end)
	find, positive, err := finder(m, positive)
	if err != nil {
		return nil, err
	}
	err = m.Each(ctx, e.X, func(i int, q *predictor.Prediction) error {
		if find != nil {
			found = append(found, find(q.Scores))
		}
		return use(i, q)
	}, workers)
	if err == nil {
		err = end()
	}
	if err == nil && find != nil {
		if of.positive == nil {
			of.positive = e.Among(positive)
		}
		if m.Task() != predictor.Queries {
			err = rank(r, m, found, of.positive)
		} else if e.Groups == nil {
			err = fmt.Errorf("no queries, which the model ranks within: want qid:, --group-column or --group-file")
		}
		if err == nil && e.Groups != nil {
			r.ByQuery, err = ofQueries(e, found, of.positive)
		}
	}
	return r, err
}

// ofClasses returns what takes the prediction of each example, whose classes are y, and what puts the measures into r.
func ofClasses(r *report, m *predictor.Predictor, y []int) (func(int, *predictor.Prediction) error, func() error) {
	names := m.Classes()
	k := min(guesses, max(1, len(names)-1)) // all classes together are never wrong
	var ranked [][]int
	use := func(i int, q *predictor.Prediction) error {
		best := make([]int, k)
		m.Rank(best, q)
		ranked = append(ranked, best)
		return nil
	}
	return use, func() (err error) {
		if r.TopK, err = metrics.TopKRanked(ranked, y, k); err != nil {
			return err
		}
		r.Accuracy = &r.TopK[0]
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

// finder returns what makes one score of an example's scores, and the classes that it finds: a ranker's score, or the
// largest of the classes that --positive names; nil where there are none.
func finder(m *predictor.Predictor, positive []string) (find func([]float64) float64, classes []string, err error) {
	switch {
	case m.Ranks() && positive != nil:
		return nil, nil, usage("--positive: this ranker was trained to find %q", m.Positive())
	case m.Ranks():
		return func(s []float64) float64 { return s[0] }, m.Positive(), nil
	case positive == nil:
		return nil, nil, nil
	}
	of, err := placesOf(positive, m.Classes(), "the model knows")
	if err != nil {
		return nil, nil, err
	}
	for _, c := range of {
		classes = append(classes, m.Classes()[c])
	}
	return func(s []float64) float64 {
		best := s[of[0]]
		for _, c := range of[1:] {
			best = max(best, s[c])
		}
		return best
	}, classes, nil
}
