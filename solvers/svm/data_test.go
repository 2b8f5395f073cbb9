package svm

import (
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// drawn draws n examples of d features, and what a linear model makes of them with noise: a class and a target each.
func drawn[T vec.Float](rng *rand.Rand, n, d int) (x *dataset.Dense[T], y []int, targets []float64) {
	teacher := make([]float64, d)
	for j := range teacher {
		teacher[j] = rng.NormFloat64()
	}
	x, y, targets = &dataset.Dense[T]{Matrix: vec.NewMatrix[T](n, d)}, make([]int, n), make([]float64, n)
	for i := range n {
		for j := range d {
			v := rng.NormFloat64()
			x.Row(i)[j] = T(v)
			targets[i] += v * teacher[j]
		}
		targets[i] += .3 * rng.NormFloat64()
		if targets[i] > 0 {
			y[i] = 1
		}
	}
	return x, y, targets
}

// thin returns x, sparse, with zeros in place of all numbers but about one of every.
func thin[T vec.Float](t testing.TB, rng *rand.Rand, x *dataset.Dense[T], every int) *dataset.CSR[T] {
	t.Helper()
	thinned := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](x.Rows, x.Cols)}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if rng.IntN(every) == 0 {
				thinned.Row(i)[j] = v
			}
		}
	}
	sparse, err := thinned.CSR()
	if err != nil {
		t.Fatal(err)
	}
	return sparse
}

// aside returns x plus 1: without the origin, at which one class has w = 0.
func aside[T vec.Float](x *dataset.Dense[T]) *dataset.Dense[T] {
	y := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](x.Rows, x.Cols)}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			y.Row(i)[j] = v + 1
		}
	}
	return y
}

// gaussian returns p on a Gaussian kernel.
func gaussian[T vec.Float](t testing.TB, p Problem[T]) Problem[T] {
	p.X, p.Kernel = nil, familytest.Kernel[T](t, p.X, kernel.Gaussian{Gamma: .1})
	return p
}

// of returns p with the classes or the targets that the loss is of.
func (p Problem[T]) of(l Loss, y []int, targets []float64) Problem[T] {
	switch {
	case l == single:
		p.OneClass = true
	case l.ofTargets():
		p.Targets = targets
	default:
		p.Y = y
	}
	return p
}

// single stands for one class, whose Config has no loss.
const single Loss = -1

var losses = []Loss{Hinge, SquaredHinge, Insensitive, SquaredInsensitive, Logistic}
