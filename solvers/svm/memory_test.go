package svm

import (
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
)

// TestMemory: what is told before is enough, and not much more, by ascent, with an offset and on a kernel.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes up to 50 MB")
	}
	if !familytest.Measures(t) {
		return
	}
	for name, c := range map[string]struct {
		familytest.Sized
		Config
		far int // features that are far from 0
	}{
		"examples":         {familytest.Sized{N: 40000, D: 5, M: 2}, Config{Algorithm: Ascent}, 0},
		"features":         {familytest.Sized{N: 100, D: 60000, M: 2, Share: .5}, Config{}, 0},
		"sparse":           {familytest.Sized{N: 5000, D: 5000, M: 2, Share: .01}, Config{Algorithm: Ascent}, 0},
		"offset":           {familytest.Sized{N: 40000, D: 5, M: 2}, Config{Algorithm: Ascent, Offset: true}, 0},
		"offset, features": {familytest.Sized{N: 100, D: 60000, M: 2}, Config{Algorithm: Ascent, Offset: true}, 0},
		"offset, sparse": {familytest.Sized{N: 5000, D: 5000, M: 2, Share: .01},
			Config{Algorithm: Ascent, Offset: true}, 0},
		"offset, sparse, far from 0": {familytest.Sized{N: 5000, D: 5000, M: 2, Share: .01},
			Config{Algorithm: Ascent, Offset: true}, 9},
		"Newton": {familytest.Sized{N: 20000, D: 60, M: 2}, Config{Algorithm: Newton, Loss: Logistic}, 0},
		"class":  {familytest.Sized{N: 40000, D: 5, M: 2}, Config{Nu: .1}, 0},
		"kernel": {familytest.Sized{N: 1500, D: 20, M: 2, Kernel: true}, Config{}, 0},
		"levels": {familytest.Sized{N: 4200, D: 9, M: 2, Kernel: true, Budget: 1 << 20}, Config{Offset: true}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var p Problem[float32]
			p.X, p.Kernel, p.Y = c.Draw(t)
			if x, ok := p.X.(*dataset.Dense[float32]); ok {
				for i := range x.Rows {
					for j := range c.far {
						x.Row(i)[j] += 5
					}
				}
			}
			c.Config.Epochs, c.Config.Workers, c.Config.Tol = 30, 2, 1e-6
			if c.Nu > 0 {
				p.Y, p.OneClass = nil, true
			}
			familytest.Memory(t, p, c.Config)
		})
	}
}
