package m3l

import (
	"io"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel"
)

// TestLooksOften: between two looks at the context a training asks for few of its examples, or, of a kernel, for a
// block of rows, which all examples are read for, the first time thrice.
func TestLooksOften(t *testing.T) {
	const n = 600
	for name, most := range map[string]int{"features": n / 2, "kernel": 3*n + 200} {
		looks := statetest.EndAt(0)
		x, sets := documents[float64](rand.New(rand.NewPCG(95, 96)), n, 8, 5)
		p := Problem[float64]{X: statetest.Counted[float64]{Matrix: x, Looks: looks}, Sets: sets}
		if name == "kernel" {
			p.X, p.Kernel = nil, kernelOf(t, p.X, kernel.Gaussian{Gamma: .1})
		}
		c := Config{C: .1, Tol: 1e-3, Workers: 1}
		c.Checkpoint.Save = func(func(io.Writer) error) error { return nil }
		if r, err := p.Fit(looks, c); err != nil || looks.Most() == 0 || looks.Most() > most {
			t.Errorf("%s: %s, %v, %d rows between two looks, want at most %d", name, told(r), err, looks.Most(), most)
		}
	}
}
