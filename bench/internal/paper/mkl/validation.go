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

// validation prints the accuracies where C is chosen by cross-validation on the training images, for the average kernel
// and each p.
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
	row := func(name string, q *cues, p float64) error {
		problem, err := q.problem()
		if err != nil {
			return err
		}
		config := c.config(q, p, 0)
		config.Tol, config.Workers = coarse, c.workers
		config.Progress = c.Bar.Training(name+", cross-validation", coarse)
		points, err := problem.Path(ctx, config,
			mkl.PathConfig{Cs: costs, CrossValidation: solvers.CrossValidation{Folds: folds}})
		if err != nil {
			return err
		}
		best := points[solvers.Best(points, 0)]
		_, s, err := c.train(ctx, q, c.config(q, p, best.C))
		if err != nil {
			return err
		}
		return t.Row(name, append([]report.Cell{report.Number(best.C), report.Number(100 * best.Measures[0].Mean)},
			s.cells()...)...)
	}
	if err := row("average of all", mean, 2); err != nil { // of one kernel the norm is the same for each p
		return err
	}
	for _, p := range norms {
		if err := row(fmt.Sprintf("p = %v", p), q, p); err != nil {
			return err
		}
	}
	return t.End()
}
