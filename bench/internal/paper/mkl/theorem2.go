package mkl

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/solvers/papers/obscure"
)

// separating is the C of the training that finds the u of Theorem 2, onlinePasses how many passes of the online stage
// may find no end.
const (
	separating   = 1000
	onlinePasses = 100
)

// theorem2 prints Theorem 2's bounds beside what is measured: how often the online stage moves theta until a whole pass
// leaves it alone, and the R there. They need a u that separates the training images: the w of Fit with a large C, over
// its least margin. A u with a smaller norm would make them smaller.
func (c *command) theorem2(ctx context.Context) error {
	q, err := c.source.seven(false)
	if err != nil {
		return err
	}
	t, err := c.Begin(report.Table{
		Name: "mkl-theorem2-" + q.file, Rows: "p, kernels",
		Title: fmt.Sprintf("Theorem 2, %s, the first kernels, eta = 2, at most %d passes of the online stage:\n"+
			"|u| of what separates the training images, from Fit with C = %v; measured, and the bound",
			q.set, onlinePasses, separating),
		Columns: slices.Concat(numbers(1, "|u|"), numbers(0, "passes", "moves", "bound"),
			numbers(1, "R", "bound of R")),
	})
	if err != nil {
		return err
	}
	var found theorem2Rows
	for _, p := range []float64{1.05, 1.5, 2} {
		for _, count := range counts(len(q.names)) {
			r, err := c.theorem2Row(ctx, q, p, count)
			if err != nil {
				return err
			}
			found = append(found, r)
			if err := t.Row(fmt.Sprintf("p = %v, F = %d", p, count), r.cells()...); err != nil {
				return err
			}
		}
	}
	if err := t.End("no bound: Fit's w does not separate them; no moves: the online stage did not end"); err != nil {
		return err
	}
	return found.print(c)
}

// theorem2Row is what is measured with some kernels. Bounds are +Inf where nothing separates the images.
type theorem2Row struct {
	norm, moves, r     float64 // |u|, and the bounds
	measured, measureR float64
	passes             int
	ended              bool
}

func (c *command) theorem2Row(ctx context.Context, q *cues, p float64, count int) (r theorem2Row, err error) {
	some := make([]int, count)
	for j := range some {
		some[j] = j
	}
	part := q.only(some...)
	config := c.config(part, p, separating)
	best, _, err := c.train(ctx, part, config)
	if err != nil {
		return r, err
	}
	b, err := part.bundle()
	if err != nil {
		return r, err
	}
	problem := stagesOf(b, part.y, config)
	if r.norm, err = problem.Separation(best.Eta, best.Duals, c.workers); err != nil {
		return r, err
	}
	r.moves, r.r = problem.Theorem2(2, r.norm)
	for r.passes = 5; ; r.passes = min(2*r.passes, onlinePasses) { // again from the start: the stage returns no state
		n := len(part.y)
		end, err := obscure.Solve(ctx, problem, obscure.Options{Options: papers.Options{Every: n}, Online: r.passes,
			Eta: 2, Seed: c.seed, Workers: c.workers})
		if err != nil {
			return r, err
		}
		last, before := end.Last(), end.Steps[len(end.Steps)-2]
		r.measured, r.measureR, r.ended = float64(last.Count), end.R, last.Count == before.Count
		if r.ended || r.passes == onlinePasses {
			return r, nil
		}
	}
}

func (r theorem2Row) cells() []report.Cell {
	cells := make([]report.Cell, 6)
	cells[1] = report.Number(float64(r.passes))
	if !math.IsInf(r.norm, 1) {
		cells[0], cells[3], cells[5] = report.Number(r.norm), report.Number(r.moves), report.Number(r.r)
	}
	if r.ended {
		cells[2], cells[4] = report.Number(r.measured), report.Number(r.measureR)
	}
	return cells
}

type theorem2Rows []theorem2Row

// print tells whether the bounds hold, where there are any. A stage that has not ended has moved less often than it
// will, and its R is none of the theorem's.
func (rows theorem2Rows) print(c *command) error {
	bounded, ended, held, largest := 0, 0, true, 0.0
	for _, r := range rows {
		if math.IsInf(r.norm, 1) {
			continue
		}
		bounded++
		held = held && r.measured < r.moves && (!r.ended || r.measureR < r.r)
		if r.ended {
			ended++
			largest = max(largest, r.measured/r.moves)
		}
	}
	return c.Claim(held, "Theorem 2", "fewer moves than its bound, and a smaller R",
		"%d of %d rows with a bound, %d ended, at most %.3g of the bound", bounded, len(rows), ended, largest)
}
