package toprank

import (
	"fmt"
	"strconv"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// Model is a Scorer with one output, and the threshold that its training ended with: an example is predicted to be
// positive where its score is at least that. Files hold Linear or Kernel, with the threshold among the notes: [Open]
// makes a Model of what was read.
//
// A model that was trained within queries has no threshold: its scores rank the examples of one query, scores of two
// queries do not compare.
type Model[T vec.Float] struct {
	*model.Model[T]
	Threshold     float64 // 0 within queries
	WithinQueries bool
}

// What the notes of a model have: the threshold, or else that it ranks within queries.
const (
	note       = "threshold"
	noteRanks  = "ranks"
	withinNote = "within queries"
)

// Open returns the model with the threshold that its notes tell, or an error where they tell none.
func Open[T vec.Float](m *model.Model[T]) (*Model[T], error) {
	if m == nil || m.Linear == nil && m.Kernel == nil {
		return nil, fmt.Errorf("toprank: no model")
	}
	text, ok := m.Notes()[note]
	switch {
	case !ok && m.Notes()[noteRanks] == withinNote:
		return &Model[T]{Model: m, WithinQueries: true}, nil
	case !ok:
		return nil, fmt.Errorf("toprank: a model whose notes have no %q", note)
	}
	t, err := strconv.ParseFloat(text, 64)
	if err != nil || t-t != 0 {
		return nil, fmt.Errorf("toprank: a model whose notes have the %s %q, want a finite number", note, text)
	}
	return &Model[T]{Model: m, Threshold: t}, nil
}

// noted returns m with the threshold t, or that it ranks within queries, which its notes tell from then on.
func noted[T vec.Float](m *model.Model[T], t float64, within bool) *Model[T] {
	notes := m.Notes()
	if within {
		notes[noteRanks] = withinNote
	} else {
		notes[note] = strconv.FormatFloat(t, 'g', -1, 64)
	}
	return &Model[T]{Model: m.WithNotes(notes), Threshold: t, WithinQueries: within}
}

// Decide returns of each example of x whether its score is at least the threshold. A score that is NaN is an error that
// names its row. workers is the number of goroutines, 0: as many as cores. It is an error for a model within queries.
func (m *Model[T]) Decide(x design.Matrix[T], workers int) ([]bool, error) {
	n, _, err := design.Check(x)
	if err != nil {
		return nil, err
	}
	if m.WithinQueries {
		return nil, fmt.Errorf("toprank: a model that ranks within queries has no threshold: sort each query by Scores")
	}
	scores := vec.NewMatrix[T](n, 1)
	if err := m.ScoresWorkers(scores, x, nil, workers); err != nil {
		return nil, err
	}
	positive := make([]bool, n)
	for i, f := range scores.Data {
		if f != f {
			return nil, fmt.Errorf("toprank: the score of row %d is NaN", i)
		}
		positive[i] = float64(f) >= m.Threshold
	}
	return positive, nil
}
