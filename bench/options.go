package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/families"
)

// options are the flags of what measures, parsed and checked.
type options struct {
	kernels, solvers, search, workers bool // what to measure
	json, save                        bool
	filter                            *regexp.Regexp
	page, results                     string // files to write, or ""
	families.Options
}

// parse reads a command's flags, of which there are none for the other ones' parts. Help is written to usage, with
// flag.ErrHelp as the error.
func parse(command string, args []string, usage io.Writer) (options, error) {
	all := command == ""
	o := options{kernels: all || command == "kernels", solvers: all || command == "solvers",
		search: all || command == "search", workers: all || command == "workers"}
	page, file := "bench-report.html", "bench-results.txt"
	if !all {
		page, file = "", ""
	}
	var filter, ks string
	f := newFlags("bench " + command)
	f.BoolVar(&o.json, "json", false, "print JSON, an object a line: the machine, then each benchmark")
	f.StringVar(&filter, "filter", "", "measure only what has a name that matches this `regexp`, such as "+
		"Dot/type=f32/n=784, Train/family=topk, Search/n=3000 or Workers/job=gemm")
	f.BoolVar(&o.Quick, "quick", false, "a tenth of the examples and of the time, no large operands: a trial run "+
		"whose figures mean little")
	f.StringVar(&o.page, "out", page, "write the report into `file`, an HTML page")
	f.StringVar(&o.results, "results", file, "write the results into `file`, in Go's benchmark format")
	f.BoolVar(&o.save, "save", false, "write the results into the folder bench/results, too, where there is a file "+
		"for each CPU")
	if o.solvers || o.search {
		f.StringVar(&o.Data, "data", "", "train topk, and search, on the full Fashion-MNIST, whose four files are in "+
			"`dir` or dir/fashion-mnist")
	}
	if o.solvers {
		f.StringVar(&ks, "k", "1,3,5", "train topk with these `numbers` of guesses that count")
		f.Float64Var(&o.Lambda, "lambda", 0, fmt.Sprintf(
			"`weight` of the regularization of topk (default: 1/(C n) for n examples, C = %v)", families.DefaultC))
		f.Float64Var(&o.Tol, "tol", 1e-3, "relative duality `gap` to train to")
		f.Uint64Var(&o.Seed, "seed", 0, "`seed` of the random order of the examples")
	}
	if err := parseFlags(f, args, usage, abouts[command], strings.TrimSpace("bench "+command)+" [flags]"); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q: there are only flags, see -h", f.Arg(0))
	}
	var err error
	if o.filter, err = regexp.Compile(filter); err != nil {
		return o, fmt.Errorf("-filter: %w", err)
	}
	if !o.solvers {
		return o, nil
	}
	chosen := map[string]bool{}
	f.Visit(func(f *flag.Flag) { chosen[f.Name] = true })
	switch {
	case chosen["lambda"] && !positive(o.Lambda):
		return o, fmt.Errorf("-lambda %v: want a positive number", o.Lambda)
	case !positive(o.Tol):
		return o, fmt.Errorf("-tol %v: want a positive number", o.Tol)
	}
	o.Ks, err = parseKs(ks)
	return o, err
}

// abouts say what the commands do.
var abouts = map[string]string{
	"": `Shows what this library does on this machine: kernels on every tier, every family of models, searches
for the nearest images, what several workers gain, and a page with all of it.

other commands, with -h for their flags:
  bench kernels                 the kernels alone
  bench solvers                 the families alone
  bench search                  searches alone
  bench workers                 what several workers gain, alone
  bench report [FILE...]        the page, of results in files
  bench compare OLD NEW         which times differ between two files of results
  bench defaults                accuracy by defaults, beside other programs
  bench paper NAME              tables and figures of a paper`,
	"kernels": "Measures the kernels on every tier of this CPU, against plain Go and gonum.",
	"solvers": "Trains every family of models on data that come with the library.",
	"search":  "Searches for the nearest images, by codes, by lists, exactly and with a proof.",
	"workers": "Measures products, passes, searches and trainings by 1, 2, 4, ... workers, up to all cores.",
	"report":  "Writes the report of the results in files, the first beside the others and bench/results.",
	"compare": "Compares the times in two files of results, OLD and NEW.",
}

func newFlags(name string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard) // the caller prints errors
	f.Usage = func() {}
	return f
}

func parseFlags(f *flag.FlagSet, args []string, usage io.Writer, about, line string) error {
	err := f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(usage, "%s\n\nusage: go run ./%s\n", about, line)
		f.SetOutput(usage)
		f.PrintDefaults()
	}
	return err
}

func positive(v float64) bool { return v > 0 && !math.IsInf(v, 1) }

func parseKs(list string) (ks []int, err error) {
	for s := range strings.SplitSeq(list, ",") {
		k, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || k < 1 {
			return nil, fmt.Errorf("-k %s: %q is not a positive number", list, s)
		}
		ks = append(ks, k)
	}
	return ks, nil
}
