package m3l

import (
	"context"
	"fmt"
	"time"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/metrics"
)

// table2 prints the dual and the errors over the time of a linear training on RCV1. A training that ends after some
// epochs has the same bits as a longer one at that time, so that each row is a training of its own, of twice as many
// epochs as the row before.
func (c *command) table2(ctx context.Context) error {
	sets, err := c.open(rcv1)
	if err != nil {
		return err
	}
	d := sets[0]
	n, cols := d.train.x.Dims()
	beside := ""
	if d.paper != "" {
		beside = "; the paper: 781,265 examples of RCV1"
	}
	t, err := c.Begin(report.Table{
		Name: "m3l-table2", Rows: "",
		Title: fmt.Sprintf("Table 2, linear training on %s, N = %d, D = %d, L = %d, C = %v,\n"+
			"to a gap of %v%s",
			d.name, n, cols, d.labels, timedC, c.tol, beside),
		Columns: []report.Column{
			{Name: "seconds", Digits: 2}, {Name: "dual", Digits: 1}, {Name: "train error %", Digits: 2},
			{Name: "test error %", Digits: 2}, {Name: "relative gap", Digits: 4},
		},
	})
	if err != nil {
		return err
	}
	var seconds, faults []float64 // faults: of the test part, in percent
	for epochs := 1; ; epochs *= 2 {
		var elapsed time.Duration
		show := c.Bar.Training(d.name, c.tol)
		m, err := m3l.Problem[float32]{X: d.train.x, Sets: d.train.sets}.Fit(ctx, m3l.Config{
			C: timedC, Labels: d.labels, Tol: c.tol, Workers: c.workers, Epochs: epochs,
			Progress: func(p solvers.Progress) { elapsed = p.Elapsed; show(p) },
		})
		if err != nil {
			return err
		}
		row := []report.Cell{report.Number(elapsed.Seconds()), report.Number(m.Certificate.Dual)}
		for _, p := range []part{d.train, d.test} {
			sets, err := solvers.LabelSets(m, p.x, c.workers)
			if err != nil {
				return err
			}
			loss, err := metrics.HammingLoss(sets, p.sets, d.labels)
			if err != nil {
				return err
			}
			row = append(row, report.Number(100*loss))
		}
		seconds, faults = append(seconds, row[0].Mean()), append(faults, row[3].Mean())
		row = append(row, report.Number(m.Certificate.RelativeGap()))
		if err := t.Row(fmt.Sprintf("%d epochs", m.Epochs), row...); err != nil {
			return err
		}
		if m.Status != solvers.EpochLimit {
			break
		}
	}
	if err := c.endTable2(t, d); err != nil {
		return err
	}
	third, when := at(seconds, faults)
	last := len(faults) - 1
	return c.Claim(third <= faults[last]+.05, "Table 2", "after a third of the time the model is nearly as "+
		"good as at the "+
		"end", "a test error of %.2f%% after %.2f s, %.2f%% after %.2f s", third, when, faults[last], seconds[last])
}

// at returns the last error within a third of the time of the last, and its time; the first where there is none.
func at(seconds, faults []float64) (fault, when float64) {
	fault, when = faults[0], seconds[0]
	for k, s := range seconds {
		if s <= seconds[len(seconds)-1]/3 {
			fault, when = faults[k], s
		}
	}
	return fault, when
}

// endTable2 prints the rows that the paper has, beside RCV1 alone.
func (c *command) endTable2(t *report.Table, d *set) error {
	if d.paper == "" {
		return t.End()
	}
	for _, row := range printedProgress {
		var cells []report.Cell
		for _, v := range row {
			cells = append(cells, report.Cell{}.Beside(v))
		}
		if err := t.Row("the paper", cells...); err != nil {
			return err
		}
	}
	return t.End()
}
