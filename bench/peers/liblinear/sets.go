package main

import (
	"math"
	"math/rand/v2"
	"path/filepath"

	"github.com/dualgap/dualgap/bench/peers/race"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/vec"
)

// sets are the problems, with C, and C of the logistic loss.
var sets = []struct {
	name     string
	c        float64
	logistic float64
	open     func(data string) (*problem, error)
}{
	{"mnist10k/n=8000/d=784/m=10", .01, .1, mnist},
	{"letters/n=16000/d=17/m=26", 1, 1, letters},
	{"silhouettes/n=4100/d=784/m=101", .01, .1, silhouettes},
	{"fashion3k/n=3000/d=784/m=10", .01, .1, fashion},
}

// raced is a problem by one of LIBLINEAR's solvers.
type raced struct {
	name   string
	solver int
	c      float64
	open   func(data string) (*problem, error)
}

// races are all problems by the solver of Crammer and Singer, and by logistic regression at the C of its own.
func races() (all []raced) {
	for _, s := range sets {
		all = append(all, raced{s.name, race.CrammerSinger, s.c, s.open})
	}
	for _, s := range sets {
		all = append(all, raced{s.name + "/s=7", race.Logistic, s.logistic, s.open},
			raced{s.name + "/s=0", race.LogisticNewton, s.logistic, s.open})
	}
	return all
}

// defaults are the tolerances of each solver: LIBLINEAR's default, and a smaller one.
var defaults = map[int][]float64{
	race.CrammerSinger: {.1, .001}, race.Logistic: {.1, .01}, race.LogisticNewton: {.01, .001},
}

func fashion(string) (*problem, error) {
	train, _ := samples.FashionMNIST[float64]()
	return &problem{x: train.X, y: train.Y, m: 10}, nil
}

// mnist are the first 8000 of MNIST's test images.
func mnist(data string) (*problem, error) {
	file := func(name string) string { return filepath.Join(data, "mnist", name) }
	set, err := dataset.OpenIDX[float64](file("t10k-images-idx3-ubyte.gz"), file("t10k-labels-idx1-ubyte.gz"),
		dataset.IDXOptions{Scale: 1.0 / 255})
	if err != nil {
		return nil, err
	}
	const n = 8000
	return &problem{x: &dataset.Dense[float64]{Matrix: set.X.Slice(0, n, 0, set.X.Cols)}, y: set.Y[:n], m: 10}, nil
}

func silhouettes(data string) (*problem, error) {
	set, err := dataset.OpenLIBSVM[float64](filepath.Join(data, "caltech101-silhouettes28-train.svm.gz"),
		dataset.LIBSVMOptions{})
	if err != nil {
		return nil, err
	}
	x, err := set.X.Dense()
	return &problem{x: x, y: set.Y, m: 101}, err
}

// letters draws examples of the shape and the difficulty of the Letter set of UCI: 26 classes that overlap, 16 integers
// from 0 to 15 scaled to [-1,1], and a constant.
func letters(string) (*problem, error) {
	const n, d, m = 16000, 16, 26
	rng := rand.New(rand.NewPCG(42, 1))
	var mean [m][d]float64
	for c := range mean {
		for j := range d {
			mean[c][j] = 7 + 1.9*rng.NormFloat64()
		}
	}
	x, y := vec.NewMatrix[float64](n, d+1), make([]int, n)
	for i := range n {
		y[i] = rng.IntN(m)
		common := rng.NormFloat64()
		for j := range d {
			v := math.Round(mean[y[i]][j] + 2*rng.NormFloat64() + common)
			x.Row(i)[j] = (min(15, max(0, v)) - 7.5) / 7.5
		}
		x.Row(i)[d] = 1
	}
	return &problem{x: &dataset.Dense[float64]{Matrix: x}, y: y, m: m}, nil
}
