package tracenorm

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/solvers/tracenorm"
)

// paths are the grids of ten by ten values, and the passes that all hundred trainings may take.
var paths = []struct {
	high1, low1, high2, low2, passes float64
}{
	{.2, .002, .1, 1e-4, 350},
	{.2, .01, 1e-2, 1e-3, 180},
}

// path trains along the grids on pixels as they are, to a gap of 1e-2, and prints the passes of each point.
func (c *command) path(ctx context.Context) error {
	p, classes, name, err := c.digits()
	if err != nil {
		return err
	}
	for k, g := range paths {
		ones, twos := grid(g.high1, g.low1, 10), grid(g.high2, g.low2, 10)
		c.Bar.Show(float64(k)/float64(len(paths)), "path")
		points, err := tracenorm.Problem[float32]{X: p.x, Y: p.y}.Path(ctx,
			tracenorm.Config{Raw: true, Tol: 1e-2, Classes: classes, Workers: c.workers, Seed: c.seed},
			tracenorm.PathConfig{Lambda1s: ones, Lambda2s: twos})
		if err != nil {
			return err
		}
		if err := c.pathTable(fmt.Sprintf("%s, n = %d", name, len(p.y)), k, points, twos, g.passes); err != nil {
			return err
		}
	}
	return nil
}

func (c *command) pathTable(title string, k int, points []tracenorm.Point[float32], twos []float64, bar float64) error {
	table := report.Table{
		Name: fmt.Sprintf("tracenorm-path%d", k+1), Rows: "lambda1 \\ lambda2",
		Title: "Passes of each point of a path of 10 x 10 on " + title + ", each to a gap of 1e-2",
	}
	for _, two := range twos {
		table.Columns = append(table.Columns, report.Column{Name: fmt.Sprintf("%.2g", two), Digits: 1})
	}
	t, err := c.Begin(table)
	if err != nil {
		return err
	}
	sum, worst := 0.0, 0.0
	for q := 0; q < len(points); q += len(twos) { // each lambda1 has its lambda2 to or fro
		cells := make([]report.Cell, len(twos))
		for j, p := range points[q : q+len(twos)] {
			if points[q].Lambda2 < twos[0] {
				j = len(twos) - 1 - j
			}
			cells[j] = report.Number(p.Result.Passes)
			sum, worst = sum+p.Result.Passes, max(worst, p.Result.Certificate.RelativeGap())
		}
		if err := t.Row(fmt.Sprintf("%.2g", points[q].Lambda1), cells...); err != nil {
			return err
		}
	}
	note := fmt.Sprintf("All: %.1f passes. The largest gap is %.1e.", sum, worst)
	if c.data != "" { // the bars are of MNIST
		note += fmt.Sprintf(" At most %v passes wanted: %s.", bar, report.Verdict(sum <= bar))
	}
	return t.End(note)
}
