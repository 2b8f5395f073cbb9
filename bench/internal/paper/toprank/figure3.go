package toprank

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/solvers/papers/ranking"
	"github.com/dualgap/dualgap/solvers/toprank"
)

// figure3 draws the primal of subgradient steps and the dual of Algorithm 3.1 against steps, and against time, for
// Ionosphere with the linear kernel, beside the optimum. A step of the one is two products with X, and of the other two
// rows of K. Values below 0, and above three times the optimum, are left out.
func (c *command) figure3(ctx context.Context) error {
	parts, err := c.sets[0].split(c.seed)
	if err == nil {
		parts, err = parts.standardized()
	}
	if err != nil {
		return err
	}
	positive := parts.train.positive
	x, err := dataset.ConvertDense[float64](parts.train.x)
	if err != nil {
		return err
	}
	k, err := kernel.New[float64](x, kernel.Linear{}, rowBudget)
	if err != nil {
		return err
	}
	features := toprank.Problem[float64]{X: x, Positive: positive}
	for _, f := range families {
		config := methods[f].config
		config.Workers, config.Tol = 1, 1e-6
		c.Bar.Show(0, "Figure 3, "+methods[f].name)
		best, err := features.Fit(ctx, config)
		if err != nil {
			return err
		}
		o := ranking.Options{Options: papers.Options{Steps: c.loops, Every: max(1, c.loops/500)}, Tol: config.Tol,
			Workers: 1}
		primal, err := ranking.Subgradient[float64](ctx, x, lossesOf(config, positive), o)
		if err != nil {
			return err
		}
		dual, err := ranking.Pairs(ctx, k, lossesOf(config, positive), o)
		if err != nil {
			return err
		}
		if err := c.printFigure3(f, best.Certificate.Dual, primal.Steps, dual.Steps); err != nil {
			return err
		}
	}
	return nil
}

func (c *command) printFigure3(f int, optimum float64, primal, dual []papers.Step) error {
	lines := []struct {
		name  string
		steps []papers.Step
		value func(s papers.Step) float64
	}{
		{"primal, subgradient steps", primal, func(s papers.Step) float64 { return s.Primal }},
		{"dual, Algorithm 3.1", dual, func(s papers.Step) float64 { return s.Dual }},
	}
	for by, axis := range []string{"steps", "seconds"} {
		least := []float64{1, 1e-4}[by]
		picture := chart.Chart{
			Title: fmt.Sprintf("Figure 3, Ionosphere, linear kernel, C = 1, %s", methods[f].name),
			X:     axis, Y: "objective", LinearY: true,
		}
		first, last := math.Inf(1), 0.
		for _, l := range lines {
			line := chart.Line{Name: l.name}
			for _, s := range l.steps {
				at := float64(s.Steps)
				if by == 1 {
					at = s.Elapsed.Seconds()
				}
				first, last = min(first, max(at, least)), max(last, at)
				if v := l.value(s); v >= 0 && v <= 3*optimum {
					line.X, line.Y = append(line.X, at), append(line.Y, v)
				}
			}
			picture.Lines = append(picture.Lines, line)
		}
		picture.Lines = append(picture.Lines,
			chart.Line{Name: "optimum", X: []float64{first, last}, Y: []float64{optimum, optimum}})
		if err := c.Figure(fmt.Sprintf("toprank-figure3-%d-%s", f, axis), picture); err != nil {
			return err
		}
	}
	text := fmt.Sprintf("optimum %.6g; within 1%% of it:", optimum)
	for _, l := range lines {
		at := "never"
		for _, s := range l.steps {
			if math.Abs(l.value(s)-optimum) <= .01*optimum {
				at = fmt.Sprintf("after %d steps, %.4f s", s.Steps, s.Elapsed.Seconds())
				break
			}
		}
		text += fmt.Sprintf("\n  %-28s %s", l.name, at)
	}
	return c.Print("%s", text)
}
