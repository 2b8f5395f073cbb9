// Package paper repeats tables and figures of the papers that this library follows, and prints them beside the numbers
// of the papers.
package paper

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/paper/m3l"
	"github.com/dualgap/dualgap/bench/internal/paper/mkl"
	"github.com/dualgap/dualgap/bench/internal/paper/topk"
	"github.com/dualgap/dualgap/bench/internal/paper/toprank"
	"github.com/dualgap/dualgap/bench/internal/paper/tracenorm"
)

// commands are the papers, by the name of the family of models.
var commands = []struct {
	name, about string
	run         func(ctx context.Context, args []string, stdout, stderr io.Writer) error
}{
	{"m3l", "Hariharan, Vishwanathan, Varma: Efficient max-margin multi-label classification, 2012", m3l.Run},
	{"mkl", "Orabona, Luo, Caputo: Online-batch strongly convex multi kernel learning, 2010", mkl.Run},
	{"topk", "Lapin, Hein, Schiele: Top-k Multiclass SVM, 2015", topk.Run},
	{"toprank", "Mácha, Adam, Šmídl: Nonlinear classifiers for ranking problems based on kernelized SVM, 2020",
		toprank.Run},
	{"tracenorm", "Harchaoui, Douze, Paulin, Dudik, Malick: Large-scale image classification with trace-norm " +
		"regularization, 2012", tracenorm.Run},
}

// Run runs the command that the first argument names with the other arguments.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	var names []string
	for _, c := range commands {
		if c.name == name {
			err := c.run(ctx, args[1:], stdout, stderr)
			if err != nil && !errors.Is(err, flag.ErrHelp) {
				err = fmt.Errorf("paper %s: %w", name, err)
			}
			return err
		}
		names = append(names, c.name)
	}
	if name == "-h" || name == "-help" || name == "--help" {
		fmt.Fprintln(stderr, "Tables and figures of a paper, beside its numbers.\n\n"+
			"usage: go run ./bench paper NAME [flags], -h for help, NAME one of")
		for _, c := range commands {
			fmt.Fprintf(stderr, "  %-10s %s\n", c.name, c.about)
		}
		return flag.ErrHelp
	}
	return fmt.Errorf("paper %q: want one of %s", name, strings.Join(names, ", "))
}
