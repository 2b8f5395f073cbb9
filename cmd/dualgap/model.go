package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// openModel opens a model of any kind; "-" is standard input.
func openModel(path string) (*predictor.Predictor, error) {
	in, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if path != "-" && in.Len() > 0 { // neither packed nor a pipe
		return predictor.Open(path)
	}
	p, err := predictor.Read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Unwrap(err)) // without the name of the package
	}
	return p, nil
}

// ofFile tells an error of an example by its number in the file, from 1, of which some stand before the block it is in.
func ofFile(err error, before int) error {
	var score *predictor.ScoreError
	var scale *predictor.ScaleError
	switch {
	case errors.As(err, &score):
		return fmt.Errorf("example %d: a score is %v, want a finite number", before+score.Row+1, score.Value)
	case errors.As(err, &scale):
		return fmt.Errorf("example %d: scaled as the training data were: %w", before+scale.Row+1, scale.Err)
	}
	return err
}

// modelFormat returns the format of a model's file, "" for what is none. Of standard input it reads nothing, and says
// "".
func modelFormat(path string) (string, error) {
	if path == "-" {
		return "", nil
	}
	in, err := file.Open(path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	head, _ := in.Peek(16)
	return predictor.Format(head), nil
}

// knownTo is what a model knows of data.
func knownTo(p *predictor.Predictor) *data.Known {
	features, _ := p.Dims()
	notes := p.Notes()
	at, _ := strconv.Atoi(notes[predictor.NoteLabelColumn]) // 0 where there is none
	return &data.Known{Classes: p.Classes(), Features: features, Sets: p.Task() == predictor.Sets,
		Names: p.Features(), Label: notes[predictor.NoteLabel], LabelColumn: at}
}

// checkScoring checks what predict and evaluate are both told.
func checkScoring(data, model string, workers int) error {
	switch {
	case workers < 0:
		return usage("--workers %d: want 1 at least, or 0 for all cores", workers)
	case data == "-" && model == "-":
		return usage("the data and the model both from standard input: one of them must be a file")
	}
	return nil
}
