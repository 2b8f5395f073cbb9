package toprank

import (
	"io"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel"
)

// TestLooksOften: between two looks at the context a training asks for no examples at all: what it does takes long.
func TestLooksOften(t *testing.T) {
	p := ranktruth.Draw(rand.New(rand.NewPCG(41, 42)), 300, 4)
	for _, p := range append(p.Variants()[:2], ranktruth.Grouped(p.Variants()[:1])...) {
		x := &dataset.Dense[float64]{Matrix: ranktruth.Features[float64](p)}
		for _, name := range []string{"features", "kernel"} {
			looks := statetest.EndAt(0)
			q := Problem[float64]{X: statetest.Counted[float64]{Matrix: x, Looks: looks}, Positive: p.Positive,
				Groups: p.Groups}
			if name == "kernel" {
				q.X, q.Kernel = nil, kernelOf[float64](t, q.X, kernel.Gaussian{Gamma: .2})
			}
			c := configOf(p)
			c.Workers = 1
			c.Checkpoint.Save = func(func(io.Writer) error) error { return nil }
			if r, err := q.Fit(looks, c); err != nil || looks.Most() > 0 {
				t.Errorf("%s, %s: %s, %v, %d rows between two looks, want none", p.Name, name, told(r), err,
					looks.Most())
			}
		}
	}
}
