package tracenorm

import (
	"github.com/dualgap/dualgap/solvers/internal/nuclear"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// result returns what a training ended with.
func result[T vec.Float](t *nuclear.Base[T], m *Model[T], end train.Ended[T]) *Result[T] {
	r := &Result[T]{Model: m, Outcome: end.Outcome, Spectrum: end.Primal.Numbers, Duals: t.Dual.A}
	if t.Data.Bias != 0 && !end.ZeroModel {
		r.constant = end.Primal.Matrices[0].Row(t.D - 1)
	}
	return r
}

// model returns the model of factors: the mean and the constant feature become offsets. What its file says of it are
// the notes.
func model[T vec.Float](t *nuclear.Base[T], factors train.Variables[T], names []string,
	notes map[string]string) (*Model[T], error) {
	d, u, v := t.D, vec.NewMatrix[T](t.D, 1), vec.NewMatrix[T](t.K, 1)
	if !factors.None() {
		u, v = factors.Matrices[0], factors.Matrices[1]
	}
	var offset []T
	if t.Data.Mean != nil || t.Data.Bias != 0 {
		inner := make([]float64, u.Cols) // Uᵀ (-mean, bias)
		for j, v := range t.Data.Mean {
			for c, u := range u.Row(j) {
				inner[c] -= float64(v) * float64(u)
			}
		}
		if t.Data.Bias != 0 {
			d--
			for c, u := range u.Row(d) {
				inner[c] += float64(t.Data.Bias) * float64(u)
			}
		}
		offset = make([]T, t.K)
		for l := range offset {
			sum := 0.0
			for c, v := range v.Row(l) {
				sum += inner[c] * float64(v)
			}
			offset[l] = T(sum)
		}
	}
	m, err := linear.NewLowRank(u.Slice(0, d, 0, u.Cols), v, offset, names)
	if err != nil {
		return nil, err
	}
	return m.WithNotes(notes), nil
}
