package mkl

import (
	"context"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/mkl"
)

// folds of the cross-validation that chooses C, whose trainings end at a gap of coarse.
const (
	folds  = 3
	coarse = 1e-2
)

// candidate is a p with the C that cross-validation chose for it.
type candidate struct {
	p, c  float64
	valid float64 // part of the images that are right
	test  score   // of the model of all training images
}

// validation prints the accuracies where C is chosen by cross-validation on the training images, for the average kernel
// and each p, and where p is chosen so, too.
func (c *command) validation(ctx context.Context) error {
	q, err := c.source.seven(false)
	if err != nil {
		return err
	}
	mean, err := q.average()
	if err != nil {
		return err
	}
	t, err := c.Begin(report.Table{
		Name: "mkl-validation-" + q.file, Rows: "kernels",
		Title: fmt.Sprintf("%s, C of %v by cross-validation in %d folds, trained to a gap of %v there:\n"+
			"test accuracy %% and seconds of the last training",
			q.set, costs, folds, coarse),
		Columns: slices.Concat(numbers(0, "C"), numbers(2, "validation", "overall", "mean class", "seconds")),
	})
	if err != nil {
		return err
	}
	row := func(name string, q *cues, p float64) (candidate, error) {
		k, err := c.candidate(ctx, name, q, p)
		if err != nil {
			return k, err
		}
		return k, t.Row(name, k.cells()...)
	}
	if _, err := row("average of all", mean, 2); err != nil { // of one kernel the norm is the same for each p
		return err
	}
	var all []candidate
	for _, p := range norms {
		k, err := row(fmt.Sprintf("p = %v", p), q, p)
		if err != nil {
			return err
		}
		all = append(all, k)
	}
	chosen, best := choose(all)
	if err := t.Row("p by validation", chosen.cells()...); err != nil {
		return err
	}
	return t.End(fmt.Sprintf("p = %v by cross-validation has %.2f %% right, the best in hindsight, p = %v, %.2f %%",
		chosen.p, chosen.test.overall, best.p, best.test.overall))
}

// candidate chooses C for a p, and trains with both on all training images.
func (c *command) candidate(ctx context.Context, name string, q *cues, p float64) (k candidate, err error) {
	problem, err := q.problem()
	if err != nil {
		return k, err
	}
	config := c.config(q, p, 0)
	config.Tol, config.Workers = coarse, c.workers
	config.Progress = c.Bar.Training(name+", cross-validation", coarse)
	points, err := problem.Path(ctx, config,
		mkl.PathConfig{Cs: costs, CrossValidation: solvers.CrossValidation{Folds: folds}})
	if err != nil {
		return k, err
	}
	best := points[solvers.Best(points, 0)]
	k = candidate{p: p, c: best.C, valid: best.Measures[0].Mean}
	_, k.test, err = c.train(ctx, q, c.config(q, p, best.C))
	return k, err
}

func (k candidate) cells() []report.Cell {
	return append([]report.Cell{report.Number(k.c), report.Number(100 * k.valid)}, k.test.cells()...)
}

// choose returns the candidate with the best validation, and the one with the best test, the first of equal ones.
func choose(all []candidate) (chosen, best candidate) {
	chosen, best = all[0], all[0]
	for _, k := range all[1:] {
		if k.valid > chosen.valid {
			chosen = k
		}
		if k.test.overall > best.test.overall {
			best = k
		}
	}
	return chosen, best
}
