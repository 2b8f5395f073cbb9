// Package toprank repeats tables and figures of Mácha, Adam and Šmídl, "Nonlinear classifiers for ranking problems
// based on kernelized SVM" (2020), on the same sets, of which Fashion-MNIST is cut down unless it is given in full.
package toprank

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/dualgap/dualgap/bench/internal/fashion"
	"github.com/dualgap/dualgap/bench/internal/report"
)

// command is what the flags say, and where results go.
type command struct {
	*report.Report
	sets    []set
	images  *set // the full Fashion-MNIST, where it is given
	seed    uint64
	seeds   int
	tol     float64
	workers int
	memory  float64 // GB of kernel rows in Table 4
	loops   int     // of Algorithm 3.1
}

// parts are the tables and figures, in the order of printing.
var parts = report.Parts[*command]{
	{Name: "table2", Run: (*command).table2},
	{Name: "table3", Run: (*command).table3},
	{Name: "table3scaled", Run: (*command).table3scaled},
	{Name: "table4", Run: (*command).table4},
	{Name: "figures1and2", Run: (*command).figures12},
	{Name: "figure3", Run: (*command).figure3},
	{Name: "full", Run: (*command).full, Hidden: true},
}

// Run is the command.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return run(ctx, openSets(), args, stdout, stderr)
}

func run(ctx context.Context, sets []set, args []string, stdout, stderr io.Writer) error {
	f := report.NewFlags("toprank", "the four files of Fashion-MNIST or of its folder fashion-mnist, for Tables "+
		"2 and 4 "+
		"and for -full; the other sets and its first images are embedded",
		"Tables 2 to 4 and Figures 1 to 3 of \"Nonlinear classifiers for ranking problems based on kernelized SVM\",\n"+
			"beside the paper's numbers.")
	f.NoData = true
	c := &command{sets: sets}
	only := f.String("only", parts.Without("table3scaled").String(),
		"`parts` to repeat; table3scaled is Table 3 with standardized features")
	full := f.Bool("full", false, "Figures 1 and 2 of the full Fashion-MNIST of -data, and nothing else")
	f.IntVar(&c.seeds, "seeds", 1, "random splits of Table 3")
	f.Uint64Var(&c.seed, "seed", 1, "`seed` of the first split")
	f.Float64Var(&c.tol, "tol", 1e-3, "relative duality `gap` to train to")
	f.IntVar(&c.workers, "workers", 0, "trainings at the same time, 0: as many as cores")
	f.Float64Var(&c.memory, "memory", 1, "`GB` of kernel rows of Fashion-MNIST in Table 4: 10.1 hold 50000 examples")
	f.IntVar(&c.loops, "loops", 20000, "repeat loops of Algorithm 3.1 in Table 4 and Figure 3")
	r, err := f.Begin(args, stdout, stderr)
	if err != nil {
		return err
	}
	defer r.Bar.Clear()
	c.Report = r
	if err := c.check(); err != nil {
		return err
	}
	if *full {
		*only = "full"
	}
	chosen, err := parts.Only(*only)
	if err != nil {
		return err
	}
	if chosen.Has("full") && f.Data == "" {
		return fmt.Errorf("-full: want -data, the folder of Fashion-MNIST, or DUALGAP_DATA")
	}
	if f.Data != "" {
		train, test, err := fashion.Open(string(f.Data))
		if err != nil {
			return err
		}
		s := newImages(train, test)
		c.images = &s
	}
	return chosen.Print(ctx, c)
}

// check tells what is wrong with the flags.
func (c *command) check() error {
	switch {
	case !(c.tol > 0) || math.IsInf(c.tol, 1):
		return fmt.Errorf("-tol %v: want a positive number", c.tol)
	case c.seeds < 1 || c.loops < 10:
		return fmt.Errorf("-seeds %d -loops %d: want at least 1 and 10", c.seeds, c.loops)
	case !(c.memory > 0) || c.memory > 1e6:
		return fmt.Errorf("-memory %v: want a positive number of GB", c.memory)
	}
	return report.Workers(&c.workers)
}
