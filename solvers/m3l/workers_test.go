package m3l

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers/kernel"
)

// TestWorkers: the same data, seed and number of workers give the same bits; another seed or number comes to the same
// optimum, and where labels are trained in groups, with a kernel or of too few examples for rounds of several workers
// the number makes no difference to the bits: see TestRoundsConverge of ascent.
func TestWorkers(t *testing.T) {
	const n, d, m = 2000, 12, 20
	rng := rand.New(rand.NewPCG(41, 42))
	x, sets := documents[float32](rng, n, d, m)
	_, sparse := thin(t, rng, x, 5)
	few, fewSets := documents[float32](rng, 200, d, m)
	r := lowRank(rng, m, 6)
	for name, c := range map[string]struct {
		p    Problem[float32]
		same bool // for any number of workers
		c    float64
	}{
		"dense":             {Problem[float32]{X: x, Sets: sets}, true, .1},
		"groups":            {Problem[float32]{X: sparse, Sets: sets}, true, .1},
		"margins in groups": {Problem[float32]{X: sparse, Sets: sets, Margins: someMargins}, true, .1},
		"few with R":        {Problem[float32]{X: few, Sets: fewSets, R: r}, true, .1},
		"dense with R":      {Problem[float32]{X: x, Sets: sets, R: formed(factor(rng, m, 6), 1)}, true, .01},
		"kernel": {Problem[float32]{Kernel: kernelOf[float32](t, few, kernel.Gaussian{Gamma: .05}),
			Sets: fewSets}, true, .1},
		"kernel with R": {Problem[float32]{Kernel: kernelOf[float32](t, few, kernel.Gaussian{Gamma: .05}),
			Sets: fewSets, R: r}, true, .1},
	} {
		fit := func(workers int, seed uint64) *Result[float32] {
			result, err := c.p.Fit(t.Context(), Config{C: c.c, Seed: seed, Workers: workers, Epochs: 1 << 20})
			if err != nil || result.Certificate.RelativeGap() > 1e-3 {
				t.Fatalf("%s, %d workers: %s, %v", name, workers, told(result), err)
			}
			return result
		}
		one := fit(1, 3)
		for _, workers := range []int{1, 3} {
			a, b := fit(workers, 3), fit(workers, 3)
			if !slices.Equal(a.Duals.Data, b.Duals.Data) || a.Certificate != b.Certificate {
				t.Errorf("%s: two runs of %d workers differ", name, workers)
			}
			agree(t, name, one.Certificate, a.Certificate)
			if same := slices.Equal(a.Duals.Data, one.Duals.Data); same != (c.same || workers == 1) {
				t.Errorf("%s: the same bits by %d workers as by one: %t", name, workers, same)
			}
		}
		other := fit(1, 4)
		if agree(t, name, one.Certificate, other.Certificate); slices.Equal(one.Duals.Data, other.Duals.Data) {
			t.Errorf("%s: another seed, the same steps", name)
		}
	}
}

// TestManyWorkers: more workers than there is work for are no more than there is work for, in memory and in numbers.
func TestManyWorkers(t *testing.T) {
	const n, d, m = 600, 10, 20
	rng := rand.New(rand.NewPCG(43, 44))
	x, sets := documents[float64](rng, n, d, m)
	_, sparse := thin(t, rng, x, 3)
	r := lowRank(rng, m, 30)
	for name, p := range map[string]Problem[float64]{
		"dense": {X: x}, "groups": {X: sparse}, "R": {X: x, R: r},
		"kernel": {Kernel: kernelOf[float64](t, x, kernel.Gaussian{Gamma: .1}), R: r},
	} {
		p.Sets = sets
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		result, err := p.Fit(t.Context(), Config{C: .01, Workers: math.MaxInt})
		runtime.ReadMemStats(&after)
		if err != nil || result.Certificate.RelativeGap() > 1e-3 {
			t.Errorf("%s: %s, %v", name, told(result), err)
		}
		// Copies of W for 600 workers would be 600 rounds of 128 rows of 20 dual variables.
		if took := after.TotalAlloc - before.TotalAlloc; took > 50<<20 {
			t.Errorf("%s: %d MB", name, took>>20)
		}
	}
}
