package solvers

import (
	"fmt"
	"sync"

	"github.com/dualgap/dualgap/vec"
)

// HeldOut keeps the scores that cross-validation computes: of each example by the model that was trained without its
// part. They are what probabilities and thresholds are fitted on: see [FitTemperature].
//
//	held := solvers.NewHeldOut(n)
//	path := topk.PathConfig{Lambdas: []float64{c.Lambda}, CrossValidation: solvers.CrossValidation{
//		Folds: 5, Measures: []solvers.Measure{held.Measure()}, FoldsOnly: true}}
//	_, err := problem.Path(ctx, c, path)
//	scores, err := held.Scores()
//
// A path of several points leaves the scores of its last one: CrossValidation.Points names another. It is safe for many
// goroutines.
type HeldOut struct {
	mutex  sync.Mutex
	n      int
	known  []bool
	scores vec.Matrix[float64]
}

// NewHeldOut is for n examples.
func NewHeldOut(n int) *HeldOut { return &HeldOut{n: max(n, 0), known: make([]bool, max(n, 0))} }

// Measure returns what keeps the scores, to be among the Measures of a path. Its value is 0.
func (h *HeldOut) Measure() Measure { return Measure{Name: "held-out scores", Of: h.keep} }

func (h *HeldOut) keep(scores vec.Matrix[float64], rows []int) (float64, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.scores.Cols == 0 {
		h.scores = vec.NewMatrix[float64](h.n, scores.Cols)
	}
	if scores.Cols != h.scores.Cols || scores.Rows != len(rows) {
		return 0, fmt.Errorf("solvers: %d-by-%d scores of %d examples, the ones before have %d columns", scores.Rows,
			scores.Cols, len(rows), h.scores.Cols)
	}
	for p, i := range rows {
		if i < 0 || i >= h.n {
			return 0, fmt.Errorf("solvers: the held-out scores of row %d, want one in 0..%d", i, h.n-1)
		}
		copy(h.scores.Row(i), scores.Row(p))
		h.known[i] = true
	}
	return 0, nil
}

// Scores returns the scores, n-by-outputs, which must not be changed while a path runs. It is an error where
// scores of an example are not known: no path has run, it ended early, or went on from a state.
func (h *HeldOut) Scores() (vec.Matrix[float64], error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for i, known := range h.known {
		if !known {
			return vec.Matrix[float64]{},
				fmt.Errorf("solvers: the held-out scores of row %d are not known: let a path "+
					"run to its end, not from a state", i)
		}
	}
	return h.scores, nil
}
