package mkl

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/solvers/papers/obscure"
	"github.com/dualgap/dualgap/vec"
)

const (
	digitsP      = 1.25
	digitsBudget = 1 << 30 // bytes of products that are kept
	stagedMost   = 10000   // training images that the paper's stages, whose steps look at all of them, are run on
)

// run4 is a training of Figure 4.
type run4 struct {
	seconds, certificate float64 // of the whole training, and of its certificates
	passes               float64 // seconds in which the model scores its training images
	error, gap           float64 // test error in percent
	memory               uint64
}

// figure4 draws the test error against time on images in quarters, three kernels each, for several numbers of training
// images: all kernels, their average, and the best one alone, a point for each number, and the paper's stages, a line
// for each. Products are computed on the fly.
func (c *command) figure4(ctx context.Context) error {
	d, err := openDigits(c.data, c.sizes[len(c.sizes)-1])
	if err != nil {
		return err
	}
	t, err := c.figure4Table(d)
	if err != nil {
		return err
	}
	picture := chart.Chart{Title: fmt.Sprintf("Figure 4, %s", d.set), X: "seconds", Y: "test error %", LinearY: true}
	best, last := -1, 0
	lines := []chart.Line{{Name: fmt.Sprintf("p = %v", digitsP)}, {Name: "average kernel"}, {Name: "best kernel"}}
	var at []float64
	var all []run4
	for _, n := range c.sizes {
		if n = min(n, len(d.y)); n == last {
			break // there are no more images
		}
		last = n
		groups, err := d.groups(n)
		if err != nil {
			return err
		}
		var three [3]run4
		if three, best, err = c.three(ctx, d, n, groups, best); err != nil {
			return err
		}
		if err := t.Row(fmt.Sprint(n), three[0].cells(three[1], three[2])...); err != nil {
			return err
		}
		if n <= stagedMost {
			line, err := c.digitStages(ctx, d, n, groups)
			if err != nil {
				return err
			}
			picture.Lines = append(picture.Lines, line)
		}
		for k, r := range three {
			lines[k].X, lines[k].Y = append(lines[k].X, r.seconds), append(lines[k].Y, r.error)
		}
		at, all = append(at, float64(n)), append(all, three[0])
	}
	if err := t.End(fmt.Sprintf("best: %s of quarter %d, of all twelve alone the one with the least test error at "+
		"the fewest images",
		kinds[best%3], best/3)); err != nil {
		return err
	}
	picture.Lines = append(picture.Lines, lines...)
	if err := c.Figure("mkl-figure4-"+d.file, picture); err != nil {
		return err
	}
	if err := c.figure4Times(d, at, lines); err != nil {
		return err
	}
	var errors [3]float64
	for k, l := range lines {
		errors[k] = l.Y[len(l.Y)-1]
	}
	if err := c.digitClaims(at, errors, all); err != nil || d.file != "mnist" {
		return err
	}
	return c.digitTargets(at, all)
}

func (c *command) figure4Table(d *digits) (*report.Table, error) {
	return c.Begin(report.Table{
		Name: "mkl-figure4-table-" + d.file, Rows: "training images",
		Title: fmt.Sprintf("Figure 4, %s, %d test images, 12 kernels, p = %v, C = %v, relative gap %v, %d "+
			"goroutine(s):\n"+
			"seconds, certificates' seconds, and training and certificates in times that the model takes to score "+
			"its training\n"+
			"images; GB of memory; test errors %%",
			d.set, len(d.testY), digitsP, c.cost, 10*c.tol, c.workers),
		Columns: slices.Concat(numbers(2, "seconds", "certified", "passes", "passes", "GB"), numbers(4, "gap"),
			numbers(2, "error", "average", "best", "s, average", "s, best")),
	})
}

// figure4Times draws the seconds of lines against the numbers of images.
func (c *command) figure4Times(d *digits, at []float64, lines []chart.Line) error {
	times := chart.Chart{Title: fmt.Sprintf("%s: seconds against training images, gap %v", d.set, 10*c.tol),
		X: "training images", Y: "seconds"}
	for _, l := range lines {
		times.Lines = append(times.Lines, chart.Line{Name: l.Name, X: at, Y: l.X})
	}
	return c.Figure("mkl-figure4-time-"+d.file, times)
}

// three trains with all kernels, with their average and with the best one alone, which is searched if best is below 0.
func (c *command) three(ctx context.Context, d *digits, n int, groups []bundle.Group[float32], best int) (
	three [3]run4, _ int, err error) {
	tol := 10 * c.tol
	three[0], err = c.digits(ctx, d, n, fmt.Sprintf("n = %d", n), groups, mkl.Config{P: digitsP, C: c.cost, Tol: tol})
	if err != nil {
		return three, best, err
	}
	// with p = 2 it is the sum of F kernels; that is their average with F times as large a C
	three[1], err = c.digits(ctx, d, n, fmt.Sprintf("n = %d, average", n), groups, mkl.Config{
		P: 2, C: c.cost / 12, Tol: tol,
	})
	if err != nil {
		return three, best, err
	}
	if best < 0 {
		best, three[2], err = c.bestKernel(ctx, d, n, groups, tol)
	} else {
		three[2], err = c.oneKernel(ctx, d, n, groups, best, tol)
	}
	return three, best, err
}

// cells are the row of a size.
func (r run4) cells(average, best run4) (cells []report.Cell) {
	for _, v := range []float64{r.seconds, r.certificate, (r.seconds - r.certificate) / r.passes,
		r.certificate / r.passes, float64(r.memory) / 1e9, r.gap,
		r.error, average.error, best.error, average.seconds, best.seconds} {
		cells = append(cells, report.Number(v))
	}
	return cells
}

// digits trains on the first n images, and tests.
func (c *command) digits(ctx context.Context, d *digits, n int, name string, groups []bundle.Group[float32],
	config mkl.Config) (run4, error) {
	var r run4
	b, err := bundle.New(digitsBudget, groups...)
	if err != nil {
		return r, err
	}
	config.Classes, config.Workers, config.Seed = d.classes, c.workers, c.seed
	show, before := c.Bar.Training(d.set+", "+name, config.Tol), time.Duration(0)
	config.Progress = func(p solvers.Progress) {
		if p.Certified {
			r.certificate += (p.Elapsed - before).Seconds()
		}
		before = p.Elapsed
		show(p)
	}
	var m *mkl.Result[float32]
	start := time.Now()
	r.memory = peak(func() { m, err = mkl.Problem[float32]{Bundle: b, Y: d.y[:n]}.Fit(ctx, config) })
	if err != nil {
		return r, err
	}
	r.seconds, r.gap = time.Since(start).Seconds(), m.Certificate.RelativeGap()
	start = time.Now()
	m.Kernels.ScoresOf(vec.NewMatrix[float32](n, d.classes), b, nil, nil, c.workers)
	r.passes = time.Since(start).Seconds()
	s := score{}
	err = s.measure(m, d.tests(), d.testY, d.classes, c.workers)
	r.error = 100 - s.overall
	return r, err
}

// bestKernel trains on each kernel alone, and returns the one with the least test error.
func (c *command) bestKernel(ctx context.Context, d *digits, n int, groups []bundle.Group[float32],
	tol float64) (best int, least run4, err error) {
	for k := range len(groups) * len(kinds) {
		r, err := c.oneKernel(ctx, d, n, groups, k, tol)
		if err != nil {
			return 0, r, err
		}
		if k == 0 || r.error < least.error {
			best, least = k, r
		}
	}
	return best, least, nil
}

// oneKernel trains on kernel k alone.
func (c *command) oneKernel(ctx context.Context, d *digits, n int, groups []bundle.Group[float32], k int,
	tol float64) (run4, error) {
	g := groups[k/len(kinds)]
	alone := *d
	alone.test = d.test[k/len(kinds) : k/len(kinds)+1]
	one := []bundle.Group[float32]{{X: g.X, Kernels: g.Kernels[k%len(kinds) : k%len(kinds)+1]}}
	return c.digits(ctx, &alone, n, fmt.Sprintf("n = %d, best kernel", n), one, mkl.Config{P: 2, C: c.cost, Tol: tol})
}

// digitStages returns the test error of the paper's stages against time.
func (c *command) digitStages(ctx context.Context, d *digits, n int, groups []bundle.Group[float32]) (
	chart.Line, error,
) {
	line := chart.Line{Name: fmt.Sprintf("n = %d, the paper's stages", n)}
	b, err := bundle.New(0, groups...)
	if err != nil {
		return line, err
	}
	for _, passes := range []int{0, 1, 3} {
		c.Bar.Show(float64(passes)/4, fmt.Sprintf("%s, %s", d.set, line.Name))
		config := mkl.Config{P: digitsP, C: c.cost, Classes: d.classes}
		r, err := obscure.Solve(ctx, stagesOf(b, d.y[:n], config), obscure.Options{
			Options: papers.Options{Every: n * (passes + 1)}, Batch: passes, Seed: c.seed, Workers: c.workers})
		if err != nil {
			return line, err
		}
		s := score{}
		if err := s.measure(r, d.tests(), d.testY, d.classes, c.workers); err != nil {
			return line, err
		}
		line.X, line.Y = append(line.X, r.Last().Elapsed.Seconds()), append(line.Y, 100-s.overall)
	}
	return line, nil
}

// digitTargets prints what is asked of MNIST.
func (c *command) digitTargets(at []float64, all []run4) error {
	for k, r := range all {
		n, gb := at[k], float64(r.memory)/1e9
		var err error
		switch n {
		case 20000:
			err = c.Target(r.seconds <= 20 && gb <= 2 && r.error <= 2,
				"20000 images in 20 s on two cores, within 2 GB, at most 2.0% errors",
				"%.1f s by %d goroutine(s), %.2f GB, %.2f%%", r.seconds, c.workers, gb, r.error)
		case 60000:
			err = c.Target(r.seconds <= 90 && gb <= 5 && r.error <= 1.5,
				"60000 images in 90 s, within 5 GB, at most 1.5% errors",
				"%.1f s by %d goroutine(s), %.2f GB, %.2f%%", r.seconds, c.workers, gb, r.error)
		}
		if err != nil {
			return err
		}
		if n >= 10000 {
			training, certificate := (r.seconds-r.certificate)/r.passes, r.certificate/r.passes
			if err := c.Target(training <= 8 && certificate <= 4,
				fmt.Sprintf("n = %v: training at most 8 passes of the model over its images, certificates 4", n),
				"%.2f and %.2f", training, certificate); err != nil {
				return err
			}
		}
	}
	last := len(all) - 1
	if last == 0 {
		return nil
	}
	slope := math.Log(all[last].seconds/all[0].seconds) / math.Log(at[last]/at[0])
	return c.Target(slope <= 1.6, "log time over log n at most 1.6", "%.2f from %v to %v images", slope, at[0],
		at[last])
}
