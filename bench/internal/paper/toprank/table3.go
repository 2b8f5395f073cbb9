package toprank

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/report"
)

// protocol is how Table 3 is repeated, for the reader of the table.
const protocol = `Means over the five sets, of Fashion-MNIST the first 3000 training and 1000 test images, pixels / 255.
Each seed splits a set anew, positive examples in proportion: 50%% to train, 25%% to validate, 25%% to test;
of Fashion-MNIST 1000 of the 3000 validate. For each method and kind of kernel the C of %v, and
the Gaussian's sigma of %v, are those with the largest mean of the six precisions on the validation
part. Truncated quadratic, theta 1; trainings end at a certified relative gap of %v.`

// stopped is what is said besides where the paper's own method is there.
const stopped = `
The paper trains on features as they are, by %d loops of Algorithm 3.1: rows of that name do so from uniform
variables, in float64, whatever the gap is then. The other rows are of the same splits, trained to the certified gap.`

// kinds are the kinds of kernels, in rows and titles.
var kinds = [2]string{"linear", "Gaussian"}

// results are precisions in percent by kind of kernel, method, set and seed.
type results struct {
	at              [2][][][][6]float64
	gaps            []float64 // relative, of the models that were chosen
	trained, missed int
}

// newResults returns results of a number of sets, of no seed yet.
func newResults(sets int) *results {
	r := new(results)
	for kind := range r.at {
		r.at[kind] = make([][][][6]float64, len(methods))
		for m := range r.at[kind] {
			r.at[kind][m] = make([][][6]float64, sets)
		}
	}
	return r
}

// add adds what was chosen on a split of the set number k.
func (r *results) add(k int, all [2][]chosen) {
	for kind := range all {
		for m, best := range all[kind] {
			r.at[kind][m][k] = append(r.at[kind][m][k], best.precisions)
			r.gaps = append(r.gaps, best.gap)
			r.trained += best.trained
			r.missed += best.missed
		}
	}
}

// table3 prints the precisions with features as they are, of the paper's own method where the paper stops it and of
// certified optima.
func (c *command) table3(ctx context.Context) error {
	title := "Table 3, features as they are"
	text := fmt.Sprintf(protocol, costs, gammas, c.tol) + fmt.Sprintf(stopped, c.loops)
	ours, theirs := newResults(len(c.sets)), newResults(len(c.sets))
	err := c.splits(ctx, title, text, func(k int, parts split) error {
		b, err := newBench(parts, gammas, c.tol, 1)
		if err != nil {
			return err
		}
		all, err := chooseAll(ctx, c.workers, b.choose)
		if err != nil {
			return err
		}
		ours.add(k, all)
		w, err := newStopped(parts, gammas, c.loops, c.tol)
		if err != nil {
			return err
		}
		if all, err = chooseAll(ctx, c.workers, w.choose); err != nil {
			return err
		}
		theirs.add(k, all)
		return nil
	})
	if err != nil {
		return err
	}
	both := []protocolResults{{", Algorithm 3.1", theirs}, {", certified", ours}}
	if err := c.printTable3(both, "toprank-table3", title, text, finding(theirs, ours)...); err != nil {
		return err
	}
	for k, r := range both {
		name := []string{"toprank-table3-stopped-sets", "toprank-table3-sets"}[k]
		if err := c.printSets(r.results, name, title+r.name); err != nil {
			return err
		}
	}
	return nil
}

// table3scaled prints the precisions of certified optima with standardized features.
func (c *command) table3scaled(ctx context.Context) error {
	title := "Table 3, features standardized by the training part"
	text := fmt.Sprintf(protocol, costs, gammas, c.tol)
	r := newResults(len(c.sets))
	err := c.splits(ctx, title, text, func(k int, parts split) error {
		parts, err := parts.standardized()
		if err != nil {
			return err
		}
		b, err := newBench(parts, gammas, c.tol, 1)
		if err != nil {
			return err
		}
		all, err := chooseAll(ctx, c.workers, b.choose)
		if err != nil {
			return err
		}
		r.add(k, all)
		return nil
	})
	if err == nil {
		err = c.printTable3([]protocolResults{{"", r}}, "toprank-table3scaled", title, text)
	}
	if err == nil {
		err = c.printSets(r, "toprank-table3scaled-sets", title)
	}
	return err
}

// splits calls do for each split of each set, number k.
func (c *command) splits(ctx context.Context, title, text string, do func(k int, parts split) error) error {
	if err := c.Print("\n%s: test precision %% at a recall, %d split(s).\n%s", title, c.seeds, text); err != nil {
		return err
	}
	for number := range c.seeds {
		for k, s := range c.sets {
			if err := ctx.Err(); err != nil {
				return err
			}
			done := float64(number*len(c.sets)+k) / float64(c.seeds*len(c.sets))
			c.Bar.Show(done, fmt.Sprintf("%s: split %d, %s", title, number+1, s.name))
			parts, err := s.split(c.seed + uint64(number))
			if err == nil {
				err = do(k, parts)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	return nil
}

// draws returns the mean over the sets of the precision at recall j, for each seed.
func (r *results) draws(kind, m, j int) []float64 {
	sets := r.at[kind][m]
	draws := make([]float64, len(sets[0]))
	for _, seeds := range sets {
		for number, at := range seeds {
			draws[number] += at[j] / float64(len(sets))
		}
	}
	return draws
}

// protocolResults are results and what rows of them are named besides.
type protocolResults struct {
	name string
	*results
}

func (c *command) printTable3(all []protocolResults, name, title, text string, more ...string) error {
	var columns []report.Column
	for _, recall := range recalls {
		columns = append(columns, report.Column{Name: fmt.Sprint(recall), Digits: 2, Spread: true})
	}
	t, err := c.Begin(report.Table{Name: name, Title: title, About: text, Rows: "precision at recall",
		Columns: columns})
	if err != nil {
		return err
	}
	var notes []string
	for _, r := range all {
		for kind := range kinds {
			for m, method := range methods {
				cells := make([]report.Cell, len(recalls))
				for j := range cells {
					cells[j] = report.Mean(r.draws(kind, m, j)).Beside(printedPrecisions[kind][m][j])
				}
				if err := t.Row(kinds[kind]+" "+method.name+r.name, cells...); err != nil {
					return err
				}
			}
		}
		if r.name != "" {
			notes = append(notes, strings.TrimPrefix(r.name, ", ")+":")
		}
		notes = append(append(notes, r.bars()...),
			fmt.Sprintf("%d of %d trainings stopped short of the gap of %v.", r.missed, r.trained, c.tol))
	}
	return t.End(append(notes, more...)...)
}

// finding says what certified optima tell of the paper's claim that the Gaussian kernel is always better.
func finding(theirs, ours *results) []string {
	higher, cells := 0, len(methods)*len(recalls)
	for m := range methods {
		for j := range recalls {
			if report.Mean(ours.draws(0, m, j)).Mean() > report.Mean(theirs.draws(0, m, j)).Mean() {
				higher++
			}
		}
	}
	gaps := slices.Sorted(slices.Values(theirs.gaps))
	return []string{
		fmt.Sprintf("Algorithm 3.1 stops at a relative gap of %.2g in the middle one of the chosen models, of %.2g in "+
			"the last.", gaps[len(gaps)/2], gaps[len(gaps)-1]),
		fmt.Sprintf("A certified linear model is above the one where it stops in %d of %d cells.", higher, cells),
		fmt.Sprintf("That the Gaussian kernel is always better is seen in %d cells where trainings stop, and in %d of "+
			"certified optima.", theirs.gaussianAbove(), ours.gaussianAbove()),
	}
}

// gaussianAbove returns in how many cells the Gaussian kernel is above the linear one.
func (r *results) gaussianAbove() (above int) {
	for m := range methods {
		for j := range recalls {
			if report.Mean(r.draws(1, m, j)).Mean() > report.Mean(r.draws(0, m, j)).Mean() {
				above++
			}
		}
	}
	return above
}

// bars are what the table must hold, and whether it does.
func (r *results) bars() []string {
	cells, above, within := 0, r.gaussianAbove(), 0
	worst, ours, theirs := math.Inf(1), 0.0, 0.0
	for m := range methods {
		for j := range recalls {
			gauss := report.Mean(r.draws(1, m, j)).Beside(printedPrecisions[1][m][j])
			cells++
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
			above, cells, report.Verdict(above == cells)),
		fmt.Sprintf("(b) %d of %d Gaussian cells are at least the paper's less the larger of 2 points and two "+
			"spreads, "+
			"the worst by %+.2f: %s.", within, cells, worst, report.Verdict(within == cells)),
		fmt.Sprintf("(c) The mean of the Gaussian cells is %.2f, the paper's %.2f: %s.",
			ours/n, theirs/n, report.Verdict(ours >= theirs)),
	}
}

// printSets prints the mean of the six precisions of each set, which the paper does not tell.
func (c *command) printSets(r *results, name, title string) error {
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
