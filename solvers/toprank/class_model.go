package toprank

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// ClassModel is a Scorer with an output for each class c: the score of the class's ranker less its threshold, <w_c, x>
// - t_c, at least 0 where the ranker finds the example to be of its class. solvers.Predict takes the largest, and
// solvers.TopK the k largest.
//
// A linear model has the thresholds as its offsets, so that its file is all there is to predict by. An expansion in
// support vectors has no offsets: its scores are <w_c, x>, its notes have the thresholds, and OpenClasses makes a
// ClassModel of what was read.
type ClassModel[T vec.Float] struct {
	*model.Model[T]
	Thresholds []float64 // of the classes
}

// thresholdsNote is what the notes of a kernel's model have.
const thresholdsNote = "thresholds of the classes"

// OpenClasses returns the model with the thresholds that its offsets or its notes tell, or an error where they tell
// none, or others than one for each class.
func OpenClasses[T vec.Float](m *model.Model[T]) (*ClassModel[T], error) {
	opened := &ClassModel[T]{Model: m}
	switch {
	case m != nil && m.Linear != nil:
		for _, b := range m.Linear.Bias() {
			opened.Thresholds = append(opened.Thresholds, -float64(b))
		}
		if opened.Thresholds == nil {
			return nil, fmt.Errorf("toprank: a model without offsets, which are the thresholds of classes")
		}
		return opened, nil
	case m == nil || m.Kernel == nil:
		return nil, fmt.Errorf("toprank: no model")
	}
	text, ok := m.Notes()[thresholdsNote]
	if !ok {
		return nil, fmt.Errorf("toprank: a model whose notes have no %q", thresholdsNote)
	}
	for _, word := range strings.Fields(text) {
		t, err := strconv.ParseFloat(word, 64)
		if err != nil || t-t != 0 {
			return nil, fmt.Errorf("toprank: a model whose notes have the threshold %q, want a finite number", word)
		}
		opened.Thresholds = append(opened.Thresholds, t)
	}
	if _, classes := m.Dims(); len(opened.Thresholds) != classes {
		return nil, fmt.Errorf("toprank: a model of %d classes whose notes have %d thresholds", classes,
			len(opened.Thresholds))
	}
	return opened, nil
}

// Scores sets dst to the scores of the given rows of x, nil for all: see model.Model.
func (m *ClassModel[T]) Scores(dst vec.Matrix[T], x design.Matrix[T], rows []int) error {
	return m.ScoresWorkers(dst, x, rows, 0)
}

// ScoresWorkers is Scores by that number of goroutines, 0: as many as cores.
func (m *ClassModel[T]) ScoresWorkers(dst vec.Matrix[T], x design.Matrix[T], rows []int, workers int) error {
	if err := m.Model.ScoresWorkers(dst, x, rows, workers); err != nil || m.Kernel == nil {
		return err
	}
	for i := range dst.Rows {
		row := dst.Row(i)
		for k, t := range m.Thresholds {
			row[k] = T(float64(row[k]) - t)
		}
	}
	return nil
}
