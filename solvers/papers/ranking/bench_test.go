package ranking

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/internal/toploss"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestPairAllocs: a loop takes no memory.
func TestPairAllocs(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 72))
	for _, p := range some(12) {
		s, _ := solverOf(t, rng, p)
		for i := range s.f {
			s.k.Pin(i) // every row is there
		}
		if n := prove.Allocs(50, func() { s.loop(false); s.loop(true) }); n != 0 {
			t.Errorf("%s: %v allocations in two loops", p.Name, n)
		}
	}
}

// BenchmarkPairs is the paper's Table 4, a repeat loop of each method: a tenth of the examples is positive, and all
// rows lie in memory, 400 MB of them with n = 10000.
func BenchmarkPairs(b *testing.B) {
	rng := rand.New(rand.NewPCG(73, 74))
	for _, n := range []int{175, 2300, 10000} {
		x := vec.NewMatrix[float32](n, 20)
		positive := make([]bool, n)
		for i := range n {
			positive[i] = i < n/10
			for j := range x.Cols {
				x.Row(i)[j] = float32(rng.NormFloat64())
			}
		}
		k, err := kernel.New(&dataset.Dense[float32]{Matrix: x}, kernel.Gaussian{Gamma: .05}, 1<<30)
		if err != nil {
			b.Fatal(err)
		}
		for i := range n {
			k.Pin(i)
			k.Release(i)
		}
		for _, o := range []toploss.Objective{
			{K: 1}, {K: 5}, {K: 5, Hinge: true}, {PatMat: true, Tau: .1}, {PatMat: true, Tau: .1, Hinge: true},
		} {
			o.C, o.Theta1, o.Theta2, o.Positive = 1, 1, 1, positive
			all := toploss.New(o)
			s := newPairs(k, all.Sides(all.Rows()), 0)
			alpha, beta := all.Uniform()
			s.set(alpha, beta, make([]float64, n))
			for _, violation := range []bool{false, true} {
				b.Run(fmt.Sprintf("n=%d/patmat=%v/hinge=%v/K=%d/violation=%v", n, o.PatMat, o.Hinge, o.K, violation),
					func(b *testing.B) {
						for b.Loop() {
							s.loop(violation)
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/candidate")
					})
			}
		}
	}
}
