package familytest

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Sized is a problem that is told by its size: n random examples of d features, of which a share is not 0, and of the
// classes 0..m-1 in turn.
type Sized struct {
	N, D, M int
	Share   float64 // default: all
	Kernel  bool    // a Gaussian kernel of the examples
}

// Memory fails where the memory that a problem tells is less than what was in use when its training told a certificate,
// or more than twice all that it took. That counts what is taken twice twice, but not what a stop takes, nor what no
// example needed: a stop may make a copy of everything, which is the factor.
func Memory[P interface {
	Problem[C, R]
	Memory(C) (solvers.Memory, error)
}, C, R any](t *testing.T, p P, c C) {
	t.Helper()
	told, err := p.Memory(c)
	if err != nil {
		t.Fatal(err)
	}
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	least := 0.0
	_, err = p.Fit(context.Background(), with(c, "Progress", func(p solvers.Progress) {
		if p.Certified {
			runtime.GC()
			runtime.ReadMemStats(&now)
			least = max(least, float64(now.HeapAlloc)-float64(before.HeapAlloc))
		}
	}))
	runtime.ReadMemStats(&now)
	most := float64(now.TotalAlloc - before.TotalAlloc)
	if err != nil || least == 0 || least > told.Bytes() || told.Bytes() > 2*most {
		t.Errorf("%.3g bytes in use, %.3g taken, told were %.3g (%v):\n%v", least, most, told.Bytes(), err, told)
	}
	t.Logf("%.3g bytes in use, %.3g taken, told were %.3g", least, most, told.Bytes())
}

// Draw draws the examples, or their kernel, and the classes.
func (s Sized) Draw(t testing.TB) (x design.Matrix[float32], k *kernel.Matrix[float32], y []int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	m, y := vec.NewMatrix[float32](s.N, s.D), make([]int, s.N)
	for i := range y {
		y[i] = i % s.M
		for j := range s.D {
			if s.Share == 0 || rng.Float64() < s.Share {
				m.Row(i)[j] = float32(rng.Float64())
			}
		}
	}
	x = &dataset.Dense[float32]{Matrix: m}
	if !s.Kernel {
		return x, nil, y
	}
	k, err := kernel.New(x, kernel.Gaussian{Gamma: 1}, 20<<20)
	if err != nil {
		t.Fatal(err)
	}
	return nil, k, y
}
