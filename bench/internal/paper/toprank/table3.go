package toprank

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/bench/internal/report"
)

// protocol is how Table 3 is repeated, for the reader of the table.
const protocol = `Means over the five sets, of Fashion-MNIST the first 3000 training and 1000 test images, pixels / 255.
Each seed splits a set anew, positive examples in proportion: 50%% to train, 25%% to validate, 25%% to test;
of Fashion-MNIST 1000 of the 3000 validate. For each method and kind of kernel the C of %v, and
the Gaussian's sigma of %v, are those with the largest mean of the six precisions on the validation
part. Truncated quadratic, theta 1; trainings end at a certified relative gap of %v.`

// kinds are the kinds of kernels, in rows and titles.
var kinds = [2]string{"linear", "Gaussian"}

// results are precisions in percent by kind of kernel, method, set and seed.
type results struct {
	at              [2][][][][6]float64
	trained, missed int
}

// table3 prints the precisions with standardized features.
func (c *command) table3(ctx context.Context) error {
	return c.precisions(ctx, "toprank-table3", "Table 3, features standardized by the training part", false)
}

// table3raw prints them with features as they are.
func (c *command) table3raw(ctx context.Context) error {
	return c.precisions(ctx, "toprank-table3raw", "Table 3, features as they are", true)
}

func (c *command) precisions(ctx context.Context, name, title string, raw bool) error {
	text := fmt.Sprintf(protocol, costs, gammas, c.tol)
	if err := c.Print("\n%s: test precision %% at a recall, %d split(s).\n%s", title, c.seeds, text); err != nil {
		return err
	}
	r := results{}
	for kind := range r.at {
		r.at[kind] = make([][][][6]float64, len(methods))
		for m := range r.at[kind] {
			r.at[kind][m] = make([][][6]float64, len(c.sets))
		}
	}
	for number := range c.seeds {
		for k, s := range c.sets {
			done := float64(number*len(c.sets)+k) / float64(c.seeds*len(c.sets))
			c.Bar.Show(done, fmt.Sprintf("%s: split %d, %s", title, number+1, s.name))
			if err := c.add(ctx, &r, k, s, c.seed+uint64(number), raw); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	return c.printTable3(r, name, title, text)
}

// add trains on a split of the set number k.
func (c *command) add(ctx context.Context, r *results, k int, s set, seed uint64, raw bool) error {
	parts, err := s.split(seed)
	if err == nil && !raw {
		parts, err = parts.standardized()
	}
	if err != nil {
		return err
	}
	b, err := newBench(parts, gammas, c.tol, 1)
	if err != nil {
		return err
	}
	all, err := b.chooseAll(ctx, c.workers)
	if err != nil {
		return err
	}
	for kind := range all {
		for m, best := range all[kind] {
			r.at[kind][m][k] = append(r.at[kind][m][k], best.precisions)
			r.trained += best.trained
			r.missed += best.missed
		}
	}
	return nil
}

// draws returns the mean over the sets of the precision at recall j, for each seed.
func (r results) draws(kind, m, j int) []float64 {
	sets := r.at[kind][m]
	draws := make([]float64, len(sets[0]))
	for _, seeds := range sets {
		for number, at := range seeds {
			draws[number] += at[j] / float64(len(sets))
		}
	}
	return draws
}

func (c *command) printTable3(r results, name, title, text string) error {
	var columns []report.Column
	for _, recall := range recalls {
		columns = append(columns, report.Column{Name: fmt.Sprint(recall), Digits: 2, Spread: true})
	}
	t, err := c.Begin(report.Table{Name: name, Title: title, About: text, Rows: "precision at recall",
		Columns: columns})
	if err != nil {
		return err
	}
	for kind := range kinds {
		for m, method := range methods {
			cells := make([]report.Cell, len(recalls))
			for j := range cells {
				cells[j] = report.Mean(r.draws(kind, m, j)).Beside(printedPrecisions[kind][m][j])
			}
			if err := t.Row(kinds[kind]+" "+method.name, cells...); err != nil {
				return err
			}
		}
	}
	missed := fmt.Sprintf("%d of %d trainings stopped short of the gap of %v.", r.missed, r.trained, c.tol)
	if err := t.End(append(r.bars(), missed)...); err != nil {
		return err
	}
	return c.printSets(r, name+"-sets", title)
}

// bars are what the table must hold, and whether it does.
func (r results) bars() []string {
	cells, above, within := 0, 0, 0
	worst, ours, theirs := math.Inf(1), 0.0, 0.0
	for m := range methods {
		for j := range recalls {
			gauss := report.Mean(r.draws(1, m, j)).Beside(printedPrecisions[1][m][j])
			cells++
			if gauss.Mean() > report.Mean(r.draws(0, m, j)).Mean() {
				above++
			}
			slack := gauss.Difference() + max(2, 2*gauss.Spread())
			if worst = min(worst, slack); slack >= 0 {
				within++
			}
			ours, theirs = ours+gauss.Mean(), theirs+printedPrecisions[1][m][j]
		}
	}
	n := float64(cells)
	return []string{
		fmt.Sprintf("(a) The Gaussian kernel is above the linear one in %d of %d cells: %s.",
			above, cells, verdict(above == cells)),
		fmt.Sprintf("(b) %d of %d Gaussian cells are at least the paper's less the larger of 2 points and two "+
			"spreads, "+
			"the worst by %+.2f: %s.", within, cells, worst, verdict(within == cells)),
		fmt.Sprintf("(c) The mean of the Gaussian cells is %.2f, the paper's %.2f: %s.",
			ours/n, theirs/n, verdict(ours >= theirs)),
	}
}

func verdict(holds bool) string {
	if holds {
		return "holds"
	}
	return "DOES NOT HOLD"
}

// printSets prints the mean of the six precisions of each set, which the paper does not tell.
func (c *command) printSets(r results, name, title string) error {
	table := report.Table{Name: name, Title: title + ": mean of the six precisions, by set", Rows: "set"}
	for _, s := range c.sets {
		table.Columns = append(table.Columns, report.Column{Name: s.name, Digits: 2, Spread: true})
	}
	t, err := c.Begin(table)
	if err != nil {
		return err
	}
	for kind := range kinds {
		for m, method := range methods {
			var cells []report.Cell
			for _, seeds := range r.at[kind][m] {
				var draws []float64
				for _, at := range seeds {
					draws = append(draws, mean(at))
				}
				cells = append(cells, report.Mean(draws))
			}
			if err := t.Row(kinds[kind]+" "+method.name, cells...); err != nil {
				return err
			}
		}
	}
	return t.End()
}
