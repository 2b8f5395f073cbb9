package main

import (
	"context"
	"math"

	"github.com/dualgap/dualgap/bench/peers/race"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// linearRace prints a line for each eps.
func (p *problem) linearRace(solver, rounds int) error {
	narrow, err := dataset.ConvertCSR[float32](p.train.x)
	if err != nil {
		return err
	}
	examples := race.NewExamples(p.train.x)
	defer examples.Free()
	liblinear := func(eps float64) (vec.Matrix[float64], float64, error) {
		w, seconds := p.liblinear(examples, solver, eps)
		return w, seconds, nil
	}
	l := race.Linear{Name: p.name, X: p.train.x, C: cost, Loss: p.loss(solver)}
	single, double := trainLinear[float32](p, narrow, solver), trainLinear[float64](p, p.train.x, solver)
	tolerances := []float64{.1, .01}
	if solver == race.LogisticNewton { // whose default is .01
		tolerances = []float64{.01, .001}
	}
	for _, eps := range tolerances {
		if err := l.Print(eps, rounds, liblinear, single, double); err != nil {
			return err
		}
	}
	return nil
}

// liblinear trains it label by label.
func (p *problem) liblinear(examples *race.Examples, solver int, eps float64) (w vec.Matrix[float64], seconds float64) {
	w = vec.NewMatrix[float64](p.train.x.Cols, p.labels)
	for l := range p.labels {
		took, first, column := examples.LIBLINEAR(solver, cost, eps, p.signs(l))
		for j, v := range column.Data {
			w.Row(j)[l] = float64(first[0]) * v // the score of a label that no example has speaks for -1
		}
		seconds += took
		progress("LIBLINEAR", l+1, p.labels, seconds)
	}
	return w, seconds
}

// trainLinear returns the training of ours.
func trainLinear[T vec.Float](p *problem, x design.Matrix[T], solver int) race.Train {
	loss := m3l.Hinge
	switch solver {
	case race.SquaredHinge:
		loss = m3l.SquaredHinge
	case race.Logistic, race.LogisticNewton:
		loss = m3l.Logistic
	}
	return func(gap float64) (vec.Matrix[float64], float64, error) {
		c := m3l.Config{C: cost, Loss: loss, Labels: p.labels, Tol: gap, Epochs: 1 << 20, Workers: 1}
		start := race.CPUSeconds()
		r, err := m3l.Fit(context.Background(), x, p.train.sets, c)
		seconds := race.CPUSeconds() - start
		if err != nil {
			return vec.Matrix[float64]{}, 0, err
		}
		return race.Weights(r.Linear), seconds, nil
	}
}

// loss returns the loss of an example over all labels.
func (p *problem) loss(solver int) func(i int, scores []float64) float64 {
	return func(i int, scores []float64) (sum float64) {
		for _, l := range p.train.sets[i] {
			scores[l] = -scores[l]
		}
		for _, s := range scores {
			h := max(0, 1+s)
			switch solver {
			case race.SquaredHinge:
				h *= h
			case race.Logistic, race.LogisticNewton:
				h = max(0, s) + math.Log1p(math.Exp(-math.Abs(s)))
			}
			sum += h
		}
		return sum
	}
}
