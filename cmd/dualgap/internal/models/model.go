// Package models opens the file of any model: those of the library, and the texts of LIBLINEAR and LIBSVM.
package models

import (
	"fmt"
	"strings"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/vec"
)

// Model is a scorer of raw examples once they are scaled by Scaling, and what its scores stand for.
type Model[T vec.Float] struct {
	*model.Model[T]
	Scaling   *dataset.Scaling // of examples, to be applied first; one that changes nothing where there is none
	Task      string           // Classes, Sets or Top
	Positive  []string         // of the task Top: the classes that are to come first; 1 where nothing is said
	Negative  string           // of the task Top: the name of all others; -1 where nothing is said
	Threshold float64          // of the task Top
}

// Any is a model of either type of numbers: the other one is nil.
type Any struct {
	Single *Model[float32]
	Double *Model[float64]
}

// New returns the model with what its notes say.
func New[T vec.Float](m *model.Model[T]) (*Model[T], error) {
	notes := m.Notes()
	own := &Model[T]{Model: m, Task: notes[NoteTask]}
	var err error
	if own.Scaling, err = dataset.ScalingOf(notes); err != nil {
		return nil, fmt.Errorf("the scaling among the notes: %w", err)
	}
	features, _ := m.Dims()
	for _, n := range []int{len(own.Scaling.Shift), len(own.Scaling.Factor)} {
		if n != 0 && n != features {
			return nil, fmt.Errorf("the scaling among the notes is of %d features, the model has %d", n, features)
		}
	}
	_, ranks := notes["threshold"]
	switch {
	case own.Task == "" && ranks:
		own.Task = Top
	case own.Task == "" && notes["solver"] == "m3l":
		own.Task = Sets
	case own.Task == "":
		own.Task = Classes
	}
	switch own.Task {
	case Classes, Sets:
	case Top:
		top, err := toprank.Open(m)
		if err != nil {
			return nil, err
		}
		if _, outputs := m.Dims(); outputs != 1 {
			return nil, fmt.Errorf("a threshold and %d outputs, expected one", outputs)
		}
		own.Threshold = top.Threshold
		own.Positive, own.Negative = []string{"1"}, "-1"
		if names := notes[NotePositive]; names != "" {
			own.Positive = strings.Split(names, ",")
		}
		if name := notes[NoteNegative]; name != "" {
			own.Negative = name
		}
	default:
		return nil, fmt.Errorf("the task %q among the notes, expected %s, %s or %s", own.Task, Classes, Sets, Top)
	}
	return own, nil
}

// Name returns the name of output c, its number where the model has no names.
func (m *Model[T]) Name(c int) string {
	if names := m.Names(); names != nil {
		return names[c]
	}
	return fmt.Sprint(c)
}

// Classes returns the names of all outputs; nil for the task Top, whose output is no class.
func (m *Model[T]) Classes() []string {
	if m.Task == Top {
		return nil
	}
	_, outputs := m.Dims()
	names := make([]string, outputs)
	for c := range names {
		names[c] = m.Name(c)
	}
	return names
}

// Known is what the model knows of data.
func (m *Model[T]) Known() *data.Known {
	features, _ := m.Dims()
	return &data.Known{Classes: m.Classes(), Features: features, Sets: m.Task == Sets}
}
