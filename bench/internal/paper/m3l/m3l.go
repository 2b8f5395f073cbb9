// Package m3l repeats tables and figures of Hariharan, Vishwanathan and Varma, "Efficient max-margin multi-label
// classification with applications to zero-shot learning" (Machine Learning 88, 2012), on the sets at hand.
package m3l

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/report"
)

// command is what the flags say, and where results go.
type command struct {
	*report.Report
	data                 report.Folder
	tol                  float64
	seed                 uint64
	draws, size, workers int
	sizes                []int // N of Table 1
	examples             int   // N of Figures 2 and 3
}

// parts are the tables and figures, in the order of printing.
var parts = []struct {
	name string
	run  func(c *command, ctx context.Context) error
}{
	{"table1", (*command).table1},
	{"table2", (*command).table2},
	{"figures2and3", (*command).figures23},
	{"figure5", (*command).figure5},
	{"table3", (*command).table3},
}

// Run is the command.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	f := report.NewFlags("m3l", "{yeast,tmc2007-500}-{train,test}.mlsvm.gz and rcv1sub1.mlsvm.gz",
		"Tables 1 to 3 and Figures 2, 3 and 5 of \"Efficient max-margin multi-label classification\", beside the paper's numbers.")
	c := &command{}
	only := f.String("only", strings.Join(names, ","), "`parts` to repeat")
	sizes := f.String("n", "2000,10000,15000,21519", "`numbers` of training examples of Table 1")
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
	switch {
	case !(c.tol > 0) || math.IsInf(c.tol, 1):
		return fmt.Errorf("-tol %v: need a positive number", c.tol)
	case c.draws < 1 || c.size < 3 || c.examples < 1:
		return fmt.Errorf("-draws %d -subset %d -examples %d: need at least 1, 3 and 1", c.draws, c.size, c.examples)
	}
	ns, err := report.Positive("n", *sizes)
	if err != nil {
		return err
	}
	for _, n := range ns {
		if n != math.Trunc(n) || n > math.MaxInt32 {
			return fmt.Errorf("-n %s: %v is no number of examples", *sizes, n)
		}
		c.sizes = append(c.sizes, int(n))
	}
	chosen := strings.Split(*only, ",")
	for _, name := range chosen {
		if !slices.Contains(names, name) {
			return fmt.Errorf("-only %s: %q is none of %s", *only, name, strings.Join(names, ", "))
		}
	}
	for _, p := range parts {
		if !slices.Contains(chosen, p.name) {
			continue
		}
		if err := p.run(c, ctx); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}
