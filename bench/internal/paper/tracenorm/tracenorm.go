// Package tracenorm repeats tables and figures of Harchaoui, Douze, Paulin, Dudik and Malick, "Large-scale image
// classification with trace-norm regularization" (CVPR 2012), on the sets at hand: ImageNet's subsets Fungus, Ungulate
// and Vehicle are replaced by Fisher vectors of Caltech-101, of the same 4096 features, and by Caltech-101 Silhouettes;
// where no folder is given, by the first images of Fashion-MNIST.
//
// All methods choose their numbers by threefold cross-validation of top-1 accuracy on the training part: one-vs-rest
// its C among five in .1 to 1e4, and whether a class weighs as much as the rest; the trace norm lambda1 and lambda2 on
// a grid below the largest lambda1, scanned to a coarse gap; multinomial logistic regression lambda2. They are then
// trained on all of that part.
package tracenorm

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
	data                report.Folder
	scan, tol           float64 // gaps: of the scan along a path, of models
	seed                uint64
	orders, steps       int
	workers, rounds     int
	iterations, descent int               // of FISTA and of the rank-one descent
	rows, features      int               // of the products
	examples, classes   int               // of the compressed training
	known               map[string]solved // by the file of a set: all its classes
	small               func() set
	opened              []set
}

// parts are the tables and figures, in the order of printing.
var parts = report.Parts[*command]{
	{Name: "figure1", Run: (*command).figure1},
	{Name: "figure2", Run: (*command).figure2},
	{Name: "images", Run: (*command).images},
	{Name: "figure3", Run: (*command).figure3},
	{Name: "race", Run: (*command).race},
	{Name: "path", Run: (*command).path},
	{Name: "products", Run: (*command).products},
	{Name: "compressed", Run: (*command).compressed},
}

// Run is the command.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return run(ctx, embedded, args, stdout, stderr)
}

// run takes the images of small where there is no folder.
func run(ctx context.Context, small func() set, args []string, stdout, stderr io.Writer) error {
	f := report.NewFlags("tracenorm",
		"caltech101-feat/{fv.npy.gz,index.tsv,scales.tsv}, caltech101-silhouettes28-{train,test}.svm.gz "+
			"and MNIST's t10k files, there or in mnist; without it, the first images of Fashion-MNIST, which are "+
			"embedded",
		"Figures 1 to 3 and the table of products of \"Large-scale image classification with trace-norm "+
			"regularization\",\n"+
			"a race of solvers, a path, and training on codes.")
	f.NoData = true
	c := &command{small: small, known: map[string]solved{}}
	only := f.String("only", parts.String(), "`parts` to repeat")
	full := f.Bool("full", false,
		"five class orders and draws, paths of five by five weights and a finer scan, whatever -orders and -steps say")
	f.IntVar(&c.orders, "orders", 2, "class orders of Figure 2, and draws of images")
	f.IntVar(&c.steps, "steps", 3, "values of lambda1 and of lambda2 to choose from")
	f.IntVar(&c.rounds, "rounds", 5,
		"turns of the race, the products and the compressed training; their least times count")
	f.Float64Var(&c.tol, "tol", 1e-3, "relative duality `gap` to train to")
	f.Uint64Var(&c.seed, "seed", 1, "`seed` of the first order")
	f.IntVar(&c.workers, "workers", 0, "goroutines, but for what is timed; 0: as many as cores")
	f.IntVar(&c.rows, "rows", 16384, "examples of the products; 4096 unless told where there is no folder")
	f.IntVar(&c.features, "features", 4096, "features of the products and of the compressed training, a "+
		"multiple of 16; "+
		"or 2048")
	f.IntVar(&c.examples, "examples", 20000, "examples of the compressed training, 256 at least; or 4000")
	f.IntVar(&c.classes, "classes", 100, "their classes; or 20")
	f.IntVar(&c.descent, "descent", 200, "iterations of the paper's rank-one descent in the race, at most")
	f.IntVar(&c.iterations, "iterations", 5000, "iterations of FISTA at most")
	r, err := f.Begin(args, stdout, stderr)
	if err != nil {
		return err
	}
	defer r.Bar.Clear()
	c.Report, c.data, c.scan = r, f.Data, max(3e-2, c.tol)
	if c.data == "" {
		c.lessen(f)
		if err := c.Print("No -data: smaller, embedded sets, which the paper does not have, and smaller " +
			"products. All " +
			"numbers are ours."); err != nil {
			return err
		}
	}
	if *full {
		c.orders, c.steps, c.scan = 5, 5, max(1e-2, c.tol)
	}
	if err := c.check(); err != nil {
		return err
	}
	chosen, err := parts.Only(*only)
	if err != nil {
		return err
	}
	return chosen.Print(ctx, c)
}

// lessen makes the sizes that no flag tells smaller: the whole command then takes a minute on two cores.
func (c *command) lessen(f *report.Flags) {
	sizes := map[string]func(){
		"rows":     func() { c.rows = 4096 },
		"features": func() { c.features = 2048 },
		"examples": func() { c.examples = 4000 },
		"classes":  func() { c.classes = 20 },
		"rounds":   func() { c.rounds = 3 },
	}
	f.Visit(func(told *flag.Flag) { delete(sizes, told.Name) })
	for _, set := range sizes {
		set()
	}
}

// check tells what is wrong with the flags.
func (c *command) check() error {
	switch {
	case !(c.tol > 0) || math.IsInf(c.tol, 1):
		return fmt.Errorf("-tol %v: want a positive number", c.tol)
	case c.orders < 1 || c.steps < 1 || c.rounds < 1 || c.iterations < 1 || c.descent < 1:
		return fmt.Errorf("-orders %d -steps %d -rounds %d -iterations %d -descent %d: want 1 at least",
			c.orders, c.steps, c.rounds, c.iterations, c.descent)
	case c.rows < 1 || c.features < 16 || c.features%16 != 0 || c.examples < 256 || c.classes < 2:
		return fmt.Errorf("-rows %d -features %d -examples %d -classes %d: want 1, a multiple of 16, 256 and 2 "+
			"at least",
			c.rows, c.features, c.examples, c.classes)
	case max(c.rows, c.examples) > math.MaxInt32/4/c.features:
		return fmt.Errorf("-rows %d -examples %d -features %d: matrices of more than 2 GB", c.rows, c.examples,
			c.features)
	}
	return report.Workers(&c.workers)
}

// sets returns the sets of the figures, read once; the set of Figure 3 is the first.
func (c *command) sets() ([]set, error) {
	if c.data == "" {
		return []set{c.small()}, nil
	}
	if c.opened == nil {
		for _, open := range []func(report.Folder) (set, error){fisher, silhouettes} {
			s, err := open(c.data)
			if err != nil {
				return nil, err
			}
			c.opened = append(c.opened, s)
		}
	}
	return c.opened, nil
}
