package topk

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
	const n = 1500
	x, y := blobs[float64](rand.New(rand.NewPCG(91, 92)), n, 8, 5)
	for name, most := range map[string]int{"features": n / 4, "kernel": 3*n + 200} {
		looks := statetest.EndAt(0)
		p := Problem[float64]{X: statetest.Counted[float64]{Matrix: x, Looks: looks}, Y: y}
		if name == "kernel" {
			p.X, p.Kernel = nil, matrix(t, p.X, kernel.Gaussian{Gamma: .1}, 0)
		}
		c := Config{Lambda: 1e-2, Tol: 1e-3, Workers: 1}
		c.Checkpoint.Save = func(func(io.Writer) error) error { return nil }
		if r, err := p.Fit(looks, c); err != nil || looks.Most() == 0 || looks.Most() > most {
			t.Errorf("%s: %s, %v, %d rows between two looks, want at most %d", name, told(r), err, looks.Most(), most)
		}
	}
}
