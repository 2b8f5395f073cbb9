package svm

import (
	"encoding/json"
	"fmt"

	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// Model is a Scorer with one output. Of two classes a score above 0 says that the class is 1, and solvers.Predict
// returns that; of one class a score of at least 0 says that an example is inside; otherwise the score is the number
// that is predicted. Files hold Linear or Kernel, with the names of the
// classes among the notes: [Open] makes a Model of what was read.
type Model[T vec.Float] struct {
	*model.Model[T]
	Classes  []string // the names of the classes 0 and 1; nil: the scores are numbers that are predicted, or
	OneClass bool     // that they tell what is inside
}

// What the notes of a model have: the names of its two classes, as a JSON array, or that it predicts numbers, or what
// is inside.
const (
	NoteClasses  = "classes"
	NotePredicts = "predicts"

	numbers = "numbers" // what it predicts
	inside  = "inside"
)

// Open returns the model with what its notes tell of the classes, or an error where they tell nothing.
func Open[T vec.Float](m *model.Model[T]) (*Model[T], error) {
	if m == nil || m.Linear == nil && m.Kernel == nil {
		return nil, fmt.Errorf("svm: no model")
	}
	if _, outputs := m.Dims(); outputs != 1 {
		return nil, fmt.Errorf("svm: a model of %d outputs, want one", outputs)
	}
	notes := m.Notes()
	text, classes := notes[NoteClasses]
	if !classes {
		predicts := notes[NotePredicts]
		if predicts != numbers && predicts != inside {
			return nil, fmt.Errorf("svm: a model whose notes have neither %q nor %q: %q or %q", NoteClasses,
				NotePredicts, numbers, inside)
		}
		return &Model[T]{Model: m, OneClass: predicts == inside}, nil
	}
	var names []string
	if err := json.Unmarshal([]byte(text), &names); err != nil || len(names) != 2 || names[0] == names[1] {
		return nil, fmt.Errorf("svm: a model whose notes have the %s %q, want two names as a JSON array", NoteClasses,
			text)
	}
	return &Model[T]{Model: m, Classes: names}, nil
}

// noted returns m with the names of its classes, nil for one class or for numbers, which its notes tell from then on.
func noted[T vec.Float](m *model.Model[T], classes []string, oneClass bool) *Model[T] {
	notes := m.Notes()
	switch {
	case oneClass:
		notes[NotePredicts] = inside
	case classes == nil:
		notes[NotePredicts] = numbers
	default:
		text, _ := json.Marshal(classes) // strings have no errors
		notes[NoteClasses] = string(text)
	}
	return &Model[T]{Model: m.WithNotes(notes), Classes: classes, OneClass: oneClass}
}
