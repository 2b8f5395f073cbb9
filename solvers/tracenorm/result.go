package tracenorm

import (
	"fmt"
	"sync"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/nuclear"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// identity says what a training is of.
func identity[T vec.Float](c Config, t *nuclear.Base[T]) train.Identity {
	p := ascent.Problem[T]{
		X: t.Data.X, Outputs: t.K, Labels: ascent.Labels{One: t.Data.Y}, Radius: t.Data.Weights, Constant: t.Data.Bias,
	}
	settings := fmt.Sprintf("lambda1 %v, lambda2 %v, raw %t, bias %v, rank %d, tolerance %v, seed %d, workers %d",
		c.Lambda1, c.Lambda2, c.Raw, c.Bias, c.Rank, c.Tol, c.Seed, c.Workers)
	return train.Identity{Family: "tracenorm", Settings: settings, Data: sync.OnceValue(p.Fingerprint)}
}

// result returns the solution of the last certificate. What the model's file says of it are the settings and the outcome.
func result[T vec.Float](t *nuclear.Base[T], names []string, id train.Identity, outcome solvers.Outcome) (*Result[T], error) {
	m, err := model(t, names)
	if err != nil {
		return nil, err
	}
	m = m.WithNotes(map[string]string{"solver": id.Family, "settings": id.Settings, "outcome": outcome.String()})
	return &Result[T]{Model: m, Outcome: outcome, Spectrum: t.Spectrum, Duals: t.Dual.A}, nil
}

// model returns the model of the last certificate: the mean and the constant feature become offsets.
func model[T vec.Float](t *nuclear.Base[T], names []string) (*Model[T], error) {
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
