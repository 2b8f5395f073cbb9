package m3l

import (
	"context"
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/vec"
)

// TestEndAnywhere: wherever the context of a training ends, a state is saved from which training goes on to the same
// bits.
func TestEndAnywhere(t *testing.T) { prove.Both(t, testEndAnywhere[float32], testEndAnywhere[float64]) }

func testEndAnywhere[T vec.Float](t *testing.T) {
	for _, r := range resumables[T]() {
		for _, r.c.Workers = range []int{1, 2} {
			p, c := r.make(t), r.c
			statetest.Anywhere(t, fmt.Sprintf("%s, %d workers", r.name, c.Workers), 10,
				func(ctx context.Context, s statetest.Stop) (string, *solvers.Outcome, error) {
					c.Epochs, c.Checkpoint = s.Epochs, s.Checkpoint
					var r *Result[T]
					var err error
					if s.State == nil {
						r, err = p.Fit(ctx, c)
					} else {
						r, err = p.Resume(ctx, s.State, c)
					}
					if r == nil {
						return "", nil, err
					}
					numbers := []any{r.Duals.Data}
					if r.Linear != nil {
						numbers = append(numbers, r.Linear.Weights().Data)
					} else {
						numbers = append(numbers, r.Kernel.Coefficients().Data)
					}
					return statetest.End(r.Outcome, numbers...), &r.Outcome, err
				})
		}
	}
}
