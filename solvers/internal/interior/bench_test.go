package interior

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// BenchmarkLinear: four steps with n examples of d = 100 features in float32, a tenth of them positive.
func BenchmarkLinear(b *testing.B) {
	for _, n := range []int{100000, 1000000} {
		b.Run(fmt.Sprintf("n=%d/d=100", n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](n, 100)}
			for i := range x.Data {
				x.Data[i] = float32(rng.NormFloat64())
			}
			p := Problem{Plus: Side{Linear: 1, Quadratic: .5}, Minus: Side{Ratio: .2}, Tied: true}
			for i := range n {
				if i%10 == 0 {
					x.Row(i)[0] += 2
					p.Plus.Examples = append(p.Plus.Examples, i)
				} else {
					p.Minus.Examples = append(p.Minus.Examples, i)
				}
			}
			k, err := NewFeatures(x, 0)
			if err != nil {
				b.Fatal(err)
			}
			p.K = k
			for b.Loop() {
				s, err := New(p)
				for range 4 {
					if err == nil {
						err = s.Step()
					}
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(4*b.N), "s/step")
		})
	}
}

// BenchmarkWhiteWine: every second white wine, the best qualities above the others, with an ill-conditioned kernel, to
// a relative gap of 1e-6.
func BenchmarkWhiteWine(b *testing.B) {
	p := wine(b, samples.WhiteWine[float64]())
	p.Kernel = kernel.Gaussian{Gamma: .01}
	k := p.Gram()
	for _, p.Hinge = range []bool{false, true} {
		for _, c := range []int{1, 5, 10, 0} {
			p.K, p.PatMat = c, c == 0
			q := problemOf(p, dense(b, k, 0))
			b.Run(fmt.Sprintf("n=%d/hinge=%t/K=%d", k.Rows, p.Hinge, c), func(b *testing.B) {
				steps := 0
				for b.Loop() {
					s, err := New(q)
					if err != nil {
						b.Fatal(err)
					}
					for gap := 1.0; gap > 1e-6; steps++ {
						if err := s.Step(); err != nil {
							b.Fatal(err)
						}
						b.StopTimer()
						alpha, beta := dual(&q, s)
						primal, value, _ := p.Values(k, alpha, beta)
						gap = (primal - value) / primal
						b.StartTimer()
					}
				}
				b.ReportMetric(float64(steps)/float64(b.N), "steps")
			})
		}
	}
}
