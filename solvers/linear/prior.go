package linear

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

// Prior returns the weights as the Prior of another training has them, topk.Problem's for example: d-by-m, and where
// that training has a constant feature, of value bias, one more row, which makes the offsets of m: they are bias times
// it. It is an error where bias is not finite, and where it is 0 and m has offsets, which nothing would stand for. O(d
// m).
func (m *Model[T]) Prior(bias float64) (w0 vec.Matrix[float64], err error) {
	rows := m.d
	switch {
	case m.pool == nil:
		return w0, errZero
	case bias-bias != 0:
		return w0, fmt.Errorf("linear: Bias = %v, want a finite number", bias)
	case bias != 0:
		rows++
	}
	for c, v := range m.Bias() {
		if bias == 0 && v != 0 {
			return w0, fmt.Errorf("linear: the model has the offset %v of output %d, and Bias = 0: want a constant "+
				"feature, which offsets belong to", v, c)
		}
	}
	w0 = vec.NewMatrix[float64](rows, m.w.Cols)
	for j := range min(rows, m.w.Rows) {
		vec.Convert(w0.Row(j), m.w.Row(j))
	}
	if bias != 0 && m.constant != 0 && float64(m.constant) != bias {
		vec.Scale(float64(m.constant)/bias, w0.Row(m.d))
	}
	return w0, nil
}
