package main

import (
	"bytes"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/answer"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/page"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// The kinds of files that a command writes: one of them replaces no other. Data replace nothing.
var (
	modelKind = file.Kind{Name: "a model", Is: func(head []byte) bool {
		format := predictor.Format(head)
		return format == predictor.Dualgap && isModel(contains(head)) || format != predictor.Dualgap && format != ""
	}}
	stateKind = file.Kind{Name: "a state of a training", Is: func(head []byte) bool {
		return contains(head) == "state" || contains(head) == "path" // of a training, or of what a search has measured
	}}
	curveKind = file.Kind{Name: "a curve",
		Is: func(head []byte) bool { return bytes.HasPrefix(head, []byte(curveHeader+"\n")) }}
	pageKind = file.Kind{Name: "a report",
		Is: func(head []byte) bool { return bytes.Contains(head, []byte(page.Mark)) }}
	indexKind = file.Kind{Name: "an index", Is: func(head []byte) bool { return contains(head) == indexFile }}
	dataKind  = file.Kind{}
)

// curveHeader is the first line of a curve.
const curveHeader = "threshold,precision,recall,false_positive_rate"

// indexFile is the kind of an index's file.
const indexFile = "pq index"

// contains returns the kind of a file of the library that begins so, "" for what is none.
func contains(head []byte) string {
	c, err := container.Open(bytes.NewReader(head))
	if err != nil {
		return ""
	}
	return c.Kind()
}

// predictions is the kind of file that predict writes for a model.
func predictions(m *predictor.Predictor) file.Kind {
	return file.Kind{Name: "predictions of this model", Is: answer.Is(m)}
}
