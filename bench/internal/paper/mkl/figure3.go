package mkl

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/internal/chart"
)

// figure3 draws the accuracy against the number of training images of a class: ours, the average kernel, and the best
// kernel alone, chosen by its test accuracy; and the time, which is the right part of Figure 2. There is one split of
// the images, and fewer than all of a class are drawn from its training part. Kernels are as wide as for all training
// images.
func (c *command) figure3(ctx context.Context) error {
	q, err := c.source.seven(false)
	if err != nil {
		return err
	}
	t, err := c.Begin(report.Table{
		Name: "mkl-figure3-table-" + q.file, Rows: "images a class",
		Title: fmt.Sprintf("Figure 3, and Figure 2, right, %s, C = %v: mean-class test accuracy %%, and seconds of\n"+
			"training, one goroutine. The paper, at 30 images: its best kernel alone. LP-beta takes %d minutes there\n"+
			"with 15 images, %d with 30",
			q.set, c.cost, printedMinutes15, printedMinutes30),
		Columns: spreads("p = 1.01", "p = 1.1", "average", "best kernel", "s, p = 1.01", "s, average"),
	})
	if err != nil {
		return err
	}
	var at []float64
	var means [6][]float64
	for _, size := range q.sizes() {
		found, err := c.compareDraws(ctx, q, size)
		if err != nil {
			return err
		}
		at = append(at, float64(size))
		cells := make([]report.Cell, len(found))
		for k := range found {
			cells[k] = report.Mean(found[k])
			means[k] = append(means[k], cells[k].Mean())
		}
		if size == 30 && c.checked {
			cells[3] = cells[3].Beside(printedBest)
		}
		if err := t.Row(fmt.Sprint(size), cells...); err != nil {
			return err
		}
	}
	if err := t.End(); err != nil {
		return err
	}
	if err := c.drawFigure3(q, at, means); err != nil {
		return err
	}
	return c.countClaim(means, int(at[len(at)-1]))
}

// drawFigure3 draws means against the numbers of training images.
func (c *command) drawFigure3(q *cues, at []float64, means [6][]float64) error {
	names := []string{"ours, p = 1.01", "ours, p = 1.1", "average kernel", "best kernel"}
	accuracy := chart.Chart{Title: fmt.Sprintf("Figure 3, %s, C = %v", q.set, c.cost), X: "training images a class",
		Y: "mean-class test accuracy %", LinearX: true, LinearY: true}
	for k, name := range names {
		accuracy.Lines = append(accuracy.Lines, chart.Line{Name: name, X: at, Y: means[k]})
	}
	if err := c.Figure("mkl-figure3-"+q.file, accuracy); err != nil {
		return err
	}
	times := chart.Chart{Title: fmt.Sprintf("Figure 2, right, %s, C = %v, gap %v", q.set, c.cost, c.tol),
		X: "training images a class", Y: "seconds",
		Lines: []chart.Line{{Name: "ours, p = 1.01", X: at, Y: means[4]}, {Name: "average kernel", X: at, Y: means[5]}}}
	return c.Figure("mkl-figure2-right-"+q.file, times)
}

// compareDraws returns what compare does, of each draw of size images a class.
func (c *command) compareDraws(ctx context.Context, q *cues, size int) (found [6][]float64, err error) {
	draws := c.draws
	if size == q.smallest() {
		draws = 1
	}
	for draw := range draws {
		some, err := q.of(q.draw(size, c.seed+uint64(draw)))
		if err != nil {
			return found, err
		}
		numbers, err := c.compare(ctx, some)
		if err != nil {
			return found, err
		}
		for k, v := range numbers {
			found[k] = append(found[k], v)
		}
	}
	return found, nil
}

// compare returns the mean-class accuracies of p = 1.01, p = 1.1, the average kernel and the best kernel, and the
// seconds of the first and of the third.
func (c *command) compare(ctx context.Context, q *cues) (numbers [6]float64, err error) {
	for k, p := range []float64{1.01, 1.1} {
		_, s, err := c.train(ctx, q, c.config(q, p, c.cost))
		if err != nil {
			return numbers, err
		}
		numbers[k] = s.mean
		if k == 0 {
			numbers[4] = s.seconds
		}
	}
	mean, err := q.average()
	if err != nil {
		return numbers, err
	}
	s, err := c.machine(ctx, mean, c.cost)
	if err != nil {
		return numbers, err
	}
	numbers[2], numbers[5] = s.mean, s.seconds
	for j := range q.names {
		if s, err = c.machine(ctx, q.only(j), c.cost); err != nil {
			return numbers, err
		}
		numbers[3] = max(numbers[3], s.mean)
	}
	return numbers, nil
}

// smallest returns the number of training images of the class that has fewest.
func (q *cues) smallest() int {
	counts := make([]int, q.classes)
	for _, y := range q.y {
		counts[y]++
	}
	return slices.Min(counts)
}

// sizes are the numbers of training images of a class to compare at.
func (q *cues) sizes() (sizes []int) {
	least := q.smallest()
	for size := 5; size < min(least, 30); size += 5 {
		sizes = append(sizes, size)
	}
	return append(sizes, min(least, 30))
}

// draw returns a number of training images of each class, ascending.
func (q *cues) draw(size int, seed uint64) (rows []int) {
	taken := make([]int, q.classes)
	for _, i := range rand.New(rand.NewPCG(seed, 3)).Perm(len(q.y)) {
		if y := q.y[i]; taken[y] < size {
			taken[y]++
			rows = append(rows, i)
		}
	}
	slices.Sort(rows)
	return rows
}
