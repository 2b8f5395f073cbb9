package main

import (
	"context"
	"math"
	"path/filepath"
	"slices"

	"github.com/dualgap/dualgap/bench/peers/race"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/l1"
	"github.com/dualgap/dualgap/vec"
)

// sparseProblem is min |W|_1 + C sum_i loss_i, one against all, of two classes with one vector.
type sparseProblem struct {
	x       *dataset.CSR[float64]
	y       []int
	classes int
}

// sparseSets are the problems with L1 regularization, with C.
var sparseSets = []struct {
	name string
	c    float64
	open func(data string) (*sparseProblem, error)
}{
	{"spambase/n=4601/d=57", 1, spambase},
	{"spambase/n=4601/d=57", 100, spambase},
	{"rcv1sub1/n=6000/d=47236", 1, labelOf("rcv1sub1.mlsvm.gz")},
	{"rcv1sub1/n=6000/d=47236", 10, labelOf("rcv1sub1.mlsvm.gz")},
	{"tmc2007-500/n=21519/d=500", 1, labelOf("tmc2007-500-train.mlsvm.gz")},
	{"mnist10k/n=8000/d=784/m=10", .1, sparseMNIST},
	{"silhouettes/n=4100/d=784/m=101", .1, sparseSilhouettes},
}

// defaultsL1 are the tolerances of both: LIBLINEAR's default, and a smaller one.
var defaultsL1 = []float64{.01, .001}

// losses of LIBLINEAR's solvers.
var sparseLosses = []struct {
	name   string
	solver int
	loss   l1.Loss
}{
	{"-s 5", race.L1SquaredHinge, l1.SquaredHinge},
	{"-s 6", race.L1Logistic, l1.Logistic},
}

// race prints a line for each loss and eps.
func (p *sparseProblem) race(name string, c float64, tolerances []float64, rounds int) error {
	narrow, err := dataset.ConvertCSR[float32](p.x)
	if err != nil {
		return err
	}
	examples := race.NewExamples(p.x)
	defer examples.Free()
	columns := p.classes
	if columns == 2 {
		columns = 1
	}
	for _, s := range sparseLosses {
		liblinear := func(eps float64) (vec.Matrix[float64], float64, error) {
			seconds, labels, all := examples.LIBLINEAR(s.solver, c, eps, p.y)
			w := vec.NewMatrix[float64](all.Rows, columns)
			for j := range w.Rows {
				for k, v := range all.Row(j) {
					switch {
					case columns > 1:
						w.Row(j)[labels[k]] = v
					case labels[0] == 1:
						w.Row(j)[0] = v
					default:
						w.Row(j)[0] = -v
					}
				}
			}
			return w, seconds, nil
		}
		l := race.Linear{Name: name + " " + s.name, X: p.x, C: c, Penalty: vec.AbsSum[float64],
			Loss: func(i int, scores []float64) (sum float64) {
				for k, v := range scores {
					if p.y[i] != k+first(columns) {
						v = -v
					}
					sum += lossOf(s.loss, v)
				}
				return sum
			}}
		for _, eps := range tolerances {
			if err := l.Print(eps, rounds, liblinear, trainL1[float32](p, narrow, c, s.loss),
				trainL1[float64](p, p.x, c, s.loss)); err != nil {
				return err
			}
		}
	}
	return nil
}

// first is the class of the first column: of two classes there is only class 1's.
func first(columns int) int {
	if columns == 1 {
		return 1
	}
	return 0
}

func lossOf(l l1.Loss, z float64) float64 {
	if l == l1.Logistic {
		return max(0, -z) + math.Log1p(math.Exp(-math.Abs(z)))
	}
	m := max(0, 1-z)
	return m * m
}

func trainL1[T vec.Float](p *sparseProblem, x design.Matrix[T], cost float64, loss l1.Loss) race.Train {
	return func(gap float64) (vec.Matrix[float64], float64, error) {
		c := l1.Config{C: cost, Loss: loss, Tol: gap, Epochs: 1 << 20, Classes: p.classes, Workers: 1}
		start := race.CPUSeconds()
		r, err := l1.Fit(context.Background(), x, p.y, c)
		seconds := race.CPUSeconds() - start
		if err != nil {
			return vec.Matrix[float64]{}, 0, err
		}
		w := race.Weights(r.Model)
		if p.classes == 2 {
			w = w.Slice(0, w.Rows, 1, 2) // class 1's
			w = vec.MatrixOf(w.Rows, 1, column(w))
		}
		return w, seconds, nil
	}
}

// column returns the numbers of the only column of w.
func column(w vec.Matrix[float64]) (all []float64) {
	for j := range w.Rows {
		all = append(all, w.Row(j)[0])
	}
	return all
}

// spambase is scaled to [0, 1], as LIBLINEAR's guide says.
func spambase(string) (*sparseProblem, error) {
	set := samples.Spambase[float64]()
	scaling, err := dataset.MinMax(set.X)
	if err != nil {
		return nil, err
	}
	scaled, err := set.X.Scaled(scaling)
	if err != nil {
		return nil, err
	}
	x, err := scaled.CSR()
	return &sparseProblem{x, set.Y, 2}, err
}

// labelOf opens the examples of a set of labels, of which the most frequent one is class 1.
func labelOf(file string) func(data string) (*sparseProblem, error) {
	return func(data string) (*sparseProblem, error) {
		set, err := dataset.OpenLIBSVM[float64](filepath.Join(data, file), dataset.LIBSVMOptions{Sets: true})
		if err != nil {
			return nil, err
		}
		count := make([]int, len(set.Classes))
		for _, labels := range set.Sets {
			for _, l := range labels {
				count[l]++
			}
		}
		most := 0
		for l, c := range count {
			if c > count[most] {
				most = l
			}
		}
		y := make([]int, len(set.Sets))
		for i, labels := range set.Sets {
			if slices.Contains(labels, most) {
				y[i] = 1
			}
		}
		return &sparseProblem{set.X, y, 2}, nil
	}
}

func sparseMNIST(data string) (*sparseProblem, error)       { return fromDense(mnist(data)) }
func sparseSilhouettes(data string) (*sparseProblem, error) { return fromDense(silhouettes(data)) }

func fromDense(p *problem, err error) (*sparseProblem, error) {
	if err != nil {
		return nil, err
	}
	x, err := p.x.CSR()
	return &sparseProblem{x, p.y, p.m}, err
}
