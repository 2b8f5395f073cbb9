package tracenorm

import (
	"fmt"
	"sync"

	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/nuclear"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// identity says what a training is of.
func identity[T vec.Float](c Config, data risk.Data[T]) train.Identity {
	p := ascent.Problem[T]{
		X: data.X, Outputs: data.Classes, Labels: ascent.Labels{One: data.Y}, Radius: data.Weights, Constant: data.Bias,
	}
	settings := fmt.Sprintf("lambda1 %v, lambda2 %v, raw %t, bias %v, rank %d, tolerance %v, seed %d, workers %d",
		c.Lambda1, c.Lambda2, c.Raw, c.Bias, c.Rank, c.Tol, c.Seed, c.Workers)
	return train.Identity{Family: "tracenorm", Settings: settings, Data: sync.OnceValue(p.Fingerprint)}
}

// result returns what a training ended with. What the model's file says of it are the settings and the outcome.
func result[T vec.Float](t *nuclear.Base[T], names []string, id train.Identity, end train.Ended[T]) (*Result[T],
	error) {
	m, err := model(t, end.Primal, names)
	if err != nil {
		return nil, err
	}
	m = m.WithNotes(id.Notes(&end.Outcome))
	r := &Result[T]{Model: m, Outcome: end.Outcome, Spectrum: end.Primal.Numbers, Duals: t.Dual.A}
	if t.Data.Bias != 0 && !end.ZeroModel {
		r.constant = end.Primal.Matrices[0].Row(t.D - 1)
	}
	return r, nil
}

// model returns the model of factors: the mean and the constant feature become offsets.
func model[T vec.Float](t *nuclear.Base[T], factors train.Variables[T], names []string) (*Model[T], error) {
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
	return linear.NewLowRank(u.Slice(0, d, 0, u.Cols), v, offset, names)
}
