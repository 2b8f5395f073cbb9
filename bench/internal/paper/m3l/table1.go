package m3l

import (
	"context"
	"fmt"
	"time"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/m3l"
)

// What Table 1 and the figures train with, R being I: C = 1, which is 2 in terms of the hinge. The paper tells neither
// C nor the width of the kernel.
const (
	timedC    = 1
	rowBudget = 1 << 30 // bytes of kernel rows that are kept
)

// gammas are the Gaussian kernels' of the sets, by the paper's name for them.
var gammas = map[string]float64{"SIAM": .05, "RCV1": 1}

// table1 prints the seconds of training to the gap of -tol with all certificates, reading left out.
func (c *command) table1(ctx context.Context) error {
	for _, s := range []source{siam, rcv1} {
		d, err := s.open(c.data)
		if err != nil {
			return err
		}
		_, cols := d.train.x.Dims()
		t, err := c.Begin(report.Table{
			Name: "m3l-table1-" + d.file, Rows: "N",
			Title: fmt.Sprintf("Table 1, %s, D = %d, L = %d: seconds of training to a gap of %v,\n"+
				"%d goroutine(s), C = %v; the paper: %s on a Xeon of 2.67 GHz",
				d.name, cols, d.labels, c.tol, c.workers, timedC, d.paper),
			Columns: []report.Column{
				{Name: "linear", Digits: 2}, {Name: "linear kernel", Digits: 2}, {Name: "RBF", Digits: 2},
				{Name: "LibLinear", Digits: 2}, {Name: "LibSVM linear", Digits: 2}, {Name: "LibSVM RBF", Digits: 2},
			},
		})
		if err != nil {
			return err
		}
		last := 0
		for _, n := range c.sizes {
			p := d.train.first(n)
			if n = len(p.sets); n == last {
				break // there are no more examples
			}
			last = n
			var cells [3]report.Cell
			for k, kind := range []kernel.Kernel{nil, kernel.Linear{}, kernel.Gaussian{Gamma: gammas[d.paper]}} {
				seconds, err := c.seconds(ctx, d, p, kind)
				if err != nil {
					return err
				}
				cells[k] = report.Number(seconds)
			}
			row := append(cells[:], report.Cell{}, report.Cell{}, report.Cell{})
			if theirs, ok := printedTimes[d.paper][n]; ok {
				for k, column := range []int{1, 3, 5, 0, 2, 4} {
					row[k] = row[k].Beside(theirs[column])
				}
			}
			if err := t.Row(fmt.Sprint(n), row...); err != nil {
				return err
			}
		}
		if err := t.End(); err != nil {
			return err
		}
	}
	return nil
}

// seconds returns the time of a training with a kernel, nil for none.
func (c *command) seconds(ctx context.Context, d *set, p part, kind kernel.Kernel) (float64, error) {
	name := fmt.Sprintf("%s, N = %d, linear", d.name, len(p.sets))
	if kind != nil {
		name = fmt.Sprintf("%s, N = %d, %T", d.name, len(p.sets), kind)
	}
	start := time.Now()
	problem, err := kernelProblem(p, kind)
	if err != nil {
		return 0, err
	}
	config := m3l.Config{C: timedC, Labels: d.labels, Tol: c.tol, Workers: c.workers}
	config.Progress = c.Bar.Training(name, c.tol)
	m, err := problem.Fit(ctx, config)
	if err != nil {
		return 0, err
	}
	if m.Status != solvers.Converged {
		return 0, fmt.Errorf("%s: %v", name, m.Outcome)
	}
	return time.Since(start).Seconds(), nil
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
