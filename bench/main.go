// Command bench shows what this library does on this machine: the speed of its kernels on every tier that the CPU runs,
// against plain Go and gonum, every family of models, trained to a certified gap on data that come with the library,
// searches with a proof, and what several workers gain.
//
//	go run ./bench [flags]              all four, and a page with all tables and pictures
//	go run ./bench kernels [flags]      the kernels alone
//	go run ./bench solvers [flags]      the families alone
//	go run ./bench search [flags]       searches for the nearest images alone
//	go run ./bench workers [flags]      products, passes, searches and trainings by 1, 2, 4, ... workers alone
//	go run ./bench report [FILE...]     the page, of results in files; the first beside the others
//	go run ./bench compare OLD NEW      which times differ between two files of results
//	go run ./bench defaults [flags]     accuracy of the command's models as they come, beside other programs'
//	go run ./bench paper NAME [flags]   tables and figures of a paper, beside its numbers
//	go run ./bench data check|make      the larger data sets: whether they are right, and how they are made
//
// Results are in Go's benchmark format. -h after each of these tells its flags. Interrupted, or ended by
// SIGTERM or SIGHUP, the command ends the training at hand, prints how far that came, removes its temporary files, and
// exits with a status other than 0.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/dualgap/dualgap/bench/internal/data"
	"github.com/dualgap/dualgap/bench/internal/defaults"
	"github.com/dualgap/dualgap/bench/internal/ending"
	"github.com/dualgap/dualgap/bench/internal/paper"
)

func main() {
	ctx, stop := ending.Context()
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return
	case errors.Is(err, context.Canceled):
		err = fmt.Errorf("interrupted (%w)", err)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run is the whole command: results go to stdout, a progress bar to stderr if that is a terminal.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	defer data.Watch(stderr)()
	name, rest := "", args
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		name, rest = args[0], args[1:]
	}
	switch name {
	case "", "kernels", "solvers", "search", "workers":
		return measure(ctx, name, rest, stdout, stderr)
	case "report":
		return report(rest, stdout, stderr)
	case "compare":
		return compareFiles(rest, stdout, stderr)
	case "defaults":
		return defaults.Run(ctx, rest, stdout, stderr)
	case "paper":
		return paper.Run(ctx, rest, stdout, stderr)
	case "data":
		return data.Run(ctx, rest, stdout, stderr)
	}
	return fmt.Errorf("unknown command %q: want kernels, solvers, search, workers, report, compare, defaults, paper, "+
		"data or none, see -h", name)
}
