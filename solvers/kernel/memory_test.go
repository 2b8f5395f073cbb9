package kernel

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestMultiplyBytes: what a first product in float64 allocates is at most what is told, and 2^19 bytes for what
// products of matrices copy, and at least four fifths where there is one goroutine: of several not all need begin.
func TestMultiplyBytes(t *testing.T) {
	for _, size := range [][3]int{{300, 5, 40}, {700, 300, 3}, {1500, 10, 30}, {1100, 20, 1}, {200, 1000, 4}} {
		n, d, outputs := size[0], size[1], size[2]
		rng := rand.New(rand.NewPCG(57, 58))
		x := draw[float32](rng, n, d, 1)["dense"]
		k, err := New(x, Gaussian{Gamma: 1}, 0)
		if err != nil {
			t.Fatal(err)
		}
		wide, err := k.Float64()
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 2} {
			a, dst := vec.NewMatrix[float64](n, outputs), vec.NewMatrix[float64](n, outputs)
			for i := range a.Data {
				a.Data[i] = 1
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.GC()
			runtime.ReadMemStats(&before)
			wide.Multiply(dst, a, workers)
			runtime.ReadMemStats(&after)
			took, told := float64(after.TotalAlloc-before.TotalAlloc), k.MultiplyBytes(outputs, workers)
			if most := told + float64(workers)*(1<<19); took > most || workers == 1 && told > 1.25*took {
				t.Errorf("%d-by-%d, %d outputs, %d workers: took %.3g bytes, told were %.3g", n, d, outputs, workers,
					took, told)
			}
		}
	}
}
