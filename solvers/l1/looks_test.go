package l1

import (
	"io"
	"testing"

	"github.com/dualgap/dualgap/solvers/internal/statetest"
)

// TestLooksOften: between two looks at the context a training asks for no examples at all: it has them by columns.
func TestLooksOften(t *testing.T) {
	s := draw(23, 240, 15, 3)
	for name, x := range forms[float64](t, s) {
		looks := statetest.EndAt(0)
		p := Problem[float64]{X: statetest.Counted[float64]{Matrix: x, Looks: looks}, Y: s.y}
		c := Config{Tol: 1e-5, Workers: 1}
		c.Checkpoint.Save = func(func(io.Writer) error) error { return nil }
		if r, err := p.Fit(looks, c); err != nil || looks.Most() > 0 {
			t.Errorf("%s: %s, %v, %d rows between two looks, want none", name, told(r), err, looks.Most())
		}
	}
}
