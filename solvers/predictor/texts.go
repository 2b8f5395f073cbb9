package predictor

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/svm"
)

// firstLine returns the line that tells the kind of a model.
func firstLine(r *bufio.Reader) []byte {
	head, _ := r.Peek(64)
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return line
}

// insideAbove are the notes of a model of one class of LIBSVM or LIBLINEAR, to which what has a score of 0 is outside:
// the threshold is the least number above that.
func insideAbove() map[string]string {
	return map[string]string{svm.NotePredicts: inside, "threshold": formatThreshold(math.SmallestNonzeroFloat64)}
}

func formatThreshold(t float64) string { return strconv.FormatFloat(t, 'g', -1, 64) }

// liblinear makes a model of classes, of numbers or of one class.
func liblinear(r *bufio.Reader) (*Predictor, error) {
	if bytes.Contains(firstLine(r), []byte("ONECLASS")) {
		m, err := linear.ReadLIBLINEAROneClass[float64](r)
		if err != nil {
			return nil, err
		}
		return newPredictor(&model.Model[float64]{Linear: m.WithNotes(insideAbove())})
	}
	m, labels, err := linear.ReadLIBLINEAR[float64](r)
	if err != nil {
		return nil, err
	}
	if labels == nil {
		notes := m.Notes()
		notes[NoteTask] = Numbers
		return newPredictor(&model.Model[float64]{Linear: m.WithNotes(notes)})
	}
	names := make([]string, len(labels))
	for c, l := range labels {
		names[c] = strconv.Itoa(l)
	}
	notes := m.Notes()
	if m, err = linear.New(m.Weights(), m.Bias(), names); err != nil {
		return nil, err
	}
	return newPredictor(&model.Model[float64]{Linear: m.WithNotes(notes)})
}

// libsvm makes a model of two classes with one score, as svm has them: LIBSVM predicts the first label where the score
// is above rho, so it is class 1. Of regression it is one of the task Numbers: LIBSVM predicts the score less rho. Of
// one class a score less rho above 0 is inside.
func libsvm(r *bufio.Reader) (*Predictor, error) {
	kind := firstLine(r)
	if bytes.Contains(kind, []byte("_svr")) {
		return withoutRho(kernel.ReadLIBSVMRegression[float64])(r, map[string]string{NoteTask: Numbers})
	}
	if bytes.Contains(kind, []byte("one_class")) {
		return withoutRho(kernel.ReadLIBSVMOneClass[float64])(r, insideAbove())
	}
	notes := map[string]string{NoteTask: Classes}
	return withoutRho(func(r io.Reader, features int) (*kernel.Expansion[float64], float64, error) {
		m, labels, rho, err := kernel.ReadLIBSVM[float64](r, features)
		notes[svm.NoteClasses] = twoClasses(fmt.Sprint(labels[1]), fmt.Sprint(labels[0]))
		return m, rho, err
	})(r, notes)
}

// withoutRho returns what reads a model whose answer is its score less rho: -rho becomes its offset.
func withoutRho(read func(io.Reader, int) (*kernel.Expansion[float64], float64, error)) func(io.Reader,
	map[string]string) (*Predictor, error) {
	return func(r io.Reader, notes map[string]string) (*Predictor, error) {
		m, rho, err := read(r, 0)
		if err != nil {
			return nil, err
		}
		if rho != 0 {
			if m, err = m.WithBias([]float64{-rho}); err != nil {
				return nil, err
			}
		}
		return newPredictor(&model.Model[float64]{Kernel: m.WithNotes(notes)})
	}
}
