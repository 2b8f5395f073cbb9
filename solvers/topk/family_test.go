package topk

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

type (
	promises[T vec.Float]   = familytest.Family[Problem[T], Config, *Result[T]]
	stateTests[T vec.Float] = familytest.States[Problem[T], Config, *Result[T]]
)

// familyOf has trainings on every storage and in every layout.
func familyOf[T vec.Float]() promises[T] {
	features := func(n, d, m, zeros int, storage func(t testing.TB,
		x design.Matrix[T]) Problem[T]) func(t testing.TB) Problem[T] {
		return func(t testing.TB) Problem[T] {
			rng := rand.New(rand.NewPCG(91, uint64(n)))
			x, y := blobs[T](rng, n, d, m)
			thin(rng, x, zeros)
			p := storage(t, x)
			p.Y = y
			return p
		}
	}
	dense := func(t testing.TB, x design.Matrix[T]) Problem[T] { return Problem[T]{X: x} }
	gaussian := func(t testing.TB, x design.Matrix[T]) Problem[T] {
		return Problem[T]{Kernel: matrix(t, x, kernel.Gaussian{Gamma: .1}, 1<<16)}
	}
	squared := Config{Loss: SquaredHinge, Lambda: 1e-2, Tol: 1e-4}
	hinge, entropy := Config{K: 2, Lambda: 1e-2, Tol: 1e-3}, Config{Loss: TopKEntropy, Lambda: 1e-2, Tol: 1e-4}
	with := func(c Config, size int, bias float64) Config {
		c.BlockSize, c.Bias, c.Seed = size, bias, 5
		return c
	}
	f := promises[T]{Name: "topk", Honest: honest[T], Random: 12, Looks: 12, Epochs: 12}
	f.Add("rows", features(620, 8, 5, 1, dense), with(hinge, 1, 0))
	f.Add("small blocks", features(620, 8, 5, 1, dense), with(hinge, 8, 1))
	f.Add("blocks by classes", features(620, 8, 5, 1, dense), with(entropy, 64, 0))
	f.Add("sparse", features(620, 12, 5, 5, dense), with(hinge, 0, 2))
	f.Add("groups of outputs", features(150, 12, 40, 5, dense), with(squared, 0, 0))
	f.Add("prior on rows", pulled(features(620, 8, 5, 1, dense), 8, 5), with(hinge, 1, 0))
	f.Add("prior in small blocks", pulled(features(620, 8, 5, 1, dense), 9, 5), with(hinge, 8, 1))
	f.Add("prior in blocks by classes", pulled(features(620, 8, 5, 1, dense), 8, 5), with(entropy, 64, 0))
	f.Add("prior on sparse examples", pulled(features(620, 12, 5, 5, dense), 13, 5), with(hinge, 0, 2))
	f.Add("prior of groups", pulled(features(150, 12, 40, 5, dense), 12, 40), with(squared, 0, 0))
	f.Add("kernel", features(150, 8, 5, 1, gaussian), with(hinge, 16, 0))
	if prove.IsF32[T]() {
		hinge.Lambda, hinge.Tol = 1e-3, 1e-2
		f.Add("compressed", func(t testing.TB) Problem[T] { return any(compressed(t)).(Problem[T]) }, hinge)
	}
	return f
}

// pulled returns problems with a prior of integers and quarters, rows-by-m.
func pulled[T vec.Float](make func(t testing.TB) Problem[T], rows, m int) func(t testing.TB) Problem[T] {
	return func(t testing.TB) Problem[T] {
		p := make(t)
		p.Prior = vec.NewMatrix[float64](rows, m)
		for k := range p.Prior.Data {
			p.Prior.Data[k] = float64((7*k)%9-4) / 4
		}
		return p
	}
}

// compressed is a training on product-quantized examples.
func compressed(t testing.TB) Problem[float32] {
	const n, d, parts, m = 620, 12, 4, 5
	rng := rand.New(rand.NewPCG(93, 94))
	centroids, codes, y := make([]float32, 256*d), make([]byte, n*parts), make([]int, n)
	for i := range centroids {
		centroids[i] = float32(rng.NormFloat64())
	}
	for i := range codes {
		codes[i] = byte(rng.IntN(256))
	}
	q, err := pq.New(d, parts, 8, centroids, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := pq.NewMatrix(q, n, codes, pq.MatrixOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range y {
		y[i] = int(codes[i*parts]) % m
	}
	return Problem[float32]{X: x, Y: y}
}

// states have small problems, whose states are in testdata.
func states[T vec.Float]() stateTests[T] {
	numbers := func() (*dataset.Dense[T], []int) {
		x, y := vec.NewMatrix[T](9, 4), make([]int, 9)
		for i := range y {
			y[i] = i % 3
			for j := range 4 {
				x.Row(i)[j] = T((5*i+3*j+i*j)%7-3) / 2
			}
			x.Row(i)[y[i]] += 2
		}
		return &dataset.Dense[T]{Matrix: x}, y
	}
	linear := func(t testing.TB) Problem[T] {
		x, y := numbers()
		return Problem[T]{X: x, Y: y}
	}
	kernelized := func(t testing.TB) Problem[T] {
		x, y := numbers()
		return Problem[T]{Kernel: matrix(t, design.Matrix[T](x), kernel.Polynomial{Degree: 2, Offset: 1}, 1<<10),
			Y: y}
	}
	groups := func(t testing.TB) Problem[T] {
		x, y := numbers()
		for i := range x.Data {
			if i%3 > 0 {
				x.Data[i] = 0
			}
		}
		return Problem[T]{X: sparse(x), Sets: singles(y)}
	}
	c := Config{K: 2, Lambda: .125, Tol: 1e-4, Epochs: 100, Seed: 11, Workers: 1, BlockSize: 1}
	squared := func(_ Problem[T], c Config) bool { return c.Loss == SquaredHinge }
	kernels := func(p Problem[T], _ Config) bool { return p.Kernel != nil }
	priors := func(p Problem[T], _ Config) bool { return p.Prior.Rows > 0 } // sizes are the prior's
	unsized := func(p Problem[T], c Config) bool { return kernels(p, c) || priors(p, c) }
	other := map[Loss]Loss{0: TopKUsunier, SquaredHinge: MultilabelHinge}
	f := promises[T]{Name: "topk", Honest: honest[T]}
	f.Add("linear", linear, c)
	f.Add("prior", pulled(linear, 4, 3), c)
	f.Add("kernel", kernelized, c)
	f.Add("groups", groups, Config{Loss: SquaredHinge, Lambda: .125, Tol: 1e-4, Epochs: 100, Classes: 20, Workers: 1})
	return stateTests[T]{
		Family: f,
		Data: map[string]func(t testing.TB, p Problem[T]) (Problem[T], bool){
			"prior": func(t testing.TB, p Problem[T]) (Problem[T], bool) {
				if p.Kernel != nil || p.Sets != nil {
					return p, false
				}
				if p.Prior.Rows == 0 {
					return pulled(linear, 4, 3)(t), true
				}
				p.Prior.Row(1)[2] += 1e-9
				return p, true
			},
		},
		Fields: map[string]familytest.Field[Problem[T], Config]{
			"Loss": {Set: func(c *Config) { c.Loss = other[c.Loss] }},
			"ClassWeights": {Set: func(c *Config) { c.ClassWeights = []float64{1, 2, 1} }, Want: familytest.OtherData,
				Unless: squared},
			"K":         {Set: func(c *Config) { c.K = 1 }, Unless: squared},
			"Smoothing": {Set: func(c *Config) { c.Smoothing = .5 }, Unless: squared},
			"Workers":   {Set: func(c *Config) { c.Workers = 2 }, Unless: kernels}, // the same bits for any number
			"Bias":      {Set: func(c *Config) { c.Bias = 1 }, Unless: unsized},
			"Classes":   {Set: func(c *Config) { c.Classes = 21 }, Unless: priors},
		},
		Refuses: map[string][]string{
			"prior":  {"dual", "next", "rest", "zero", "rand", "epch", "wght", "link", "list", "left"},
			"linear": {"dual", "next", "rest", "zero", "rand", "epch", "wght", "link", "list", "left"},
			"groups": {"dual", "next", "rest", "zero", "rand", "epch", "wght", "link", "list", "left"},
			"kernel": {"dual", "next", "rest", "rand", "epch", "scor", "ordr", "from"},
		},
		Other: func(t testing.TB, state []byte) error {
			r := states[float32]().Trainings[0]
			_, err := r.Make(t).Resume(context.Background(), bytes.NewReader(state), r.Config)
			return err
		},
	}
}

// TestFamily: what every family promises.
func TestFamily(t *testing.T) { prove.Both(t, familyOf[float32]().Run, familyOf[float64]().Run) }

func TestStates(t *testing.T) { states[float64]().Run(t) }

func FuzzResume(f *testing.F) { states[float64]().Fuzz(f) }

// TestFamilyPath: what every family promises of its paths.
func TestFamilyPath(t *testing.T) {
	lambdas := []float64{.1, .05, .02}
	f := familytest.Paths[Problem[float64], Config, *Result[float64]]{
		Family: promises[float64]{Name: "topk", Honest: honest[float64]},
		Path: func(ctx context.Context, p Problem[float64], c Config, cv solvers.CrossValidation) (any, error) {
			return p.Path(ctx, c, PathConfig{Lambdas: lambdas, CrossValidation: cv})
		},
		PathFold: func(ctx context.Context, p Problem[float64], c Config, cv solvers.CrossValidation, which int) (any,
			error) {
			return p.PathFold(ctx, c, PathConfig{Lambdas: lambdas, CrossValidation: cv}, which)
		},
		At: func(c *Config, point int) { c.Lambda = lambdas[point] },
	}
	x, y := blobs[float64](rand.New(rand.NewPCG(67, 68)), 60, 6, 3)
	linear := Problem[float64]{X: x, Y: y}
	for i := range y {
		linear.Weights = append(linear.Weights, float64((7*i)%5)/2)
	}
	kernels := linear
	kernels.X, kernels.Kernel = nil, familytest.Kernel[float64](t, x, kernel.Gaussian{Gamma: .1})
	f.Add("features", func(testing.TB) Problem[float64] { return linear }, Config{Tol: 1e-8, Epochs: 1 << 20})
	f.Add("kernel", func(testing.TB) Problem[float64] { return kernels }, Config{Tol: 1e-8, Epochs: 1 << 20})
	f.Run(t)
}
