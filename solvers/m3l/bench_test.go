package m3l

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// BenchmarkLowRank alternates ten epochs of 1000 labels with a prior of rank 10, held as P and formed, on one core, and
// reports the least time of each, and their quotient. The certificate is part of it, and the check that R, where it is
// formed, is semidefinite.
func BenchmarkLowRank(b *testing.B) {
	const n, labels, rank = 1000, 1000, 10
	rng := rand.New(rand.NewPCG(115, 116))
	p := factor(rng, labels, rank)
	for _, storage := range []string{"dense", "sparse", "gaussian"} {
		d := map[string]int{"dense": 500, "sparse": 5000, "gaussian": 100}[storage]
		x, sets := themes(rng, n, d, p)
		q := Problem[float32]{X: x, Sets: sets}
		switch storage {
		case "sparse":
			_, q.X = thin(b, rng, x, 50)
		case "gaussian":
			q.X, q.Kernel = nil, kernelOf[float32](b, x, kernel.Gaussian{Gamma: .5 / float64(d)})
		}
		b.Run(fmt.Sprintf("n=%d/L=%d/r=%d/storage=%s", n, labels, rank, storage), func(b *testing.B) {
			times := [2]float64{math.Inf(1), math.Inf(1)}
			var outcomes [2]solvers.Outcome
			r := formed(p, 0)
			for b.Loop() {
				for k := range times {
					if q.P, q.R = p, (vec.Matrix[float64]{}); k == 1 {
						q.P, q.R = q.R, r
					}
					start := time.Now()
					result, err := q.Fit(context.Background(), Config{C: 3. / float64(d), Tol: 1e-9, Epochs: 10,
						Workers: 1})
					if err != nil {
						b.Fatal(err)
					}
					times[k], outcomes[k] = min(times[k], time.Since(start).Seconds()), result.Outcome
				}
			}
			if agree := outcomes[0].Certificate.Primal / outcomes[1].Certificate.Primal; math.Abs(agree-1) > .01 {
				b.Errorf("P: %v; R: %v", outcomes[0], outcomes[1])
			}
			b.ReportMetric(times[0], "P-s")
			b.ReportMetric(times[1], "R-s")
			b.ReportMetric(times[1]/times[0], "x-P")
		})
	}
}

// themes draws n examples of d features, and their labels: the labels of the largest scores, which are sums of as many
// themes as p has rows.
func themes(rng *rand.Rand, n, d int, p vec.Matrix[float64]) (*dataset.Dense[float32], [][]int) {
	x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](n, d)}
	for k := range x.Data {
		x.Data[k] = float32(rng.NormFloat64())
	}
	sets, u, scores := make([][]int, n), make([]float64, p.Rows), make([]float64, p.Cols)
	for i := range n {
		vec.Convert(u, x.Row(i)[:p.Rows])
		vec.GemvT(1, p, u, 0, scores)
		for l, v := range scores {
			if v+rng.NormFloat64() > 2*math.Sqrt(float64(p.Rows)) {
				sets[i] = append(sets[i], l)
			}
		}
	}
	return x, sets
}
