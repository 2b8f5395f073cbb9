package topk

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
)

// TestWorkers: several workers, on dense and on sparse examples, come to the same certificate within the tolerance, and
// to the same bits each time.
func TestWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	x, y := blobs[float32](rng, 2000, 20, 6)
	thinned, _ := blobs[float32](rng, 2000, 20, 6)
	thin(rng, thinned, 5)
	for name, f := range map[string]design.Matrix[float32]{"dense": x, "csr": sparse(thinned), "zeros": thinned} {
		for _, bias := range []float64{0, 1} {
			c := Config{K: 2, Lambda: .001, Epochs: 1 << 20, Workers: 3, Bias: bias}
			a, b := converge(t, f, y, c, 1e-4), converge(t, f, y, c, 1e-4)
			if !slices.Equal(a.Duals.Data, b.Duals.Data) || a.Certificate != b.Certificate {
				t.Errorf("%s: two runs differ", name)
			}
			c.Workers = 1
			if one := converge(t, f, y, c, 1e-4).Certificate; one.Dual > a.Certificate.Primal ||
				a.Certificate.Dual > one.Primal {
				t.Errorf("%s: %v, with one worker %v", name, a.Certificate, one)
			}
		}
	}
}

// TestManyWorkers: more workers than there is work for are no more than there is work for, in time, in memory and in
// numbers.
func TestManyWorkers(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(43, 44)), 600, 10, 4)
	f := design.Matrix[float64](x)
	few, _ := blobs[float64](rand.New(rand.NewPCG(43, 44)), 40, 10, 4)
	numbers := []int{5, 1_000_000_000, math.MaxInt}
	if testing.Short() {
		numbers = numbers[2:]
	}
	for name, p := range map[string]Problem[float64]{
		"dense": {X: f, Y: y}, "sparse": {X: sparse(x), Y: y},
		"kernel": {Kernel: matrix(t, design.Matrix[float64](few), kernel.Gaussian{Gamma: .1}, 1<<20), Y: y[:40]},
		"few":    {X: few, Y: y[:40]},
	} {
		for _, c := range []Config{{Lambda: .01, Tol: 1e-4}, {Lambda: .01, Tol: 1e-4, Loss: SquaredHinge,
			Classes: 40}} {
			for _, c.Workers = range numbers {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				r, err := p.Fit(context.Background(), c)
				if err != nil || r.Status != solvers.Converged {
					t.Fatalf("%s: %s, %v", name, told(r), err)
				}
				path := PathConfig{Lambdas: []float64{.01, .1}}
				if p.X != nil {
					path.Folds = 2
				}
				points, err := p.Path(context.Background(), c, path)
				if err != nil || len(points) != 2 {
					t.Fatalf("%s: %v", name, err)
				}
				runtime.ReadMemStats(&after)
				// Copies of W for 600 workers would be 600 rounds of 128 rows of 40 dual variables.
				if took := after.TotalAlloc - before.TotalAlloc; took > 100<<20 {
					t.Errorf("%s, %d workers: %d MB", name, c.Workers, took>>20)
				}
			}
		}
	}
}
