package mkl

import (
	"io"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
)

// TestLooksOften: between two looks at the context a training asks for no examples at all: what it does takes long.
func TestLooksOften(t *testing.T) {
	const n = 600
	looks, groups := statetest.EndAt(0), views[float64](t, 5, n, 3).Bundle.Groups()
	groups = groups[:2] // of features
	for q := range groups {
		groups[q].X = statetest.Counted[float64]{Matrix: groups[q].X, Looks: looks}
	}
	b, err := bundle.New(1<<24, groups...)
	if err != nil {
		t.Fatal(err)
	}
	y := make([]int, n)
	for i := range y {
		y[i] = i * 7 % 3
	}
	c := Config{P: 1.25, C: 1, Tol: 1e-3, Workers: 1}
	c.Checkpoint.Save = func(func(io.Writer) error) error { return nil }
	r, err := Problem[float64]{Bundle: b, Y: y}.Fit(looks, c)
	if err != nil || r.Status != solvers.Converged || looks.Most() > 0 {
		t.Errorf("%v, %v, %d rows between two looks, want none", r, err, looks.Most())
	}
}
