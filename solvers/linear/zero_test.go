package linear

import (
	"io"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// The zero Model answers everything without a panic.
func TestZeroModel(t *testing.T) {
	var m Model[float64]
	if d, outputs := m.Dims(); d != 0 || outputs != 0 || m.Names() != nil || m.Bias() != nil || m.Notes() != nil ||
		m.Constant() != 0 || m.Weights().Rows != 0 {
		t.Errorf("%d features, %d outputs, %+v", d, outputs, &m)
	}
	for _, x := range [][]float64{nil, {1, 2}} {
		best := []int{7, 7}
		if m.TopK(best, x); m.Predict(x) != -1 || !slices.Equal(best, []int{-1, -1}) {
			t.Errorf("class %d, best %v of %v", m.Predict(x), best, x)
		}
	}
	for _, d := range []int{0, 2} {
		x := &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](3, d)}
		if err := m.Scores(vec.NewMatrix[float64](3, 0), x, nil); err != errZero {
			t.Errorf("Scores of %d features: %v", d, err)
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
	if err := m.WriteLIBLINEAR(io.Discard, LIBLINEAROptions{}); err == nil {
		t.Error("LIBLINEAR's text of the zero Model")
	}
	if err := m.WriteLIBLINEAROutput(io.Discard, 0, [2]int{1, -1}, L2RL1LossSVCDual); err == nil {
		t.Error("LIBLINEAR's text of an output of the zero Model")
	}
}

// LIBLINEAR has no model of one class, and ReadLIBLINEAR refuses it.
func TestWriteLIBLINEAROneOutput(t *testing.T) {
	m, err := New(vec.NewMatrix[float32](2, 1), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = "linear: a model of 1 outputs, LIBLINEAR needs 2 at least"
	if err := m.WriteLIBLINEAR(io.Discard, LIBLINEAROptions{}); err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
}
