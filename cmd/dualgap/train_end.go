package main

import (
	"io"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// ofModel is the end of a training whose model is on features, a kernel or many.
func ofModel[T vec.Float](m *model.Model[T], o solvers.Outcome) *trained[T] {
	return &trained[T]{Outcome: o, notes: m.Notes(), file: func(notes map[string]string) io.WriterTo {
		switch m := m.WithNotes(notes); {
		case m.Kernel != nil:
			return m.Kernel
		case m.Kernels != nil:
			return m.Kernels
		default:
			return m.Linear
		}
	}}
}

// leaveOut drops a parameter from the table.
func (s *search[T]) leaveOut(name string, really bool) {
	at := slices.Index(s.parameters, name)
	if !really || at < 0 {
		return
	}
	s.parameters = slices.Delete(s.parameters, at, at+1)
	for i := range s.points {
		s.points[i].values = slices.Delete(s.points[i].values, at, at+1)
	}
}
