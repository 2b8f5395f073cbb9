package tracenorm

import (
	"fmt"
	"sync"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/linear"
)

// identity says what a training is of.
func (t *training[T]) identity() train.Identity {
	p := ascent.Problem[T]{
		X: t.Data.X, Outputs: t.K, Labels: ascent.Labels{One: t.Data.Y}, Radius: t.Data.Weights, Constant: t.Data.Bias,
	}
	settings := fmt.Sprintf("lambda1 %v, lambda2 %v, raw %t, bias %v, rank %d, tolerance %v, seed %d, workers %d",
		t.Lambda1, t.Lambda2, t.Raw, t.Bias, t.Rank, t.Tol, t.Seed, t.Workers)
	return train.Identity{Family: "tracenorm", Settings: settings, Data: sync.OnceValue(p.Fingerprint)}
}

// result returns the solution of the last certificate. What the model's file says of it are the settings and the outcome.
func (t *training[T]) result(names []string, outcome solvers.Outcome) (*Result[T], error) {
	m, err := t.model(names)
	if err != nil {
		return nil, err
	}
	m = m.WithNotes(map[string]string{"solver": "tracenorm", "settings": t.identity().Settings, "outcome": outcome.String()})
	return &Result[T]{Model: m, Outcome: outcome, Spectrum: t.Spectrum, Duals: t.Dual.A}, nil
}

// model returns the model of the last certificate: the mean and the constant feature become offsets.
func (t *training[T]) model(names []string) (*Model[T], error) {
	d := t.D
	var offset []T
	if t.Data.Mean != nil || t.Data.Bias != 0 {
		inner := make([]float64, t.U.Cols) // Uᵀ (-mean, bias)
		for j, v := range t.Data.Mean {
			for c, u := range t.U.Row(j) {
				inner[c] -= float64(v) * float64(u)
			}
		}
		if t.Data.Bias != 0 {
			d--
			for c, u := range t.U.Row(d) {
				inner[c] += float64(t.Data.Bias) * float64(u)
			}
		}
		offset = make([]T, t.K)
		for l := range offset {
			sum := 0.0
			for c, v := range t.V.Row(l) {
				sum += inner[c] * float64(v)
			}
			offset[l] = T(sum)
		}
	}
	return linear.NewLowRank(t.U.Slice(0, d, 0, t.U.Cols), t.V, offset, names)
}
