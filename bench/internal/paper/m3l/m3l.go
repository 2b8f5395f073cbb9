// Package m3l repeats tables and figures of Hariharan, Vishwanathan and Varma, "Efficient max-margin multi-label
// classification with applications to zero-shot learning" (Machine Learning 88, 2012), on the sets at hand.
package m3l

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"

	"github.com/dualgap/dualgap/bench/internal/report"
)

// command is what the flags say, and where results go.
type command struct {
	*report.Report
	data                 report.Folder
	small                func() ([]*set, error) // what stands for all sets where there is no folder
	tol                  float64
	seed                 uint64
	draws, size, workers int
	sizes                []int // N of Table 1
	examples             int   // N of Figures 2 and 3
}

// parts are the tables and figures, in the order of printing.
var parts = report.Parts[*command]{
	{Name: "table1", Run: (*command).table1},
	{Name: "table2", Run: (*command).table2},
	{Name: "figures2and3", Run: (*command).figures23},
	{Name: "figure5", Run: (*command).figure5},
	{Name: "table3", Run: (*command).table3},
}

// Run is the command.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return run(ctx, embedded, args, stdout, stderr)
}

// The numbers of training examples of Table 1: the paper's, and fewer, for which LIBSVM takes seconds.
const (
	paperSizes = "2000,10000,15000,21519"
	smallSizes = "500,2000"
)

// run takes the sets of small where there is no folder.
func run(ctx context.Context, small func() ([]*set, error), args []string, stdout, stderr io.Writer) error {
	f := report.NewFlags("m3l", "{yeast,tmc2007-500}-{train,test}.mlsvm.gz and rcv1sub1.mlsvm.gz; without it, "+
		"attributes of Fashion-MNIST's classes and of digits, whose images are embedded",
		"Tables 1 to 3 and Figures 2, 3 and 5 of \"Efficient max-margin multi-label classification\", beside the "+
			"paper's numbers.")
	f.NoData = true
	c := &command{small: small}
	only := f.String("only", parts.String(), "`parts` to repeat")
	sizes := f.String("n", "", "`numbers` of training examples of Table 1; default: "+paperSizes+", and "+smallSizes+
		" of embedded sets")
	f.IntVar(&c.examples, "examples", 2000, "training examples of Figures 2 and 3")
	f.IntVar(&c.draws, "draws", 10, "training subsets to draw for Table 3 and Figure 5")
	f.IntVar(&c.size, "subset", 200, "their examples")
	f.Float64Var(&c.tol, "tol", 1e-3, "relative duality `gap` to train to")
	f.Uint64Var(&c.seed, "seed", 1, "`seed` of the first draw")
	f.IntVar(&c.workers, "workers", 1, "goroutines of a training")
	r, err := f.Begin(args, stdout, stderr)
	if err != nil {
		return err
	}
	defer r.Bar.Clear()
	c.Report, c.data = r, f.Data
	if err := c.check(); err != nil {
		return err
	}
	standard := paperSizes
	if c.data == "" {
		standard = smallSizes
	}
	*sizes = cmp.Or(*sizes, standard)
	if c.sizes, err = report.Whole("n", *sizes, "examples"); err != nil {
		return err
	}
	chosen, err := parts.Only(*only)
	if err != nil {
		return err
	}
	if c.data == "" {
		if err := c.Print("No -data: smaller, embedded sets, which the paper does not have. The labels of an image " +
			"are the\nattributes of its class. All numbers are ours."); err != nil {
			return err
		}
	}
	return chosen.Print(ctx, c)
}

// check tells what is wrong with the flags.
func (c *command) check() error {
	switch {
	case !(c.tol > 0) || math.IsInf(c.tol, 1):
		return fmt.Errorf("-tol %v: want a positive number", c.tol)
	case c.draws < 1 || c.size < 3 || c.examples < 1:
		return fmt.Errorf("-draws %d -subset %d -examples %d: want at least 1, 3 and 1", c.draws, c.size, c.examples)
	}
	return nil
}
