package main

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// open reads the examples to learn from, and scales them.
func open[T vec.Float](t *Training) (*data.Examples[T], *dataset.Scaling, error) {
	e, err := data.Open[T](t.Train, t.Options, t.known)
	if err == nil && !t.bare {
		err = e.NeedLabels(t.Train)
	}
	if err != nil {
		return nil, nil, err
	}
	scaling, err := scalingOf(t.Scale, e.X)
	if err == nil && scaling != nil {
		err = e.Scale(scaling)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", t.Train, err)
	}
	return e, scaling, dense(e)
}

// dense makes examples of sparse text dense where that is as small, half of their numbers not being 0: training on rows
// that lie in memory as they are is quicker then.
func dense[T vec.Float](e *data.Examples[T]) error {
	x, ok := e.X.(*dataset.CSR[T])
	if !ok || int64(len(x.Val))*2 < int64(x.Rows)*int64(x.Cols) {
		return nil
	}
	d, err := e.Dense()
	if err == nil {
		e.X = d
	}
	return err
}

// notesOf are what a model notes of its examples: the names of the features and of the label, and where that was.
func notesOf[T vec.Float](e *data.Examples[T]) map[string]string {
	notes := map[string]string{}
	if e.FeatureNames != nil {
		names, _ := json.Marshal(e.FeatureNames) // strings have no errors
		notes[predictor.NoteFeatures] = string(names)
	}
	if e.CSV.LabelName != "" {
		notes[predictor.NoteLabel] = e.CSV.LabelName
	}
	if e.CSV.Label > 0 {
		notes[predictor.NoteLabelColumn] = strconv.Itoa(e.CSV.Label)
	}
	return notes
}

// sizeOf says how large the data are, with classes or sets of labels unless labels are neither.
func sizeOf[T vec.Float](e *data.Examples[T], classes bool) string {
	n, d := e.X.Dims()
	size := fmt.Sprintf("%d examples, %d features", n, d)
	switch {
	case !classes:
		return size
	case e.Sets != nil:
		return fmt.Sprintf("%s, %d labels", size, len(e.Classes))
	}
	return fmt.Sprintf("%s, %d classes", size, len(e.Classes))
}

// oneClass returns an error unless each example has one class.
func oneClass[T vec.Float](t *Training, e *data.Examples[T]) error {
	if e.Sets == nil {
		return nil
	}
	for i, set := range e.Sets {
		if len(set) != 1 {
			return fmt.Errorf("%s: example %d has %d labels, want one: for sets of labels there is \"dualgap "+
				"train m3l\"", t.Train, i+1, len(set))
		}
	}
	e.Y = make([]int, len(e.Sets))
	for i, set := range e.Sets {
		e.Y[i] = set[0]
	}
	e.Sets = nil
	return nil
}
