package toprank

import (
	"context"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/solvers/metrics"
)

// figureGamma is the width of the Gaussian kernel in the figures, as in the paper.
const figureGamma = .01

// figures12 draws Figures 1 and 2 of the first images of Fashion-MNIST.
func (c *command) figures12(ctx context.Context) error {
	return c.figuresOf(ctx, c.sets[len(c.sets)-1], "toprank", c.workers)
}

// full draws them of all images, one training at a time.
func (c *command) full(ctx context.Context) error {
	return c.figuresOf(ctx, *c.images, "toprank-full", 1)
}

// figuresOf draws the curves of precision over recall, and the densities of scores, of all methods with both kernels.
// Pixels are as they are, / 255, and C is chosen as in Table 3. It prints precisions as in Table 3, too.
func (c *command) figuresOf(ctx context.Context, s set, name string, trainings int) error {
	parts, err := s.split(c.seed)
	if err != nil {
		return err
	}
	b, err := newBench(parts, []float64{figureGamma}, c.tol, max(1, c.workers/trainings))
	if err != nil {
		return err
	}
	c.Bar.Show(0, fmt.Sprintf("%s, %d training images", s.name, len(parts.train.positive)))
	all, err := chooseAll(ctx, trainings, b.choose)
	if err != nil {
		return err
	}
	if err := c.printImages(b, all, name); err != nil {
		return err
	}
	for kind := range kinds {
		if err := c.figure1(b, all[kind], kinds[kind], name); err != nil {
			return err
		}
	}
	for kind := range kinds {
		for _, m := range families {
			title := fmt.Sprintf("%s kernel, %s", kinds[kind], methods[m].name)
			if err := c.figure2(b, all[kind][m], title, fmt.Sprintf("%s-figure2-%s-%d", name, kinds[kind],
				m)); err != nil {
				return err
			}
		}
	}
	return nil
}

// figure1 draws the curves of a kind of kernel.
func (c *command) figure1(b *bench, all []chosen, kind, name string) error {
	picture := chart.Chart{
		Title: fmt.Sprintf("Figure 1, Fashion-MNIST, %d training images, %s kernel", len(b.train.positive), kind),
		X:     "recall", Y: "precision", LinearX: true, LinearY: true,
	}
	for m, best := range all {
		curve, err := metrics.PrecisionRecall(best.scores, b.test.positive)
		if err != nil {
			return err
		}
		line := chart.Line{Name: fmt.Sprintf("%s, area %.3f", methods[m].name, curve.Area)}
		before := 0.0
		for k, recall := range curve.Recall {
			if recall > before { // where a positive example comes in
				line.X, line.Y = append(line.X, recall), append(line.Y, curve.Precision[k])
			}
			before = recall
		}
		picture.Lines = append(picture.Lines, line)
	}
	return c.Figure(fmt.Sprintf("%s-figure1-%s", name, kind), picture)
}

// points is how many points a density is drawn by.
const points = 200

// figure2 draws the densities of the scores of the positive and of the negative test images, and the score that 5% of
// all test images are above.
func (c *command) figure2(b *bench, best chosen, title, name string) error {
	var classes [2][]float32
	for i, v := range best.scores {
		class := 0
		if b.test.positive[i] {
			class = 1
		}
		classes[class] = append(classes[class], v)
	}
	sorted := slices.Sorted(slices.Values(best.scores))
	low, high := float64(sorted[0]), float64(sorted[len(sorted)-1])
	quantile := float64(sorted[len(sorted)-1-len(sorted)/20])
	picture := chart.Chart{
		Title: "Figure 2, Fashion-MNIST, " + title, X: "score", Y: "density", LinearX: true, LinearY: true,
	}
	at := make([]float64, points)
	for k := range at {
		at[k] = low + (high-low)*float64(k)/(points-1)
	}
	top := 0.0
	for class, label := range []string{"negative", "positive"} {
		f, err := metrics.Density(classes[class], at, 0)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", title, label, err)
		}
		top = max(top, slices.Max(f))
		picture.Lines = append(picture.Lines, chart.Line{Name: label, X: at, Y: f})
	}
	above := 0
	for _, v := range classes[1] {
		if float64(v) >= quantile {
			above++
		}
	}
	picture.Lines = append(picture.Lines, chart.Line{
		Name: fmt.Sprintf("top 5%%: %.0f%% of the positive", 100*float64(above)/float64(len(classes[1]))),
		X:    []float64{quantile, quantile}, Y: []float64{0, top},
	})
	return c.Figure(name, picture)
}

// printImages prints the precisions of Fashion-MNIST, which the paper tells in its means alone.
func (c *command) printImages(b *bench, all [2][]chosen, name string) error {
	table := report.Table{
		Name: name + "-images", Rows: "precision at recall",
		Title: fmt.Sprintf("Fashion-MNIST alone, %d training images, pixels / 255, sigma %v: test precision %%",
			len(b.train.positive), figureGamma),
	}
	for _, recall := range recalls {
		table.Columns = append(table.Columns, report.Column{Name: fmt.Sprint(recall), Digits: 2})
	}
	table.Columns = append(table.Columns, report.Column{Name: "C", Digits: 1}, report.Column{Name: "gap", Digits: 5})
	t, err := c.Begin(table)
	if err != nil {
		return err
	}
	for kind := range kinds {
		for m, best := range all[kind] {
			var cells []report.Cell
			for _, v := range best.precisions {
				cells = append(cells, report.Number(v))
			}
			cells = append(cells, report.Number(best.cost), report.Number(best.model.Certificate.RelativeGap()))
			if err := t.Row(kinds[kind]+" "+methods[m].name, cells...); err != nil {
				return err
			}
		}
	}
	return t.End()
}
