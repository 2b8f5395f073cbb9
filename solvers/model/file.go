package model

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// ErrCorrupt is wrapped by the errors of Read where the bytes are not those that were written, ErrPrecision where the
// model has numbers of the other type.
var (
	ErrCorrupt   = container.ErrCorrupt
	ErrPrecision = container.ErrPrecision
)

var errNoReader = errors.New("model: reading a model: the reader is nil")

// WriteTo writes the model as the one that is not nil does.
func (m *Model[T]) WriteTo(w io.Writer) (int64, error) { return m.inner().WriteTo(w) }

// Read reads a model of any kind: what the methods WriteTo of Model, linear.Model, linear.LowRank, kernel.Expansion and
// bundle.Combination write, and no byte behind it. A model of the other type of numbers is an error that wraps
// ErrPrecision and comes before most of the file has been read.
func Read[T vec.Float](r io.Reader) (*Model[T], error) {
	if r == nil {
		return nil, errNoReader
	}
	var header bytes.Buffer
	c, err := container.Open(io.TeeReader(r, &header))
	if err != nil {
		return nil, fmt.Errorf("model: reading a model: %w", err)
	}
	r = io.MultiReader(&header, r)
	m := new(Model[T])
	switch c.Kind() {
	case "linear":
		m.Linear, err = linear.Read[T](r)
	case "lowrank":
		m.LowRank, err = linear.ReadLowRank[T](r)
	case "kernel":
		m.Kernel, err = kernel.ReadExpansion[T](r)
	case "kernels":
		m.Kernels, err = bundle.ReadCombination[T](r)
	default:
		err = fmt.Errorf("model: a file of kind %q, want linear, lowrank, kernel or kernels", c.Kind())
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// ReadAny is Read of a model of either type of numbers: one of the results is nil. It may read bytes behind the model.
func ReadAny(r io.ReadSeeker) (*Model[float32], *Model[float64], error) {
	if r == nil {
		return nil, nil, errNoReader
	}
	begin, err := r.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, nil, err
	}
	single, err := Read[float32](bufio.NewReader(r))
	if !errors.Is(err, ErrPrecision) {
		return single, nil, err
	}
	if _, err := r.Seek(begin, io.SeekStart); err != nil {
		return nil, nil, err
	}
	double, err := Read[float64](bufio.NewReader(r))
	return nil, double, err
}
