package m3l

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

type (
	trainings[T vec.Float]  = familytest.Family[Problem[T], Config, *Result[T]]
	stateTests[T vec.Float] = familytest.States[Problem[T], Config, *Result[T]]
)

// familyOf has trainings on every storage and in every layout, with R, with P and without.
func familyOf[T vec.Float]() trainings[T] {
	features := func(n, d, m, zeros, rank int, margins bool) func(t testing.TB) Problem[T] {
		return func(t testing.TB) Problem[T] {
			rng := rand.New(rand.NewPCG(91, uint64(n)))
			x, sets := documents[T](rng, n, d, m)
			p := Problem[T]{Sets: sets, X: x}
			if zeros > 1 {
				_, p.X = thin(t, rng, x, zeros)
			}
			if rank > 0 {
				p.R = lowRank(rng, m, rank)
			}
			if margins {
				p.Margins = someMargins
			}
			return p
		}
	}
	gaussian := func(make func(t testing.TB) Problem[T]) func(t testing.TB) Problem[T] {
		return func(t testing.TB) Problem[T] {
			p := make(t)
			p.X, p.Kernel = nil, kernelOf(t, p.X, kernel.Gaussian{Gamma: .1})
			return p
		}
	}
	byFactor := func(make func(t testing.TB) Problem[T], m, rank int, ridge float64) func(t testing.TB) Problem[T] {
		return func(t testing.TB) Problem[T] {
			p := make(t)
			p.P, p.Ridge = factor(rand.New(rand.NewPCG(92, uint64(rank))), m, rank), ridge
			return p
		}
	}
	c := Config{C: .1, Tol: 1e-3, Seed: 5}
	with := func(loss Loss, size int, bias float64) Config {
		c := c
		c.Loss, c.BlockSize, c.Bias = loss, size, bias
		return c
	}
	f := trainings[T]{Name: "m3l", Honest: honest[T], Random: 5, Looks: 5, Epochs: 12}
	f.Add("rows", features(160, 8, 5, 1, 0, false), with(Hamming, 1, 0))
	f.Add("blocks", features(160, 8, 5, 1, 0, true), with(Hamming, 64, 1))
	f.Add("squared", features(160, 8, 5, 1, 0, false), with(SquaredHinge, 8, 0))
	f.Add("logistic", features(160, 8, 5, 1, 0, false), with(Logistic, 1, 0))
	f.Add("logistic in groups of sparse examples", features(100, 12, 40, 5, 0, false), with(Logistic, 0, 0))
	f.Add("logistic with R", features(160, 8, 5, 1, 3, false), with(Logistic, 0, 0))
	f.Add("logistic on a kernel", gaussian(features(100, 8, 5, 1, 0, false)),
		Config{C: 10, Tol: 1e-3, Seed: 5, Loss: Logistic, BlockSize: 16})
	f.Add("R", features(160, 8, 5, 1, 3, false), with(Hamming, 0, 0))
	f.Add("R in blocks by labels", features(160, 8, 5, 1, 8, true), with(Hamming, 64, 2))
	f.Add("R on sparse examples", features(160, 12, 20, 5, 5, false), with(SquaredHinge, 0, 0))
	f.Add("groups of labels", features(100, 12, 40, 5, 0, false), with(Hamming, 0, 2))
	f.Add("margins in groups", features(100, 12, 40, 5, 0, true), with(Hamming, 0, 0))
	f.Add("prior on rows", pulled(features(160, 8, 5, 1, 0, false), 8, 5), with(Hamming, 1, 0))
	f.Add("prior in blocks", pulled(features(160, 8, 5, 1, 0, true), 9, 5), with(Hamming, 64, 1))
	f.Add("prior with R", pulled(features(160, 8, 5, 1, 3, false), 8, 5), with(Hamming, 0, 0))
	f.Add("prior with R in blocks by labels", pulled(features(160, 8, 5, 1, 8, true), 9, 5), with(Hamming, 64, 2))
	f.Add("prior with R on sparse examples", pulled(features(160, 12, 20, 5, 5, false), 12, 20),
		with(SquaredHinge, 0, 0))
	f.Add("prior of groups", pulled(features(100, 12, 40, 5, 0, false), 13, 40), with(Hamming, 0, 2))
	f.Add("kernel", gaussian(features(100, 8, 5, 1, 0, false)), with(Hamming, 16, 0))
	f.Add("kernel with R", gaussian(features(100, 8, 5, 1, 3, true)), with(Hamming, 16, 0))
	f.Add("P", byFactor(features(160, 8, 5, 1, 0, false), 5, 3, 0), with(Hamming, 0, 2))
	f.Add("P in blocks by columns", byFactor(features(160, 8, 5, 1, 0, true), 5, 2, .5), with(Hamming, 64, 0))
	f.Add("P on sparse examples", byFactor(features(160, 12, 40, 5, 0, false), 40, 3, 0), with(SquaredHinge, 0, 0))
	f.Add("kernel with P", byFactor(gaussian(features(100, 8, 5, 1, 0, true)), 5, 2, .25), with(Hamming, 16, 0))
	if prove.IsF32[T]() {
		f.Add("compressed", func(t testing.TB) Problem[T] {
			x, sets := compressed(t, 300, 5)
			return any(Problem[float32]{X: x, Sets: sets, R: lowRank(rand.New(rand.NewPCG(1, 2)), 5, 2)}).(Problem[T])
		}, Config{C: .1})
	}
	return f
}

// pulled returns problems with a prior of quarters, rows-by-m.
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

// states have small problems, whose states are in testdata. With R a label's step is a quotient: sums of it are rounded
// in another order where Go or a kernel fuses, but a state that was written once is read everywhere.
func states[T vec.Float]() stateTests[T] {
	numbers := func() (*dataset.Dense[T], [][]int) {
		x, sets := vec.NewMatrix[T](9, 4), make([][]int, 9)
		for i := range sets {
			for j := range 4 {
				x.Row(i)[j] = T((5*i+3*j+i*j)%7-3) / 2
			}
			x.Row(i)[i%3] += 2
			if sets[i] = []int{i % 3}; i%4 == 0 {
				sets[i] = append(sets[i], (i+1)%3)
			}
		}
		return &dataset.Dense[T]{Matrix: x}, sets
	}
	prior := func() vec.Matrix[float64] { return vec.MatrixOf(3, 3, []float64{2, 1, -1, 1, 2, 0, -1, 0, 1}) }
	linear := func(t testing.TB) Problem[T] {
		x, sets := numbers()
		return Problem[T]{X: x, Sets: sets, R: prior()}
	}
	kernelized := func(t testing.TB) Problem[T] {
		x, sets := numbers()
		return Problem[T]{Kernel: kernelOf[T](t, x, kernel.Polynomial{Degree: 2, Offset: 1}), Sets: sets, R: prior()}
	}
	groups := func(t testing.TB) Problem[T] {
		x, sets := numbers()
		for i := range x.Data {
			if i%3 > 0 {
				x.Data[i] = 0
			}
		}
		sparse, err := x.CSR()
		if err != nil {
			t.Fatal(err)
		}
		return Problem[T]{X: sparse, Sets: sets}
	}
	c := Config{C: .5, Tol: 1e-4, Epochs: 100, Seed: 11, Workers: 1, BlockSize: 1}
	flat := c
	flat.C = 1. / 64 // products of the polynomial are large
	f := trainings[T]{Name: "m3l", Honest: honest[T]}
	f.Add("linear", linear, c)
	f.Add("prior", pulled(linear, 4, 3), c)
	f.Add("kernel", kernelized, flat)
	f.Add("groups", groups, Config{C: .5, Tol: 1e-4, Epochs: 100, Labels: 20, Workers: 1})
	kernels := func(p Problem[T], _ Config) bool { return p.Kernel != nil }
	unsized := func(p Problem[T], _ Config) bool { return p.Kernel != nil || p.Prior.Rows > 0 }
	related := func(p Problem[T], _ Config) bool { return p.R.Rows > 0 }
	return stateTests[T]{
		Family: f, Spoilt: true,
		Data: map[string]func(t testing.TB, p Problem[T]) (Problem[T], bool){
			"prior": func(t testing.TB, p Problem[T]) (Problem[T], bool) {
				if p.Kernel != nil || len(p.Sets) == 0 || p.R.Rows == 0 {
					return p, false
				}
				if p.Prior.Rows == 0 {
					return pulled(linear, 4, 3)(t), true
				}
				p.Prior.Row(1)[2] += 1e-9
				return p, true
			},
			"R": func(t testing.TB, p Problem[T]) (Problem[T], bool) {
				if p.R.Rows == 0 { // R = I is no R to a state: the steps are others
					p.R = identity(20)
				} else {
					p.R.Row(1)[1] += 1e-9
				}
				return p, true
			},
			"no R": func(t testing.TB, p Problem[T]) (Problem[T], bool) {
				if p.R.Rows > 0 {
					p.R = vec.Matrix[float64]{}
				} else {
					p.R = lowRank(rand.New(rand.NewPCG(1, 2)), 20, 3)
				}
				return p, true
			},
		},
		Fields: map[string]familytest.Field[Problem[T], Config]{
			"Costs":   {Set: func(c *Config) { c.Costs = slices.Repeat([]float64{2}, max(3, c.Labels)) }},
			"Workers": {Set: func(c *Config) { c.Workers = 2 }, Unless: kernels}, // the same bits for any number
			"Bias":    {Set: func(c *Config) { c.Bias = 1 }, Unless: unsized},
			"Labels":  {Set: func(c *Config) { c.Labels = 21 }, Unless: related},
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
	costs := []float64{.01, .02, .05}
	rng := rand.New(rand.NewPCG(63, 64))
	x, sets := documents[float64](rng, 60, 6, 4)
	margins := func(i int, plus, minus []float64) {
		for l := range plus {
			plus[l], minus[l] = 0, float64(1+(i*i+l)%5)
		}
	}
	f := familytest.Paths[Problem[float64], Config, *Result[float64]]{
		Family: trainings[float64]{Name: "m3l", Honest: honest[float64]},
		Path: func(ctx context.Context, p Problem[float64], c Config, cv solvers.CrossValidation) (any, error) {
			return p.Path(ctx, c, PathConfig{Cs: costs, CrossValidation: cv})
		},
		PathFold: func(ctx context.Context, p Problem[float64], c Config, cv solvers.CrossValidation, which int) (any,
			error) {
			return p.PathFold(ctx, c, PathConfig{Cs: costs, CrossValidation: cv}, which)
		},
		At: func(c *Config, point int) { c.C = costs[point] },
		Part: func(t testing.TB, p *Problem[float64], rows []int) {
			if p.Margins != nil {
				p.Margins = func(i int, plus, minus []float64) { margins(rows[i], plus, minus) }
			}
		},
	}
	linear := Problem[float64]{X: x, Sets: sets}
	for i := range sets {
		linear.Weights = append(linear.Weights, float64((1+7*i)%5)/2)
	}
	kernels, classes := linear, linear
	kernels.X, kernels.Kernel = nil, familytest.Kernel[float64](t, x, kernel.Gaussian{Gamma: .1})
	kernels.R, kernels.Margins = lowRank(rng, 4, 8), margins
	for i := range sets {
		classes.Y = append(classes.Y, i%4)
	}
	classes.Sets = nil
	c := Config{Tol: 1e-8, Epochs: 1 << 20, Labels: 4}
	f.Add("features", func(testing.TB) Problem[float64] { return linear }, c)
	f.Add("classes", func(testing.TB) Problem[float64] { return classes }, c)
	factored := linear
	factored.P, factored.Ridge = factor(rng, 6, 3), .2
	f.Add("features and P, of as many labels as it has columns", func(testing.TB) Problem[float64] { return factored },
		Config{Tol: 1e-8, Epochs: 1 << 20})
	f.Add("kernel, R and margins", func(testing.TB) Problem[float64] { return kernels }, c)
	f.Run(t)
}
