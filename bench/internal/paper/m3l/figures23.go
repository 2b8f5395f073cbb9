package m3l

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/solvers/papers/smo"
)

// progress is the history of a training.
type progress struct {
	name                      string
	iterations, seconds, dual []float64
}

func (p *progress) add(iterations, seconds, dual float64) {
	if dual > 0 { // at the start it is 0, and neither time nor iterations have a logarithm
		p.iterations, p.seconds, p.dual = append(p.iterations, iterations), append(p.seconds, seconds),
			append(p.dual, dual)
	}
}

// figures23 draws the dual against iterations, Figure 2, and against time, Figure 3, with a Gaussian kernel and R = I:
// the paper's method with all labels together, the same label by label, as 1-vs-all does it, and ours. An iteration of
// the paper's is a step of two variables, one of ours a visit of an example with all its labels, and an epoch counts as
// many as there are examples although it visits fewer.
func (c *command) figures23(ctx context.Context) error {
	sets, err := c.open(siam, rcv1)
	if err != nil {
		return err
	}
	for _, d := range sets {
		p := d.train.first(c.examples)
		var lines []progress
		for _, run := range []func(context.Context, *set, part) (progress, error){
			func(ctx context.Context, d *set, p part) (progress, error) { return c.smo(ctx, d, p, false) },
			func(ctx context.Context, d *set, p part) (progress, error) { return c.smo(ctx, d, p, true) },
			c.ours,
		} {
			line, err := run(ctx, d, p)
			if err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
			lines = append(lines, line)
		}
		for number := 2; number <= 3; number++ {
			picture := chart.Chart{
				Title: fmt.Sprintf("Figure %d, %s: N = %d, Gaussian kernel", number, d.name, len(p.sets)),
				X:     "iterations", Y: "dual", LinearY: true,
			}
			for _, l := range lines {
				x := l.iterations
				if number == 3 {
					picture.X, x = "seconds", l.seconds
				}
				picture.Lines = append(picture.Lines, chart.Line{Name: l.name, X: x, Y: l.dual})
			}
			if err := c.Figure(fmt.Sprintf("m3l-figure%d-%s", number, d.file), picture); err != nil {
				return err
			}
		}
		if err := c.near(lines); err != nil {
			return err
		}
	}
	return nil
}

// smo trains by the paper's method.
func (c *command) smo(ctx context.Context, d *set, p part, byLabel bool) (progress, error) {
	line := progress{name: "M3L, SMO of the paper"}
	if byLabel {
		line.name = "1-vs-All, SMO"
	}
	c.Bar.Show(0, d.name+", "+line.name)
	problem, err := kernelProblem(p, kernel.Gaussian{Gamma: d.gamma})
	if err != nil {
		return line, err
	}
	r, err := smo.Solve(ctx, smo.Problem[float32]{Kernel: problem.Kernel, Sets: p.sets, Labels: d.labels, C: timedC},
		smo.Options{Options: papers.Options{Every: max(1, len(p.sets)*d.labels/200)}, ByLabel: byLabel})
	if err != nil {
		return line, err
	}
	for _, s := range r.Steps {
		line.add(float64(s.Steps), s.Elapsed.Seconds(), s.Dual)
	}
	return line, nil
}

// ours trains by Fit.
func (c *command) ours(ctx context.Context, d *set, p part) (progress, error) {
	line := progress{name: "M3L, ours"}
	problem, err := kernelProblem(p, kernel.Gaussian{Gamma: d.gamma})
	if err != nil {
		return line, err
	}
	show := c.Bar.Training(d.name+", ours", c.tol)
	config := m3l.Config{C: timedC, Labels: d.labels, Tol: c.tol, Workers: c.workers}
	config.Progress = func(s solvers.Progress) {
		line.add(float64(s.Epoch*len(p.sets)), s.Elapsed.Seconds(), s.Dual)
		show(s)
	}
	m, err := problem.Fit(ctx, config)
	if err != nil {
		return line, err
	}
	if m.Status != solvers.Converged {
		return line, fmt.Errorf("ours: %v", m.Outcome)
	}
	return line, nil
}

// near tells when each line comes within 1% of the largest dual value of all, and whether the paper's method with all
// labels, the first line, is there before the same label by label, the second.
func (c *command) near(lines []progress) error {
	best := math.Inf(-1)
	for _, l := range lines {
		for _, v := range l.dual {
			best = max(best, v)
		}
	}
	text, iterations, seconds := "within 1% of the largest dual value:", make([]float64, len(lines)),
		make([]float64, len(lines))
	for n, l := range lines {
		at := "never"
		iterations[n], seconds[n] = math.Inf(1), math.Inf(1)
		if k := slices.IndexFunc(l.dual, func(v float64) bool { return v >= .99*best }); k >= 0 {
			iterations[n], seconds[n] = l.iterations[k], l.seconds[k]
			at = fmt.Sprintf("after %.0f iterations, %.2f s", iterations[n], seconds[n])
		}
		text += fmt.Sprintf("\n  %-24s %s", l.name, at)
	}
	if err := c.Print("%s", text); err != nil {
		return err
	}
	if err := c.Claim(iterations[0] < iterations[1], "Figure 2", "M3L is near the optimum after fewer iterations than "+
		"1-vs-All", "%.0f and %.0f iterations", iterations[0], iterations[1]); err != nil {
		return err
	}
	return c.Claim(seconds[0] < seconds[1], "Figure 3", "and in less time", "%.2f s and %.2f s", seconds[0], seconds[1])
}
