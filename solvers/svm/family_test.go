package svm

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/vec"
)

type trainings[T vec.Float] = familytest.Family[Problem[T], Config, *Result[T]]

// familyOf has trainings of every loss, on dense and sparse features and on a kernel.
func familyOf[T vec.Float]() trainings[T] {
	make := func(l Loss, n, d, zeros int, kernelized bool) func(t testing.TB) Problem[T] {
		return func(t testing.TB) Problem[T] {
			rng := rand.New(rand.NewPCG(91, uint64(n)))
			x, y, targets := drawn[T](rng, n, d)
			p := Problem[T]{X: x}.of(l, y, targets)
			if l == single {
				x = aside(x)
				p.X = x
			}
			if zeros > 1 {
				p.X = thin(t, rng, x, zeros)
			}
			if kernelized {
				p = gaussian(t, p)
			}
			return p
		}
	}
	with := func(l Loss, size int, bias float64) Config {
		c := Config{C: .1, Tol: 1e-3, Seed: 5, Loss: l, BlockSize: size, Bias: bias, Algorithm: Ascent}
		if l.ofTargets() {
			c.Epsilon = .1
		}
		return c
	}
	steps := func(l Loss, bias float64) Config { // Newton's
		c := with(l, 0, bias)
		c.C, c.Tol, c.Algorithm = 1, 1e-5, Newton
		return c
	}
	slow := func(l Loss) Config { // trainings of several epochs on a kernel
		c := with(l, 16, 0)
		c.C, c.Tol = 10, 1e-4
		return c
	}
	offset := func(l Loss, size int) Config {
		c := slow(l)
		c.Offset, c.BlockSize = true, size
		return c
	}
	far := func(l Loss, zeros int) func(t testing.TB) Problem[T] { // features far from 0, all or the first two
		return func(t testing.TB) Problem[T] {
			x, y, targets := drawn[T](rand.New(rand.NewPCG(93, 94)), 160, 10)
			for i := range x.Rows {
				for j := range x.Cols {
					switch {
					case zeros == 0 || j < 2:
						x.Row(i)[j] += 50
					case (i+j)%zeros > 0:
						x.Row(i)[j] = 0
					}
				}
			}
			p := Problem[T]{X: x}.of(l, y, targets)
			if zeros > 0 {
				sparse, err := x.CSR()
				if err != nil {
					t.Fatal(err)
				}
				p.X = sparse
			}
			return p
		}
	}
	mild := func(l Loss) Config {
		c := with(l, 0, 0)
		c.Offset = true
		return c
	}
	stepsWith := func(l Loss) Config {
		c := steps(l, 0)
		c.Offset = true
		return c
	}
	one := func(nu float64, size int) Config { return Config{Tol: 1e-5, Seed: 5, Nu: nu, BlockSize: size} }
	f := trainings[T]{Name: "svm", Honest: honest[T], Random: 5, Looks: 5, Epochs: 12}
	f.Add("hinge", make(Hinge, 160, 8, 1, false), with(Hinge, 0, 0))
	f.Add("hinge in blocks", make(Hinge, 160, 8, 1, false), with(Hinge, 64, 1))
	f.Add("squared hinge", make(SquaredHinge, 160, 8, 1, false), with(SquaredHinge, 0, 1))
	f.Add("squared hinge on sparse examples", make(SquaredHinge, 160, 20, 5, false), with(SquaredHinge, 0, 2))
	f.Add("insensitive", make(Insensitive, 160, 8, 1, false), with(Insensitive, 0, 1))
	f.Add("insensitive in blocks", make(Insensitive, 160, 8, 1, false), with(Insensitive, 16, 0))
	f.Add("squared on sparse examples", make(SquaredInsensitive, 160, 20, 5, false), with(SquaredInsensitive, 0, 0))
	f.Add("kernel", make(Hinge, 100, 8, 1, true), slow(Hinge))
	f.Add("kernel and targets", make(Insensitive, 100, 8, 1, true), slow(Insensitive))
	f.Add("kernel, squared", make(SquaredInsensitive, 100, 8, 1, true), slow(SquaredInsensitive))
	f.Add("hinge with an offset", make(Hinge, 160, 8, 1, false), offset(Hinge, 0))
	f.Add("insensitive with an offset, sparse", make(Insensitive, 160, 20, 5, false), offset(Insensitive, 0))
	f.Add("squared with an offset, in blocks", make(SquaredInsensitive, 160, 8, 1, false),
		offset(SquaredInsensitive, 64))
	f.Add("squared hinge with an offset", make(SquaredHinge, 160, 8, 1, false), offset(SquaredHinge, 0))
	f.Add("kernel with an offset", make(Hinge, 100, 8, 1, true), offset(Hinge, 16))
	f.Add("kernel and targets with an offset", make(Insensitive, 100, 8, 1, true), offset(Insensitive, 16))
	f.Add("logistic with an offset", make(Logistic, 160, 8, 1, false), offset(Logistic, 0))
	f.Add("logistic with an offset, sparse", make(Logistic, 160, 20, 5, false), offset(Logistic, 8))
	f.Add("logistic with an offset on a kernel", make(Logistic, 100, 8, 1, true), offset(Logistic, 16))
	f.Add("insensitive with an offset, far from 0", far(Insensitive, 0), mild(Insensitive))
	f.Add("hinge with an offset, far from 0, in blocks", far(Hinge, 0), offset(Hinge, 8))
	f.Add("squared hinge with an offset, far from 0, sparse", far(SquaredHinge, 4), offset(SquaredHinge, 0))
	f.Add("hinge with an offset by steps", make(Hinge, 160, 8, 1, false), stepsWith(Hinge))
	f.Add("squared hinge with an offset by steps", far(SquaredHinge, 4), stepsWith(SquaredHinge))
	f.Add("logistic with an offset by steps", make(Logistic, 160, 20, 5, false), stepsWith(Logistic))
	f.Add("insensitive with an offset by steps", far(Insensitive, 0), stepsWith(Insensitive))
	f.Add("squared with an offset by steps", make(SquaredInsensitive, 160, 8, 1, false), stepsWith(SquaredInsensitive))
	f.Add("one class of a sample", make(single, 310, 90, 1, false), one(.05, 0))
	f.Add("one class", make(single, 160, 40, 1, false), one(.05, 0))
	f.Add("one class, sparse", make(single, 160, 30, 3, false), one(.5, 8))
	f.Add("one class on a kernel", make(single, 100, 8, 1, true), one(.2, 16))
	f.Add("logistic", make(Logistic, 160, 8, 1, false), with(Logistic, 0, 1))
	f.Add("logistic by steps", make(Logistic, 160, 8, 1, false), steps(Logistic, 0))
	f.Add("hinge by steps", make(Hinge, 160, 8, 1, false), steps(Hinge, 0))
	f.Add("squared hinge by steps", make(SquaredHinge, 160, 8, 1, false), steps(SquaredHinge, 1))
	f.Add("insensitive by steps on sparse examples", make(Insensitive, 160, 20, 5, false), steps(Insensitive, 2))
	f.Add("squared by steps", make(SquaredInsensitive, 160, 8, 1, false), steps(SquaredInsensitive, 1))
	return f
}

// TestFamily: what every family promises.
func TestFamily(t *testing.T) { prove.Both(t, familyOf[float32]().Run, familyOf[float64]().Run) }

// TestFamilyPath: what every family promises of its paths.
func TestFamilyPath(t *testing.T) {
	costs := []float64{.01, .02, .05}
	x, y, targets := drawn[float64](rand.New(rand.NewPCG(63, 64)), 60, 6)
	f := familytest.Paths[Problem[float64], Config, *Result[float64]]{
		Family: trainings[float64]{Name: "svm", Honest: honest[float64]},
		Path: func(ctx context.Context, p Problem[float64], c Config, cv solvers.CrossValidation) (any, error) {
			return p.Path(ctx, c, PathConfig{Cs: costs, CrossValidation: cv})
		},
		PathFold: func(ctx context.Context, p Problem[float64], c Config, cv solvers.CrossValidation, which int) (any,
			error) {
			return p.PathFold(ctx, c, PathConfig{Cs: costs, CrossValidation: cv}, which)
		},
		At: func(c *Config, point int) { c.C = costs[point] },
	}
	classes := Problem[float64]{X: x, Y: y}
	numbers := Problem[float64]{X: x, Targets: targets}
	for i := range y {
		classes.Weights = append(classes.Weights, float64((1+7*i)%5)/2)
	}
	c := Config{Tol: 1e-8, Epochs: 1 << 20}
	f.Add("classes", func(testing.TB) Problem[float64] { return classes }, c)
	f.Add("numbers", func(testing.TB) Problem[float64] { return numbers }, c)
	steps := c
	steps.Algorithm = Newton
	f.Add("classes by steps", func(testing.TB) Problem[float64] { return classes }, steps)
	f.Add("numbers by steps", func(testing.TB) Problem[float64] { return numbers }, steps)
	c.Algorithm = Ascent
	f.Add("classes by ascent", func(testing.TB) Problem[float64] { return classes }, c)
	f.Add("numbers on a kernel", func(testing.TB) Problem[float64] { return gaussian(t, numbers) }, c)
	for _, algorithm := range []Algorithm{Ascent, Newton} {
		c.Offset, c.Algorithm = true, algorithm
		name := "with an offset by " + algorithm.String()
		f.Add("classes "+name, func(testing.TB) Problem[float64] { return classes }, c)
		f.Add("numbers "+name, func(testing.TB) Problem[float64] { return numbers }, c)
		c.Loss = Logistic
		f.Add("logistic "+name, func(testing.TB) Problem[float64] { return classes }, c)
		c.Loss = Default
	}
	c.Algorithm = Automatic
	f.Add("classes with an offset on a kernel", func(testing.TB) Problem[float64] { return gaussian(t, classes) }, c)
	f.Run(t)
}

// TestOneClassPath: the same of paths over Nu.
func TestOneClassPath(t *testing.T) {
	nus := []float64{.8, .4, .1}
	x, _, _ := drawn[float64](rand.New(rand.NewPCG(67, 68)), 60, 4)
	p := Problem[float64]{X: x, OneClass: true}
	for i := range x.Rows {
		x.Row(i)[0] += 4 // 0 is outside
		p.Weights = append(p.Weights, float64(1+(1+7*i)%5)/2)
	}
	f := familytest.Paths[Problem[float64], Config, *Result[float64]]{
		Family: trainings[float64]{Name: "svm", Honest: honest[float64]},
		Path: func(ctx context.Context, p Problem[float64], c Config, cv solvers.CrossValidation) (any, error) {
			return p.Path(ctx, c, PathConfig{Nus: nus, CrossValidation: cv})
		},
		PathFold: func(ctx context.Context, p Problem[float64], c Config, cv solvers.CrossValidation, which int) (any,
			error) {
			return p.PathFold(ctx, c, PathConfig{Nus: nus, CrossValidation: cv}, which)
		},
		At: func(c *Config, point int) { c.Nu = nus[point] },
	}
	c := Config{Tol: 1e-8, Epochs: 1 << 20}
	f.Add("features", func(testing.TB) Problem[float64] { return p }, c)
	f.Add("kernel", func(testing.TB) Problem[float64] { return gaussian(t, p) }, c)
	f.Run(t)
}

// TestOtherTargets: a state is of the targets that it was saved with.
func TestOtherTargets(t *testing.T) {
	x, _, targets := drawn[float64](rand.New(rand.NewPCG(65, 66)), 30, 4)
	var state []byte
	c := Config{Epochs: 1, Tol: 1e-9}
	c.Checkpoint.Save = func(write func(w io.Writer) error) error {
		var b bytes.Buffer
		err := write(&b)
		state = b.Bytes()
		return err
	}
	if _, err := Regress(context.Background(), x, targets, c); err != nil {
		t.Fatal(err)
	}
	p := Problem[float64]{X: x, Targets: append([]float64{targets[0] + 1e-12}, targets[1:]...)}
	_, err := p.Resume(context.Background(), bytes.NewReader(state), c)
	contains(t, err, "svm: ", "data")
	p.Targets = targets
	if _, err := p.Resume(context.Background(), bytes.NewReader(state), c); err != nil {
		t.Error(err)
	}
}
