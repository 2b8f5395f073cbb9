// Command bench shows what this library does on this machine: the CPU and the tier of kernels in use, the speed of the kernels
// against pure Go and gonum, top-k support vector machines, trained to a certified gap on images of clothing that come with
// the library, multi-label machines that tell the attributes of clothes of which they have seen no image, and machines that
// find out which of many kernels tell something.
//
//	go run ./bench [-json] [-only kernels|train|zeroshot|manykernels] [-data DIR] [-k 1,3,5] [-lambda L] [-tol 0.001] [-seed 0] [-quick]
//	go run ./bench -projections FILE [-quick]
//	go run ./bench paper NAME [-data DIR] [-out DIR] ...
//
// paper repeats tables and figures of the paper behind a family of models, topk for example, beside the paper's numbers.
// Interrupted, it ends the training at hand, prints how far that came, and exits with a status other than 0.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/dualgap/dualgap/bench/internal/paper"
	"github.com/dualgap/dualgap/bench/internal/progress"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return
	case errors.Is(err, context.Canceled):
		err = errors.New("interrupted")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run is the whole command: results go to stdout, a progress bar to stderr if that is a terminal.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == "paper" {
		return paper.Run(ctx, args[1:], stdout, stderr)
	}
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	var out report = &text{w: stdout}
	if o.json {
		out = newJSONLines(stdout)
	}
	bar := progress.New(stderr)
	defer bar.Clear()
	if err := out.info(newInfo()); err != nil {
		return err
	}
	if o.figure != "" {
		return drawProjections(ctx, o.figure, o.quick, bar, stdout)
	}
	var p *problem
	if o.train { // before the kernels, so that mistakes show at once
		bar.Show(0, "reading the examples")
		if p, err = newProblem(o); err != nil {
			return err
		}
	}
	if o.kernels {
		if err := measureAll(ctx, o.cases, o.window, bar, out); err != nil {
			return err
		}
	}
	if o.train {
		if err := trainAll(ctx, p, bar, out); err != nil {
			return err
		}
	}
	if o.zeroShot {
		if err := zeroShotAll(ctx, newZeroShot(o), bar, out); err != nil {
			return err
		}
	}
	if o.manyKernels {
		m, err := newManyKernels(o)
		if err != nil {
			return err
		}
		return manyKernelsAll(ctx, m, bar, out)
	}
	return nil
}
