package models

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
)

// Open opens a model of any kind and either precision, and the texts that LIBLINEAR and LIBSVM write, those packed by gzip
// too; "-" is standard input. Numbers of texts become float64. Errors name the file.
func Open(path string) (*Any, error) {
	m, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

func open(path string) (*Any, error) {
	in, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	head, _ := in.Peek(16)
	switch kindOf(head) {
	case LIBLINEAR:
		return liblinear(in)
	case LIBSVM:
		return libsvm(in)
	case NoModel:
		return nil, fmt.Errorf("no model: it begins with %q", head)
	}
	r, err := in.Rewound()
	if err != nil {
		return nil, err
	}
	single, double, err := model.ReadAny(r)
	if err != nil {
		return nil, err
	}
	return anyOf(single, double)
}

func anyOf(single *model.Model[float32], double *model.Model[float64]) (m *Any, err error) {
	m = new(Any)
	if single != nil {
		m.Single, err = New(single)
	} else {
		m.Double, err = New(double)
	}
	return m, err
}

func liblinear(r io.Reader) (*Any, error) {
	m, labels, err := linear.ReadLIBLINEAR[float64](r)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(labels))
	for c, l := range labels {
		names[c] = strconv.Itoa(l)
	}
	if m, err = linear.New(m.Weights(), m.Bias(), names); err != nil {
		return nil, err
	}
	return anyOf(nil, &model.Model[float64]{Linear: m})
}

// libsvm makes a model of the task Top: LIBSVM predicts the first label where the score is above rho.
func libsvm(r io.Reader) (*Any, error) {
	m, labels, rho, err := kernel.ReadLIBSVM[float64](r, 0)
	if err != nil {
		return nil, err
	}
	threshold := strconv.FormatFloat(math.Nextafter(rho, math.Inf(1)), 'g', -1, 64)
	return anyOf(nil, &model.Model[float64]{Kernel: m.WithNotes(map[string]string{
		NoteTask: Top, NotePositive: strconv.Itoa(labels[0]), NoteNegative: strconv.Itoa(labels[1]), "threshold": threshold,
	})})
}
