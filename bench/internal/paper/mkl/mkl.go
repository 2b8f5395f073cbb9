// Package mkl repeats tables and figures of Orabona, Luo and Caputo, "Online-batch strongly convex multi kernel
// learning" (CVPR 2010), on cues of Caltech-101 and on MNIST, or on embedded images where there is no folder of those.
package mkl

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"

	"github.com/dualgap/dualgap/bench/internal/report"
)

// command is what the flags say, and where results go.
type command struct {
	*report.Report
	data     report.Folder
	source   *source
	tol      float64
	cost     float64 // C where it is not chosen
	passes   int     // of the paper's second stage
	draws    int
	workers  int
	examples int   // of random kernels that steps are timed on
	sizes    []int // of MNIST's training part
	seed     uint64
	checked  bool // whether the set is the one that targets are of
}

// parts are the tables and figures, in the order of printing.
var parts = report.Parts[*command]{
	{Name: "table", Run: (*command).table},
	{Name: "validation", Run: (*command).validation},
	{Name: "figure1", Run: (*command).figure1},
	{Name: "figure2", Run: (*command).figure2},
	{Name: "figure3", Run: (*command).figure3},
	{Name: "figure4", Run: (*command).figure4},
	{Name: "theorem2", Run: (*command).theorem2},
	{Name: "steps", Run: (*command).steps},
}

// norms are the p of the paper.
var norms = []float64{1.01, 1.05, 1.1, 1.25, 1.5, 1.75, 2}

// costs are what the paper chooses C from.
var costs = []float64{1, 10, 100, 1000}

// Run is the command.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f := report.NewFlags("mkl", "caltech101-feat and mnist; without it embedded images stand for both",
		"Figures 1 to 4 of \"Online-batch strongly convex multi kernel learning\", with tables of accuracy, weights "+
			"and time.\n"+
			"Times of Caltech-101 are one goroutine's. The paper has other features, and prints few numbers: "+
			"beside ours\n"+
			"stand those that there are.")
	f.NoData = true
	c := &command{checked: true}
	only := f.String("only", parts.Without("theorem2").String(), "`parts` to repeat")
	full := f.Bool("full", false, "Figure 4 with 20000 and all 60000 images of MNIST, too")
	sizes := f.String("n", "5000,10000", "`numbers` of training images of Figure 4")
	f.Float64Var(&c.tol, "tol", 1e-3, "relative duality `gap` to train to; in Figure 4 ten times as much")
	f.Float64Var(&c.cost, "c", 10, "`C` where it is not chosen by cross-validation")
	f.IntVar(&c.passes, "passes", 20, "`passes` of the paper's second stage in Figure 1")
	f.IntVar(&c.draws, "draws", 2, "draws of training images and of kernels in Figures 2 and 3")
	f.IntVar(&c.examples, "examples", 1200,
		"examples of the random kernels that steps are timed on; 39 kernels of them are in memory; 400 unless told "+
			"where there is no folder")
	f.IntVar(&c.workers, "workers", 0, "goroutines of trainings in Figure 4 and of predictions, 0: all cores")
	f.Uint64Var(&c.seed, "seed", 1, "`seed` of the first draw")
	r, err := f.Begin(args, stdout, stderr)
	if err != nil {
		return err
	}
	defer r.Bar.Clear()
	c.Report, c.data = r, f.Data
	if c.data == "" {
		told := false
		f.Visit(func(one *flag.Flag) { told = told || one.Name == "examples" })
		if !told {
			c.examples = 400
		}
	}
	if err := c.check(); err != nil {
		return err
	}
	if *full {
		*sizes += ",20000,60000"
	}
	if c.sizes, err = report.Whole("n", *sizes, "images"); err != nil {
		return err
	}
	chosen, err := parts.Only(*only)
	if err != nil {
		return err
	}
	if len(chosen.Without("figure4", "steps")) > 0 {
		if c.source, err = openSource(c.data); err != nil {
			return err
		}
		c.checked = c.source.images != nil && c.source.classes == 102
	}
	if c.data == "" {
		if err := c.Print("No -data: smaller, embedded sets, which the paper does not have. All numbers are " +
			"ours."); err != nil {
			return err
		}
	}
	return chosen.Print(ctx, c)
}

// check tells what is wrong with the flags.
func (c *command) check() error {
	switch {
	case !(c.tol > 0 && c.tol < 1):
		return fmt.Errorf("-tol %v: want a number above 0 and below 1", c.tol)
	case !(c.cost > 0) || math.IsInf(c.cost, 1):
		return fmt.Errorf("-c %v: want a positive number", c.cost)
	case c.passes < 1 || c.draws < 1 || c.examples < 2 || c.examples > 1<<13:
		return fmt.Errorf("-passes %d -draws %d -examples %d: want at least 1, 1 and 2, at most %d examples", c.passes,
			c.draws, c.examples, 1<<13)
	}
	return report.Workers(&c.workers)
}
