package m3l

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/m3l"
)

// protocol is how Table 3 is repeated, for the reader of the table.
const protocol = `Of the training part %d examples are drawn with probabilities in proportion to exp(-%v t), t the sum of
± rho_ab y_a y_b over all pairs of labels that %.0f%% to %.0f%% of the examples have, standardized, the
sign of each pair tossed: some labels go together more than in the test part, and some less. R is the
mean of y yᵀ over the training examples left over, and %v I. C is, for each method, the one of
%v with the least Hamming loss on a third of the subset after
training on the others; then all of it is trained on. The test part is as it is.`

// tilt is how far the draw goes. In pilots with other seeds 1, 2 and 4 were tried.
const tilt = 4.

// ridge is what is added to R, relative to its diagonal. In pilots with other seeds 0, .1, .3, 1 and 3 were tried,
// whose losses differed by up to .5 points.
const ridge = 1.

// table3 prints a table for each set.
func (c *command) table3(ctx context.Context) error {
	text := fmt.Sprintf(protocol, c.size, tilt, 100*rareShare, 100-100*rareShare, ridge, costs)
	if c.data == "" {
		text = fmt.Sprintf(unseenProtocol, unseenClasses, c.size, unseenRidge, costs)
	}
	if err := c.Print("\nTable 3 in spirit: test Hamming loss %%, mean and spread of %d draws.\n%s", c.draws,
		text); err != nil {
		return err
	}
	sets, err := c.open(yeast, siam, rcv1)
	if err != nil {
		return err
	}
	for _, d := range sets {
		if err := c.table3Of(ctx, d, text); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
	}
	return nil
}

// losses are the results of the draws, in percent, and what was chosen on the way: [method][draw].
type losses struct {
	loss, cost        [][]float64
	shifts, uniformly []float64 // of correlations: of the subset, and of one drawn uniformly
}

func (c *command) table3Of(ctx context.Context, d *set, text string) error {
	pairs, err := frequentPairs(d.train.sets, d.labels)
	if err != nil {
		return err
	}
	l := losses{loss: make([][]float64, len(methods)), cost: make([][]float64, len(methods))}
	for number := range c.draws {
		if err := c.draw(ctx, d, pairs, number, &l); err != nil {
			return err
		}
	}
	return c.printTable3(d, l, text)
}

// draw adds the results of one draw.
func (c *command) draw(ctx context.Context, d *set, pairs []pair, number int, l *losses) error {
	random := rand.New(rand.NewPCG(c.seed+uint64(number), 3))
	t, test, err := c.taskOf(d, pairs, random)
	if err != nil {
		return err
	}
	other := d.train.of(random.Perm(len(d.train.sets))[:c.size])
	shifted, err := shift(t.train.sets, test.sets, d.labels, pairs)
	if err != nil {
		return err
	}
	uniform, err := shift(other.sets, test.sets, d.labels, pairs)
	if err != nil {
		return err
	}
	l.shifts, l.uniformly = append(l.shifts, shifted), append(l.uniformly, uniform)
	parts, err := solvers.Strata{Sets: t.train.sets}.Split(1./3, c.seed+uint64(number))
	if err != nil {
		return err
	}
	for m, method := range methods {
		done := float64(number*len(methods)+m) / float64(c.draws*len(methods))
		c.Bar.Show(done, fmt.Sprintf("%s, draw %d, %s", d.name, number+1, method.name))
		loss, cost, err := t.choose(ctx, method, parts, test)
		if err != nil {
			return err
		}
		l.loss[m], l.cost[m] = append(l.loss[m], 100*loss), append(l.cost[m], cost)
	}
	return nil
}

func (c *command) printTable3(d *set, l losses, text string) error {
	table, err := c.Begin(report.Table{
		Name: "m3l-table3-" + d.file, Rows: "method", About: text,
		Title: fmt.Sprintf("Table 3, %s: %d of %d training examples, %s to test on, %d labels%s",
			d.name, c.size, len(d.train.sets), tested(d), d.labels, besides(d)),
		Columns: []report.Column{
			{Name: "loss %", Digits: 2, Spread: true}, {Name: "less 1-vs-All", Digits: 2, Spread: true},
			{Name: "median C", Digits: 3},
		},
	})
	if err != nil {
		return err
	}
	theirs, below := printedTable3[d.paper], 0
	for m, method := range methods {
		less := make([]float64, c.draws)
		for k := range less {
			less[k] = l.loss[m][k] - l.loss[oneVsAll][k]
			if m == 0 && less[k] < 0 {
				below++
			}
		}
		cells := []report.Cell{report.Mean(l.loss[m]), report.Mean(less)}
		if theirs != nil {
			cells = []report.Cell{cells[0].Beside(theirs[m]), cells[1].Beside(theirs[m] - theirs[oneVsAll])}
		}
		if method.cost {
			slices.Sort(l.cost[m])
			cells = append(cells, report.Number(l.cost[m][c.draws/2]))
		}
		if err := table.Row(method.name, cells...); err != nil {
			return err
		}
	}
	if err := table.End(
		fmt.Sprintf("M3L is below 1-vs-All in %d of %d draws.", below, c.draws),
		fmt.Sprintf("Correlations of two labels, mean |training - test|: %.3f; %.3f where examples are drawn "+
			"uniformly.",
			report.Mean(l.shifts).Mean(), report.Mean(l.uniformly).Mean())); err != nil {
		return err
	}
	return c.claims3(l)
}

// tested says what is tested on.
func tested(d *set) string {
	if d.attributes.Rows > 0 {
		return fmt.Sprintf("%d of %d classes", unseenClasses, d.attributes.Rows)
	}
	return fmt.Sprint(len(d.test.sets))
}

// besides names the set that the paper has in the place of d.
func besides(d *set) string {
	if d.paper == "" {
		return ""
	}
	return "; the paper: " + d.paper
}

// claims3 prints what the losses say of what the paper claims of Table 3.
func (c *command) claims3(l losses) error {
	ours, best, name := report.Mean(l.loss[0]).Mean(), math.Inf(1), ""
	for m, method := range methods[1:] {
		if loss := report.Mean(l.loss[m+1]).Mean(); loss < best {
			best, name = loss, method.name
		}
	}
	independent := report.Mean(l.loss[oneVsAll]).Mean()
	if err := c.Claim(ours < independent, "Table 3", "with a prior M3L has a smaller loss than 1-vs-All",
		"%.2f%% and %.2f%%, %+.2f points", ours, independent, ours-independent); err != nil {
		return err
	}
	return c.Claim(ours < best, "Table 3", "and than all other methods", "%.2f%% and %.2f%%, %s's", ours, best, name)
}

// taskOf draws a training subset, and what to test on: of attributes of classes, other classes than are trained on.
func (c *command) taskOf(d *set, pairs []pair, random *rand.Rand) (*task, part, error) {
	if d.attributes.Rows > 0 {
		return c.unseen(d, random)
	}
	t, err := c.task(d, toss(pairs, random), tilt, random)
	return t, d.test, err
}

// task draws a training subset and makes the prior of what is left over.
func (c *command) task(d *set, pairs []pair, tilt float64, random *rand.Rand) (*task, error) {
	subset, left, err := draw(d.train.sets, d.labels, c.size, pairs, tilt, random)
	if err != nil {
		return nil, err
	}
	t := &task{train: d.train.of(subset), labels: d.labels, tol: c.tol, workers: c.workers}
	t.r, err = m3l.Prior(signMatrix(d.train.of(left).sets, d.labels), nil, ridge)
	return t, err
}
