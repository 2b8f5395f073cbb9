package kernel

import (
	"io"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// The zero Expansion answers everything without a panic.
func TestZeroExpansion(t *testing.T) {
	var m Expansion[float64]
	if d, outputs := m.Dims(); d != 0 || outputs != 0 || m.Len() != 0 || m.Kernel() != nil || m.Names() != nil ||
		m.Notes() != nil || m.Support() != nil || m.Coefficients().Rows != 0 {
		t.Errorf("%d features, %d outputs, %+v", d, outputs, &m)
	}
	for _, d := range []int{0, 2} {
		x := &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](3, d)}
		dst := vec.NewMatrix[float64](3, 0)
		if err := m.Scores(dst, x, nil); err != errZero {
			t.Errorf("Scores of %d features: %v", d, err)
		}
		if err := m.ScoresOf(dst, x.Matrix); err != errZero {
			t.Errorf("ScoresOf %d values: %v", d, err)
		}
		if y, err := solvers.Predict(&m, x, 1); err == nil {
			t.Errorf("Predict of %d features: %v", d, y)
		}
	}
	if _, err := m.WithNotes(map[string]string{"a": "b"}).WriteTo(io.Discard); err != errZero {
		t.Error(err)
	}
	if _, err := m.MarshalBinary(); err != errZero {
		t.Error(err)
	}
}

// The zero Matrix has no examples, and answers questions about none without a panic.
func TestZeroMatrix(t *testing.T) {
	var m Matrix[float32]
	none := vec.NewMatrix[float32](0, 0)
	m.Rows(none, nil, 1)
	m.Block(none, nil, nil, 1)
	m.Diagonal(nil)
	m.Multiply(none, none, 0)
	if _, err := m.Subset([]int{0}); err == nil {
		t.Error("a subset of no examples")
	}
	if wide, err := m.Float64(); err != nil || wide.Len() != 0 {
		t.Errorf("%v, %v", wide, err)
	}
	panics(t, "kernel: Matrix.Pin: example 0 at place 0, want one in 0..-1", func() { m.Pin(0) })
}
