package svm

import (
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/vec"
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
		"levels": {familytest.Sized{N: 4200, D: 9, M: 2, Kernel: true, Budget: 1 << 20}, Config{Offset: true},
			0},
		"class, kernel": {familytest.Sized{N: 1500, D: 20, M: 2, Kernel: true}, Config{Nu: .1}, 0},
		"states":        {familytest.Sized{N: 40000, D: 5, M: 2}, saved(Config{Algorithm: Ascent}), 0},
		"offset, states": {familytest.Sized{N: 40000, D: 5, M: 2},
			saved(Config{Algorithm: Ascent, Offset: true}), 0},
		"Newton, states": {familytest.Sized{N: 20000, D: 60, M: 2},
			saved(Config{Algorithm: Newton, Loss: SquaredHinge}), 0},
		"class, states":  {familytest.Sized{N: 40000, D: 5, M: 2}, saved(Config{Nu: .1}), 0},
		"kernel, states": {familytest.Sized{N: 1500, D: 20, M: 2, Kernel: true}, saved(Config{}), 0},
		"levels, states": {familytest.Sized{N: 4200, D: 9, M: 2, Kernel: true, Budget: 1 << 20}, saved(Config{}), 0},
	} {
		c.Config.Epochs, c.Config.Workers, c.Config.Tol = 30, 2, 1e-6
		t.Run(name+"/f32", func(t *testing.T) { memoryOf[float32](t, c.Sized, c.Config, c.far) })
		if c.Budget == 0 { // of levels in float64 up to 1.3 times as much is told
			t.Run(name+"/f64", func(t *testing.T) { memoryOf[float64](t, c.Sized, c.Config, c.far) })
		}
	}
}

// saved is c with checkpoints.
func saved(c Config) Config {
	c.Checkpoint = familytest.Discarded()
	return c
}

func memoryOf[T vec.Float](t *testing.T, s familytest.Sized, c Config, far int) {
	var p Problem[T]
	p.X, p.Kernel, p.Y = familytest.Draw[T](t, s)
	if x, ok := p.X.(*dataset.Dense[T]); ok {
		for i := range x.Rows {
			for j := range far {
				x.Row(i)[j] += 5
			}
		}
	}
	if c.Nu > 0 {
		p.Y, p.OneClass = nil, true
	}
	familytest.Memory(t, p, c)
}
