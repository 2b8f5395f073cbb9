package toprank

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/solvers/papers/ranking"
)

// turns is how many times the loops of Table 4 are timed. In between the method evaluates its objectives, which takes
// long where there are many examples.
func turns(n int) int {
	if n > 5000 {
		return 2
	}
	return 10
}

// table4 prints the time of a repeat loop of Algorithm 3.1 with a random k, the rows of K being in memory.
func (c *command) table4(ctx context.Context) error {
	var columns []report.Column
	for _, f := range families {
		columns = append(columns, report.Column{Name: methods[f].name, Digits: 4, Spread: true})
	}
	for _, name := range []string{"ns TopPush", "ns TopPushK", "ns Pat&Mat"} {
		columns = append(columns, report.Column{Name: name, Digits: 2})
	}
	t, err := c.Begin(report.Table{
		Name: "toprank-table4", Rows: "set", Columns: columns,
		Title: fmt.Sprintf("Table 4: milliseconds of one repeat loop of Algorithm 3.1, C = 1, Gaussian kernel of "+
			"sigma %v,\n"+
			"%d loops, rows of K in memory; and ns for each of its n candidate steps, where the paper says 170 to 310",
			figureGamma, c.loops),
	})
	if err != nil {
		return err
	}
	sets := c.sets
	if c.images != nil {
		sets = append(sets[:len(sets)-1:len(sets)-1], *c.images)
	}
	for _, s := range sets {
		parts, err := s.split(c.seed)
		if err == nil {
			parts, err = parts.standardized()
		}
		if err != nil {
			return err
		}
		n := min(len(parts.train.positive), int(math.Sqrt(c.memory*1e9/4)))
		p := parts.train.first(n).ordered()
		cells := make([]report.Cell, 2*len(families))
		k, err := kernel.New[float32](p.x, kernel.Gaussian{Gamma: figureGamma}, math.MaxInt64) // all rows
		if err != nil {
			return err
		}
		c.Bar.Show(0, fmt.Sprintf("%s, kernel matrix of %d examples", s.name, n))
		k.Fill(0)
		for j, f := range families {
			c.Bar.Show(float64(j)/float64(len(families)), fmt.Sprintf("%s, %s", s.name, methods[f].name))
			times, err := c.loopTimes(ctx, f, k, p.positive)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", s.name, methods[f].name, err)
			}
			cells[j] = report.Mean(times)
			if float64(n) == printedSets[s.name][0] {
				cells[j] = cells[j].Beside(printedTimes[s.name][j])
			}
			cells[len(families)+j] = report.Number(1e6 * cells[j].Mean() / float64(n))
		}
		if err := t.Row(fmt.Sprintf("%s, n = %d", s.name, n), cells...); err != nil {
			return err
		}
	}
	return t.End("The paper's are of 50000 images of Fashion-MNIST, with K on a disk: 17.16, 15.95 and 15.54 ms.")
}

// loopTimes returns milliseconds of a repeat loop of a method, as often as they are timed.
func (c *command) loopTimes(ctx context.Context, f int, k *kernel.Matrix[float32], positive []bool) (times []float64,
	err error) {
	r, err := ranking.Pairs(ctx, k, lossesOf(methods[f].config, positive),
		ranking.Options{Options: papers.Options{Steps: c.loops, Every: max(1, c.loops/turns(len(positive)))}})
	if err != nil {
		return nil, err
	}
	for i, step := range r.Steps[1:] {
		loops := step.Steps - r.Steps[i].Steps
		times = append(times, 1e3*(step.Elapsed-r.Steps[i].Elapsed).Seconds()/float64(loops))
	}
	return times, nil
}
