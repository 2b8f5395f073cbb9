package vec_test

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// cores lets that many goroutines run at once, on however few cores: no function of vec takes more.
func cores(t *testing.T, n int) {
	old := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

// TestWorkers: a negative number is an error of the program; the largest one gives the same bits as 1, and takes no
// more goroutines than there are cores: with one core it starts none, and allocates no more than with one worker.
func TestWorkers(t *testing.T) {
	const n, d = 130, 300 // more than enough for two goroutines
	a, b := vec.NewMatrix[float64](n, d), vec.NewMatrix[float64](n, n)
	for i := range a.Data {
		a.Data[i] = float64(i%17) / 3
	}
	runs := 5
	if prove.Quick() {
		runs = 1
	}
	for name, f := range map[string]func(workers int){
		"GemmWorkers": func(w int) { vec.GemmWorkers(vec.NoTrans, vec.Transposed, 1, a, a, 0, b, w) },
		"SyrkWorkers": func(w int) { vec.SyrkWorkers(vec.Lower, vec.NoTrans, 1, a, 0, b, w) },
		"GramWorkers": func(w int) { vec.GramWorkers(b, a, w) },
		"SquaredDistancesWorkers": func(w int) {
			vec.SquaredDistancesWorkers(b, a, a, w)
		},
	} {
		demand(t, name, func() { f(-1) }, "-1 workers, want 0 for all cores or a positive number")
		demand(t, name, func() { f(math.MinInt) })
		f(1)
		want := slices.Clone(b.Data)
		for _, workers := range []int{0, 2, math.MaxInt} {
			f(workers)
			if !slices.Equal(b.Data, want) {
				t.Errorf("%s: %d workers give other bits", name, workers)
			}
		}
		one, all := prove.Allocs(runs, func() { f(1) }), prove.Allocs(runs, func() { f(math.MaxInt) })
		if all > one {
			t.Errorf("%s: %v allocations, %v with one worker, on one core", name, all, one)
		}
	}
}
