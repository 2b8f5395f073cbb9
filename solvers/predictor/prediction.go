package predictor

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
)

// Prediction is what a model answers to one example.
type Prediction struct {
	// Class is the number of the output with the largest score, of the smaller number where scores are equal: its place
	// in Classes. Of two classes with a threshold it is the second where its score less the other is at least that. It
	// is -1 for the tasks Sets, Top, Queries and Numbers.
	Class int

	// Label is the name of that output. For the task Top it is the class of the side that the example is on. It is ""
	// for the tasks Sets, Queries and Numbers, and where a side has several classes.
	Label string

	// Labels are all of them: of the task Sets the labels of [Predictor.HasLabel], as they stand in Classes; of the
	// task Top the classes of the side, none where these are not known; none of the tasks Queries and Numbers.
	Labels []string

	// Positive is whether the score is at least the threshold, for the task Top.
	Positive bool

	// Scores has one for each of the Classes; a number alone for rankers, and of the task Numbers, where it is what is
	// predicted.
	Scores []float64

	// Probabilities has one for each of the Classes: they sum to 1, unless labels are independent of each other, as
	// under the logistic loss of each. For rankers it is one alone, that the example is positive. It is nil where the
	// model has none: [Predictor.HasProbabilities].
	Probabilities []float64
}

// decide fills the labels of q by its scores. They share no memory with p but the bytes of the names.
func (p *Predictor) decide(q *Prediction) {
	q.Class, q.Label, q.Labels, q.Positive = -1, "", q.Labels[:0], false
	switch p.task {
	case Classes:
		var best [1]int
		solvers.Rank(best[:], q.Scores)
		q.Class = best[0]
		if p.thresholds != nil {
			q.Class = 0
			if Margin(p.Own(q)) >= p.thresholds[0] {
				q.Class = 1
			}
		}
		q.Labels = append(q.Labels, p.classes[q.Class])
	case Sets:
		for c, v := range q.Scores {
			if p.HasLabel(c, v) {
				q.Labels = append(q.Labels, p.classes[c])
			}
		}
		return
	case Top:
		side := p.negative
		if q.Positive = q.Scores[0] >= p.threshold; q.Positive {
			side = p.positive
		}
		q.Labels = append(q.Labels, side...)
	}
	if len(q.Labels) == 1 {
		q.Label = q.Labels[0]
	}
}

// TopK returns the names of the k best outputs, as [Predictor.Rank] has them. It is an error unless k is from 1 to the
// number of Classes, which rankers do not have.
func (p *Predictor) TopK(q Prediction, k int) ([]string, error) {
	if err := p.CheckTopK(k); err != nil {
		return nil, err
	}
	best, names := make([]int, k), make([]string, k)
	p.Rank(best, &q)
	for j, c := range best {
		names[j] = p.classes[c]
	}
	return names, nil
}

// CheckTopK returns an error unless the model has k classes to rank, and k is at least 1.
func (p *Predictor) CheckTopK(k int) error {
	if k < 1 || k > len(p.classes) {
		return fmt.Errorf("predictor: the %d best of %d classes", k, len(p.classes))
	}
	return nil
}
