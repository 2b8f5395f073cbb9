package m3l

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestCertificates: on every storage, with every kind of prior and loss, with costs, weights and a constant feature,
// the certificate is its recomputation from the data.
func TestCertificates(t *testing.T) {
	prove.Both(t, testCertificates[float32], testCertificates[float64])
}

func testCertificates[T vec.Float](t *testing.T) {
	const n, d, m = 60, 7, 6
	rng := rand.New(rand.NewPCG(11, 12))
	x, sets := documents[T](rng, n, d, m)
	thinned, sparse := thin(t, rng, x, 3)
	weights, costs := make([]float64, n), []float64{1, .5, 2, .25, 1, 3}
	for i := range weights {
		weights[i] = float64(i % 3)
	}
	storages := map[string]Problem[T]{
		"dense":      {X: x},
		"sparse":     {X: sparse},
		"zeros":      {X: thinned},
		"linear":     {Kernel: kernelOf[T](t, x, kernel.Linear{})},
		"polynomial": {Kernel: kernelOf[T](t, x, kernel.Polynomial{Degree: 2, Offset: 1})},
		"gaussian":   {Kernel: kernelOf[T](t, sparse, kernel.Gaussian{Gamma: .1})},
		"given":      {Kernel: precomputed(t, kernelOf[T](t, x, kernel.Gaussian{Gamma: .1}))},
	}
	if q, ok := any(storages).(map[string]Problem[float32]); ok {
		// As many examples, other labels: the labels of the codes would not fit the weights' pattern better.
		compact, _ := compressed(t, n, m)
		q["compressed"] = Problem[float32]{X: compact}
	}
	for prior, q := range priors(rng, m) {
		for storage, p := range storages {
			t.Run(fmt.Sprintf("%s prior, %s", prior, storage), func(t *testing.T) {
				p.Sets, p.R, p.P, p.Ridge = sets, q.r, q.p, q.ridge
				c := Config{C: .3, Tol: 1e-3, Seed: 2, Workers: 1, Epochs: 20000}
				solve(t, p, c)
				if testing.Short() && prior != "dense" && prior != "no" && prior != "a factor and a ridge of" {
					return
				}
				c.Loss = Hinge
				solve(t, p, c)
				c.Loss = Logistic
				solve(t, p, c)
				c.Loss = SquaredHinge
				solve(t, p, c)
				p.Weights, c.Costs = weights, costs
				solve(t, p, c)
				c.Loss = Hamming
				if p.Kernel == nil {
					c.Bias = 2 // a power of 2: weights times it are weights again
				}
				solve(t, p, c)
				p.Margins = someMargins
				solve(t, p, c)
			})
		}
	}
}

// someMargins are margins of a loss that tells examples and labels apart, some of them negative.
func someMargins(i int, plus, minus []float64) {
	for l := range plus {
		plus[l], minus[l] = float64((i+l)%3)/8, float64((3*l+i)%7)/2-.5
	}
}

func precomputed[T vec.Float](t testing.TB, k *kernel.Matrix[T]) *kernel.Matrix[T] {
	t.Helper()
	n := k.Len()
	values, rows := vec.NewMatrix[T](n, n), make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	k.Rows(values, rows, 1)
	given, err := kernel.Precomputed(values)
	if err != nil {
		t.Fatal(err)
	}
	return given
}

// TestRelatedCertificates: the loss that is of the same R as the prior.
func TestRelatedCertificates(t *testing.T) {
	const n, d, m = 60, 5, 6
	rng := rand.New(rand.NewPCG(13, 14))
	x, sets := documents[float64](rng, n, d, m)
	for range 5 {
		r := dominant(rng, m)
		margins, err := RelatedLoss(sets, r)
		if err != nil {
			t.Fatal(err)
		}
		p := Problem[float64]{X: x, Sets: sets, R: r, Margins: margins}
		a := solve(t, p, Config{Tol: 1e-7, Epochs: 100000})
		p.X, p.Kernel = nil, kernelOf(t, design.Matrix[float64](x), kernel.Linear{})
		b := solve(t, p, Config{Tol: 1e-7, Epochs: 100000})
		if a.Certificate.Primal < b.Certificate.Dual || b.Certificate.Primal < a.Certificate.Dual {
			t.Errorf("by features %v, by their kernel %v", a.Certificate, b.Certificate)
		}
	}
}

// dominant draws a diagonally dominant R, on the edge of that for some labels.
func dominant(rng *rand.Rand, m int) vec.Matrix[float64] {
	r := vec.NewMatrix[float64](m, m)
	for l := range m {
		for k := range l {
			v := float64(rng.IntN(17)-8) / 8
			r.Row(l)[k], r.Row(k)[l] = v, v
		}
	}
	for l := range m {
		sum := float64(rng.IntN(3)) / 2
		for k, v := range r.Row(l) {
			if k != l {
				sum += max(v, -v)
			}
		}
		r.Row(l)[l] = sum
	}
	return r
}
