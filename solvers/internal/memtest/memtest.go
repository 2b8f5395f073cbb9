// Package memtest measures the memory of trainings, and compares it with what was told before.
package memtest

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// Check trains, and fails where the memory told is less than what was in use when the training told a certificate, or
// more than twice all that it took. That counts what is taken twice twice, but not what a stop takes, nor what no
// example needed: a stop may make a copy of everything, which is the factor.
func Check(t *testing.T, told solvers.Memory, train func(progress func(solvers.Progress)) error) {
	t.Helper()
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	least := 0.0
	err := train(func(p solvers.Progress) {
		if p.Certified {
			runtime.GC()
			runtime.ReadMemStats(&now)
			least = max(least, float64(now.HeapAlloc)-float64(before.HeapAlloc))
		}
	})
	runtime.ReadMemStats(&now)
	most := float64(now.TotalAlloc - before.TotalAlloc)
	if err != nil || least == 0 || least > told.Bytes() || told.Bytes() > 2*most {
		t.Errorf("%.3g bytes in use, %.3g taken, told were %.3g (%v):\n%v", least, most, told.Bytes(), err, told)
	}
	t.Logf("%.3g bytes in use, %.3g taken, told were %.3g", least, most, told.Bytes())
}

// Data returns n random examples of d features, of which a share is not 0, and their classes, 0..m-1 in turn.
func Data[T vec.Float](n, d, m int, share float64) (*dataset.Dense[T], []int) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := vec.NewMatrix[T](n, d), make([]int, n)
	for i := range n {
		y[i] = i % m
		for j := range d {
			if rng.Float64() < share {
				x.Row(i)[j] = T(rng.Float64())
			}
		}
	}
	return &dataset.Dense[T]{Matrix: x}, y
}
