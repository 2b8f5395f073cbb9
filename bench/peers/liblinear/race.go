package main

import (
	"context"
	"math"

	"github.com/dualgap/dualgap/bench/peers/race"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// problem is min 1/2 |W|² + C sum_i loss_i, by one of LIBLINEAR's solvers.
type problem struct {
	name   string
	solver int
	c      float64
	x      *dataset.Dense[float64]
	y      []int
	m      int
}

// race prints one line for each eps.
func (p *problem) race(tolerances []float64, rounds int) error {
	sparse, err := p.x.CSR()
	if err != nil {
		return err
	}
	narrow, err := dataset.ConvertDense[float32](p.x)
	if err != nil {
		return err
	}
	examples := race.NewExamples(sparse)
	defer examples.Free()
	liblinear := func(eps float64) (vec.Matrix[float64], float64, error) {
		seconds, labels, columns := examples.LIBLINEAR(p.solver, p.c, eps, p.y)
		w := vec.NewMatrix[float64](columns.Rows, p.m)
		for j := range w.Rows {
			for c, v := range columns.Row(j) {
				w.Row(j)[labels[c]] = v
			}
		}
		return w, seconds, nil
	}
	l := race.Linear{Name: p.name, X: sparse, C: p.c, Loss: p.loss}
	single, double := train[float32](p, narrow), train[float64](p, p.x)
	if p.solver != race.CrammerSinger {
		l.Loss, single, double = p.logistic, trainLogistic[float32](p, narrow), trainLogistic[float64](p, p.x)
	}
	for _, eps := range tolerances {
		if err := l.Print(eps, rounds, liblinear, single, double); err != nil {
			return err
		}
	}
	return nil
}

// train returns the training of ours.
func train[T vec.Float](p *problem, x design.Matrix[T]) race.Train {
	return func(gap float64) (vec.Matrix[float64], float64, error) {
		c := topk.Config{Lambda: 1 / (p.c * float64(p.x.Rows)), Tol: gap, Epochs: 1 << 20, Classes: p.m, Workers: 1}
		start := race.CPUSeconds()
		r, err := topk.Fit(context.Background(), x, p.y, c)
		seconds := race.CPUSeconds() - start
		if err != nil {
			return vec.Matrix[float64]{}, 0, err
		}
		return race.Weights(r.Linear), seconds, nil
	}
}

// trainLogistic returns the training of ours by the logistic loss of each class.
func trainLogistic[T vec.Float](p *problem, x design.Matrix[T]) race.Train {
	return func(gap float64) (vec.Matrix[float64], float64, error) {
		c := m3l.Config{C: p.c, Loss: m3l.Logistic, Tol: gap, Epochs: 1 << 20, Labels: p.m, Workers: 1}
		start := race.CPUSeconds()
		r, err := m3l.OneVsAll(context.Background(), x, p.y, c)
		seconds := race.CPUSeconds() - start
		if err != nil {
			return vec.Matrix[float64]{}, 0, err
		}
		return race.Weights(r.Linear), seconds, nil
	}
}

// logistic is the logistic loss of one class against all others, of all classes.
func (p *problem) logistic(i int, s []float64) (sum float64) {
	s[p.y[i]] = -s[p.y[i]]
	for _, v := range s {
		sum += max(0, v) + math.Log1p(math.Exp(-math.Abs(v)))
	}
	return sum
}

// loss is the loss of Crammer and Singer.
func (p *problem) loss(i int, s []float64) float64 {
	loss := 0.0
	for c, v := range s {
		if c != p.y[i] {
			loss = max(loss, 1+v-s[p.y[i]])
		}
	}
	return loss
}
