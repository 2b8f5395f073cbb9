package train

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
)

// stepping is a method with certificates of its own.
type stepping struct {
	*falling
	certify func() (solvers.Certificate, error)
}

func (s stepping) Certify() (solvers.Certificate, error) { return s.certify() }

// TestSteps: it ends where the gap is small enough, the steps are over or the context ends, with a history of every so
// many steps and of the last one.
func TestSteps(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	bad := errors.New("not finite")
	for name, c := range map[string]struct {
		ctx         context.Context
		tol         float64
		most, every int
		look        int
		status      solvers.Status
		at          []int // the history
		err         error
	}{
		"converged": {context.Background(), .1, 100, 4, 2, solvers.Converged, []int{0, 4, 8, 10}, nil},
		"over":      {context.Background(), .01, 9, 3, 3, solvers.EpochLimit, []int{0, 3, 6, 9}, nil},
		"uneven":    {context.Background(), .01, 10, 4, 4, solvers.EpochLimit, []int{0, 4, 8, 10}, nil},
		"canceled":  {canceled, .01, 9, 3, 3, solvers.Canceled, []int{0}, context.Canceled},
		"broken":    {context.Background(), -1, 9, 3, 3, solvers.Running, []int{0, 3, 6}, bad},
	} {
		done := 0
		s := Steps[float64]{Tol: c.tol, Most: c.most, Every: c.every, Look: c.look, Visits: 2, Size: 5,
			Method: stepping{&falling{end: 1}, func() (solvers.Certificate, error) {
				if c.tol < 0 && done > 6 {
					return solvers.Certificate{}, bad
				}
				return solvers.Certificate{Primal: 1, Dual: 1 - 1/float64(1+done)}, nil // 1/11 after 10 steps
			}},
			Advance: func(steps int) int {
				done += steps
				return steps
			}}
		got, history, err := s.Run(c.ctx)
		var at []int
		for _, p := range history {
			at = append(at, p.Steps)
			if p.Certificate.Dual != 1-1/float64(1+p.Steps) || p.Elapsed < 0 {
				t.Errorf("%s: %+v", name, p)
			}
		}
		if !errors.Is(err, c.err) || got.Status != c.status || !slices.Equal(at, c.at) {
			t.Errorf("%s: %v, %v, history of %v", name, got, err, at)
		}
		if c.err == bad {
			if !strings.HasPrefix(err.Error(), "after 9 steps ") {
				t.Errorf("%s: %v", name, err)
			}
		} else if got.Epochs != done || got.Visits != 2*done || got.Passes != float64(2*done)/5 || got.Tol != c.tol {
			t.Errorf("%s: %+v after %d steps", name, got, done)
		}
	}
}
