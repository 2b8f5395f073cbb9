package m3l

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/metrics"
)

// What Table 1 and the figures train with, R being I: C = 1, which is 2 in terms of the hinge. The paper tells neither
// C nor the width of the kernel.
const (
	timedC    = 1
	rowBudget = 1 << 30 // bytes of kernel rows that are kept
)

// gammas are the Gaussian kernels' of the paper's sets, by the paper's name for them.
var gammas = map[string]float64{"SIAM": .05, "RCV1": 1}

// table1 prints the seconds of training to the gap of -tol with all certificates, reading left out.
func (c *command) table1(ctx context.Context) error {
	sets, err := c.open(siam, rcv1)
	if err != nil {
		return err
	}
	for _, d := range sets {
		t, err := c.Begin(c.headOf1(d))
		if err != nil {
			return err
		}
		last := 0
		var found compared
		for _, n := range c.sizes {
			p := d.train.first(n)
			if n = len(p.sets); n == last {
				break // there are no more examples
			}
			last = n
			row, all, err := c.rowOf1(ctx, d, p)
			if err != nil {
				return err
			}
			if all.pairs != nil {
				found = all
			}
			if err := t.Row(fmt.Sprint(n), row...); err != nil {
				return err
			}
		}
		var notes []string
		if names := absent(); names != nil {
			notes = append(notes, fmt.Sprintf("- stands for a program that is not installed: %s",
				strings.Join(names, ", ")))
		}
		if err := t.End(notes...); err != nil {
			return err
		}
		if err := c.claims1(found); err != nil {
			return err
		}
	}
	return nil
}

func (c *command) headOf1(d *set) report.Table {
	_, cols := d.train.x.Dims()
	title, names := "", []string{"linear", "linear kernel", "RBF", "linear apart", "RBF apart"}
	if d.paper != "" {
		title = fmt.Sprintf("\nThe paper: %s on a Xeon of 2.67 GHz", d.paper)
	}
	for _, l := range libraries {
		names = append(names, l.column)
	}
	t := report.Table{
		Name: "m3l-table1-" + d.file, Rows: "N",
		Title: fmt.Sprintf("Table 1, %s, D = %d, L = %d: seconds of training to a gap of %v,\n"+
			"%d goroutine(s), C = %v; apart: our 1-vs-All, label by label, each with a kernel cache of its own,\n"+
			"up to N = %d; so are LIBLINEAR and LIBSVM, by the programs that are installed: CPU seconds of one\n"+
			"process a label, without reading, to their own tolerances%s",
			d.name, cols, d.labels, c.tol, c.workers, timedC, apartMost, title),
	}
	for _, name := range names {
		t.Columns = append(t.Columns, report.Column{Name: name, Digits: 2})
	}
	return t
}

// compared are trainings of the same examples: of all labels together and label by label, linear and with a Gaussian
// kernel, and the seconds of the libraries, 0 where one is not installed.
type compared struct {
	pairs  [][2]timed
	rivals []float64
}

// rowOf1 returns the row of the examples p, and the trainings to compare unless p is too large for them.
func (c *command) rowOf1(ctx context.Context, d *set, p part) (row []report.Cell, all compared, err error) {
	row = make([]report.Cell, 5)
	for k, kind := range []kernel.Kernel{nil, kernel.Linear{}, kernel.Gaussian{Gamma: d.gamma}} {
		together, err := c.time(ctx, d, p, kind)
		if err != nil {
			return nil, all, err
		}
		row[k] = report.Number(together.seconds)
		if k == 1 || len(p.sets) > apartMost {
			continue
		}
		apart, err := c.apart(ctx, d, p, kind)
		if err != nil {
			return nil, all, err
		}
		row[3+k/2] = report.Number(apart.seconds)
		all.pairs = append(all.pairs, [2]timed{together, apart})
	}
	cells, seconds, err := c.rivals(ctx, d, p)
	if err != nil {
		return nil, all, err
	}
	row, all.rivals = append(row, cells...), seconds
	if theirs, ok := printedTimes[d.paper][len(p.sets)]; ok {
		for column, k := range [6]int{5, 0, 6, 1, 7, 2} {
			row[k] = row[k].Beside(theirs[column])
		}
	}
	return row, all, nil
}

// apartMost is the number of examples up to which labels are trained one by one, too.
const apartMost = 3000

// timed is a training: its time, and the test Hamming loss in percent, NaN where it was not looked for.
type timed struct{ seconds, loss float64 }

// time trains all labels together with a kernel, nil for none. The loss is computed up to apartMost examples.
func (c *command) time(ctx context.Context, d *set, p part, kind kernel.Kernel) (timed, error) {
	sets, found, err := c.train(ctx, d, p, kind, d.labels)
	if err != nil || sets == nil {
		return found, err
	}
	found.loss, err = metrics.HammingLoss(sets, d.test.sets, d.labels)
	found.loss *= 100
	return found, err
}

// apart trains label by label, with a kernel for each.
func (c *command) apart(ctx context.Context, d *set, p part, kind kernel.Kernel) (sum timed, err error) {
	for l := range d.labels {
		q, one := p, *d
		q.sets, one.test.sets = onlyLabel(p.sets, l), onlyLabel(d.test.sets, l)
		sets, found, err := c.train(ctx, &one, q, kind, 1)
		if err != nil {
			return sum, err
		}
		loss, err := metrics.HammingLoss(sets, one.test.sets, 1)
		if err != nil {
			return sum, err
		}
		sum.seconds, sum.loss = sum.seconds+found.seconds, sum.loss+100*loss/float64(d.labels)
	}
	return sum, nil
}

// onlyLabel returns the sets with label l alone, as label 0.
func onlyLabel(sets [][]int, l int) [][]int {
	only := make([][]int, len(sets))
	for i, s := range sets {
		if slices.Contains(s, l) {
			only[i] = []int{0}
		}
	}
	return only
}

// train trains some labels with a kernel, nil for none, and returns the sets of the test part that the model predicts,
// nil above apartMost examples.
func (c *command) train(ctx context.Context, d *set, p part, kind kernel.Kernel, labels int) (sets [][]int, found timed,
	err error) {
	name := fmt.Sprintf("%s, N = %d, linear", d.name, len(p.sets))
	if kind != nil {
		name = fmt.Sprintf("%s, N = %d, %T", d.name, len(p.sets), kind)
	}
	start := time.Now()
	problem, err := kernelProblem(p, kind)
	if err != nil {
		return nil, found, err
	}
	config := m3l.Config{C: timedC, Labels: labels, Tol: c.tol, Workers: c.workers, Epochs: epochs}
	config.Progress = c.Bar.Training(name, c.tol)
	m, err := problem.Fit(ctx, config)
	if err != nil {
		return nil, found, err
	}
	if m.Status != solvers.Converged {
		return nil, found, fmt.Errorf("%s: %v", name, m.Outcome)
	}
	if found = (timed{time.Since(start).Seconds(), math.NaN()}); len(p.sets) > apartMost {
		return nil, found, nil
	}
	sets, err = solvers.LabelSets(m, d.test.x, c.workers)
	return sets, found, err
}

// claims1 prints what the times of the largest set that was trained both ways say of what the paper claims of Table 1.
func (c *command) claims1(found compared) error {
	if len(found.pairs) < 2 {
		return nil
	}
	linear, kernels := found.pairs[0], found.pairs[1]
	if err := c.Claim(kernels[0].seconds < kernels[1].seconds, "Table 1", "kernelised M3L trains faster than 1-vs-All "+
		"label by label, up to 30 times", "%.3f s and %.3f s, %.1f times as fast", kernels[0].seconds,
		kernels[1].seconds,
		kernels[1].seconds/kernels[0].seconds); err != nil {
		return err
	}
	if err := c.Claim(linear[0].seconds < 2*linear[1].seconds, "Table 1", "linear M3L takes about as long as "+
		"1-vs-All, "+
		"less than twice as long", "%.3f s and %.3f s", linear[0].seconds, linear[1].seconds); err != nil {
		return err
	}
	if err := c.rivalClaims(linear[0].seconds, kernels[0].seconds, found.rivals); err != nil {
		return err
	}
	worst := max(math.Abs(linear[0].loss-linear[1].loss), math.Abs(kernels[0].loss-kernels[1].loss))
	return c.Claim(worst <= .1, "section 4", "with R = I M3L is 1-vs-All: the losses agree within .1 points",
		"test Hamming losses of %.2f%% and %.2f%% (linear), %.2f%% and %.2f%% (RBF)", linear[0].loss, linear[1].loss,
		kernels[0].loss, kernels[1].loss)
}

// rivalClaims prints what the times of the libraries that are installed say, beside ours of all labels together.
func (c *command) rivalClaims(linear, kernels float64, rivals []float64) error {
	if own := rivals[0]; own > 0 {
		if err := c.Claim(linear < 2*own, "Table 1", "linear M3L takes about as long as LIBLINEAR label by label, "+
			"less than twice as long", "%.3f s and %.3f s", linear, own); err != nil {
			return err
		}
	}
	if own := rivals[2]; own > 0 {
		return c.Claim(kernels < own, "Table 1", "kernelised M3L trains faster than LIBSVM label by label, up to 30 "+
			"times", "%.3f s and %.3f s, %.1f times as fast", kernels, own, own/kernels)
	}
	return nil
}

// kernelProblem returns the problem of p with a kernel, nil for none.
func kernelProblem(p part, kind kernel.Kernel) (m3l.Problem[float32], error) {
	problem := m3l.Problem[float32]{Sets: p.sets}
	if kind == nil {
		problem.X = p.x
		return problem, nil
	}
	var err error
	problem.Kernel, err = kernel.New(p.x, kind, rowBudget)
	return problem, err
}
