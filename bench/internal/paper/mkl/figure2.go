package mkl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/solvers/mkl"
)

// figure2 repeats the left and the middle part of Figure 2; the right part comes with Figure 3.
func (c *command) figure2(ctx context.Context) error {
	q, err := c.source.four()
	if err != nil {
		return err
	}
	if err := c.levels(ctx, q); err != nil {
		return err
	}
	if q, err = c.source.seven(true); err != nil {
		return err
	}
	return c.middle(ctx, q)
}

// levels draws, for each p, the accuracy against time on the four levels of PHOG: the accuracy of the paper's stages,
// of which the first point is the online stage alone, and of Fit to some tolerances. A table has the weights of the
// levels.
func (c *command) levels(ctx context.Context, q *cues) error {
	t, err := c.Begin(report.Table{
		Name: "mkl-figure2-left-table-" + q.file, Rows: "p",
		Title: fmt.Sprintf("Figure 2, left, %s, %d kernels, C = %v: test accuracy %% and seconds of one pass\n"+
			"of the online stage, and of Fit to a gap of %v; shares of the kernels", q.set, len(q.names), c.cost,
			c.tol),
		Columns: slices.Concat(numbers(2, "online"), numbers(3, "seconds"), numbers(2, "Fit", "mean class", "seconds"),
			numbers(3, q.names...)),
	})
	if err != nil {
		return err
	}
	var pictures [2]chart.Chart
	for k, name := range []string{"the paper's stages", "Fit"} {
		pictures[k] = chart.Chart{Title: fmt.Sprintf("Figure 2, left, %s, C = %v: %s", q.set, c.cost, name),
			X: "seconds",
			Y: "test accuracy %", LinearY: true}
	}
	var all []level
	for _, p := range norms {
		l, err := c.level(ctx, q, p)
		if err != nil {
			return err
		}
		for k := range pictures {
			pictures[k].Lines = append(pictures[k].Lines, l.lines[k])
		}
		if err := t.Row(fmt.Sprint(p), l.cells()...); err != nil {
			return err
		}
		all = append(all, l)
	}
	if err := t.End("the paper: best p 1.10 to 1.25; at the smallest p three of four weights approach 0"); err != nil {
		return err
	}
	for k, name := range []string{"stages", "fit"} {
		if err := c.Figure("mkl-figure2-left-"+name+"-"+q.file, pictures[k]); err != nil {
			return err
		}
	}
	if err := c.levelClaims(all); err != nil || !c.checked {
		return err
	}
	return c.levelTargets(all)
}

// level is what one p comes to: the stages and Fit, and the accuracies of both against time.
type level struct {
	online, fit score   // after one pass of the online stage, and at the smallest gap
	last        float64 // seconds of both stages, with most passes
	shares      []float64
	lines       [2]chart.Line // of the stages, of Fit
}

func (c *command) level(ctx context.Context, q *cues, p float64) (l level, err error) {
	config := c.config(q, p, c.cost)
	for k, passes := range []int{0, 2, 10} {
		_, s, err := c.staged(ctx, q, config, 1, passes)
		if err != nil {
			return l, err
		}
		if k == 0 {
			l.online = s
		}
		l.last = s.seconds
		l.lines[0].X, l.lines[0].Y = append(l.lines[0].X, s.seconds), append(l.lines[0].Y, s.overall)
	}
	var r *mkl.Result[float32]
	for _, tol := range []float64{100 * c.tol, 10 * c.tol, c.tol} {
		if config.Tol = tol; tol >= 1 {
			continue
		}
		if r, l.fit, err = c.train(ctx, q, config); err != nil {
			return l, err
		}
		l.lines[1].X, l.lines[1].Y = append(l.lines[1].X, l.fit.seconds), append(l.lines[1].Y, l.fit.overall)
	}
	for k := range l.lines {
		l.lines[k].Name = fmt.Sprintf("p = %v", p)
	}
	l.shares = r.Shares
	return l, nil
}

func (l level) cells() []report.Cell {
	cells := []report.Cell{report.Number(l.online.overall), report.Number(l.online.seconds),
		report.Number(l.fit.overall), report.Number(l.fit.mean), report.Number(l.fit.seconds)}
	for _, v := range l.shares {
		cells = append(cells, report.Number(v))
	}
	return cells
}

// levelTargets prints what is asked of the shares at the smallest p, and of the best p.
func (c *command) levelTargets(all []level) error {
	var fits []score
	for _, l := range all {
		fits = append(fits, l.fit)
	}
	place, _ := extremes(fits)
	first, best, accuracy := all[0].shares, norms[place], fits[place].overall
	others := slices.Max(first[:len(first)-1])
	if err := c.Target(first[len(first)-1] >= .8 && others <= .15,
		"p = 1.01: share of the finest level at least .8, of each other at most .15",
		"%.3f, at most %.3f", first[len(first)-1], others); err != nil {
		return err
	}
	return c.Target(best == 1.1 || best == 1.25, "best p 1.1 or 1.25", "%v, %.2f %%", best, accuracy)
}

// middle draws the accuracy of the paper's stages against passes over the data, for several numbers of kernels drawn
// from all. A table has how many steps of the online passes moved, which Theorem 2 bounds by what falls with the number
// of kernels.
func (c *command) middle(ctx context.Context, q *cues) error {
	config := c.config(q, norms[0], c.cost)
	picture := chart.Chart{
		Title: fmt.Sprintf("Figure 2, middle, %s: kernels drawn from %d, p = %v, C = %v", q.set, len(q.names), config.P,
			config.C),
		X: "passes", Y: "test accuracy %", LinearX: true, LinearY: true,
	}
	t, err := c.Begin(report.Table{
		Name: "mkl-figure2-middle-table-" + q.file, Rows: "kernels",
		Title: picture.Title + fmt.Sprintf(", %d draws:\n"+
			"part of the steps of the first and of the fifth online pass that moved; test accuracy %% after these",
			c.draws),
		Columns: spreads("first", "fifth", "accuracy"),
	})
	if err != nil {
		return err
	}
	for _, count := range counts(len(q.names)) {
		line, cells, err := c.drawn(ctx, q, config, count)
		if err != nil {
			return err
		}
		picture.Lines = append(picture.Lines, line)
		if err := t.Row(fmt.Sprint(count), cells...); err != nil {
			return err
		}
	}
	if err := t.End(); err != nil {
		return err
	}
	if err := c.Figure("mkl-figure2-middle-"+q.file, picture); err != nil {
		return err
	}
	few, all := picture.Lines[0], picture.Lines[len(picture.Lines)-1]
	passes := math.Inf(1) // that all kernels take to the last accuracy of few
	for k, v := range all.Y {
		if v >= few.Y[len(few.Y)-1] {
			passes = min(passes, all.X[k])
		}
	}
	return c.Claim(passes < few.X[len(few.X)-1], "Figure 2, middle", "more kernels take fewer passes to an accuracy",
		"%.1f %% after %v passes with %s, at most %v with all",
		few.Y[len(few.Y)-1], few.X[len(few.X)-1], few.Name, passes)
}

// drawn returns the accuracies after some passes with kernels drawn from all, and the row of the table.
func (c *command) drawn(ctx context.Context, q *cues, config mkl.Config, count int) (chart.Line, []report.Cell, error) {
	draws := c.draws
	if count == len(q.names) {
		draws = 1
	}
	line := chart.Line{Name: fmt.Sprintf("%d kernels", count), X: []float64{1, 3, 8}, Y: make([]float64, 3)}
	var moves [2][]float64
	var accuracy []float64
	for draw := range draws {
		some := q.only(rand.New(rand.NewPCG(c.seed+uint64(draw), 2)).Perm(len(q.names))[:count]...)
		for k, passes := range line.X {
			_, s, err := c.staged(ctx, some, config, 1, int(passes)-1)
			if err != nil {
				return line, nil, err
			}
			line.Y[k] += s.overall / float64(draws)
		}
		history, s, err := c.staged(ctx, some, config, 5, 0)
		if err != nil {
			return line, nil, err
		}
		n := float64(len(q.y))
		moves[0] = append(moves[0], float64(history[0].Count)/n)
		moves[1] = append(moves[1], float64(history[4].Count-history[3].Count)/n)
		accuracy = append(accuracy, s.overall)
	}
	return line, []report.Cell{report.Mean(moves[0]), report.Mean(moves[1]), report.Mean(accuracy)}, nil
}

// counts are the numbers of kernels that are compared, up to all.
func counts(all int) (counts []int) {
	for n := 2; n < all; n *= 2 {
		counts = append(counts, n)
	}
	return append(counts, all)
}
