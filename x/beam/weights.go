package beam

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// weights is W in float64, with the weights of a constant feature as its last row if the model has one.
type weights struct{ vec.Matrix[float64] }

// parseWeights reads the file of a linear model of any type of numbers, or an NPY file of W, d by m.
func parseWeights(b []byte) (weights, error) {
	if bytes.HasPrefix(b, []byte("\x93NUMPY")) {
		w, err := dataset.ReadNPY[float64](bytes.NewReader(b), "weights", dataset.NPYOptions{})
		if err != nil {
			return weights{}, err
		}
		return weights{w.Matrix}, nil
	}
	single, double, err := model.ReadAny(bytes.NewReader(b))
	switch {
	case err != nil:
		return weights{}, err
	case single != nil && single.Linear != nil:
		l := single.Linear
		return withConstant(l.Weights(), l.Bias(), l.Constant()), nil
	case double != nil && double.Linear != nil:
		l := double.Linear
		return withConstant(l.Weights(), l.Bias(), l.Constant()), nil
	}
	return weights{}, errors.New("want a linear model")
}

// withConstant returns W with the weights of the constant feature b, which are the offsets divided by b.
func withConstant[T vec.Float](w vec.Matrix[T], bias []T, b T) weights {
	rows := w.Rows
	if bias != nil {
		rows++
	}
	all := vec.NewMatrix[float64](rows, w.Cols)
	for j := range w.Rows {
		for c, v := range w.Row(j) {
			all.Row(j)[c] = float64(v)
		}
	}
	for c, v := range bias {
		all.Row(w.Rows)[c] = float64(v) / float64(b)
	}
	return weights{all}
}

// fit returns an error unless W is of the problem's size.
func (w weights) fit(p *ProblemSpec) error {
	if w.Rows != p.inputs() || w.Cols != p.Classes {
		return fmt.Errorf("beam: weights of %d by %d, want %d by %d", w.Rows, w.Cols, p.inputs(), p.Classes)
	}
	return nil
}
