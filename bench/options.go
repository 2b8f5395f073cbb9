package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// options are the flags, parsed and checked.
type options struct {
	json           bool
	kernels, train bool
	zeroShot       bool
	manyKernels    bool
	data           string
	ks             []int
	lambda         float64 // 0: 1/(C n) with defaultC
	tol            float64
	seed           uint64
	quick          bool
	figure         string        // file to draw projections into, or ""
	cases          []Case        // kernels to measure
	window         time.Duration // of one turn of one implementation of a kernel
}

// parse reads the flags. Help is written to usage, with flag.ErrHelp as the error.
func parse(args []string, usage io.Writer) (options, error) {
	var o options
	var only, ks string
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(io.Discard) // the caller prints errors
	f.Usage = func() {}
	f.BoolVar(&o.json, "json", false, "print JSON lines, each with a \"kind\": info, kernel, train, zeroshot or manykernels")
	f.StringVar(&only, "only", "", "`part` to run, kernels, train, zeroshot or manykernels (default: all)")
	f.StringVar(&o.data, "data", "", "train on the full Fashion-MNIST, whose four files are in `dir` or dir/fashion-mnist")
	f.StringVar(&ks, "k", "1,3,5", "train with these `numbers` of guesses that count")
	f.Float64Var(&o.lambda, "lambda", 0, fmt.Sprintf("`weight` of the regularization (default: 1/(C n) for n examples, C = %v)", defaultC))
	f.Float64Var(&o.tol, "tol", 1e-3, "relative duality `gap` to train to")
	f.Uint64Var(&o.seed, "seed", 0, "`seed` of the random order of the examples")
	f.StringVar(&o.figure, "projections", "", "only time projections against their dimension, and draw that into `file`, as SVG")
	f.BoolVar(&o.quick, "quick", false, "a tenth of the examples and of the time, no large matrices: a trial run whose figures mean little")
	if err := f.Parse(args); err != nil {
		if err == flag.ErrHelp {
			fmt.Fprintln(usage, "Prints the CPU, the speed of the kernels, top-k support vector machines trained on images, what is told of\nclasses never seen, and machines on many kernels.\n\nusage: go run ./bench [flags]\n       go run ./bench paper NAME [flags], see bench paper -h")
			f.SetOutput(usage)
			f.PrintDefaults()
		}
		return o, err
	}
	all := only == ""
	o.manyKernels = all || only == "manykernels"
	o.kernels, o.train, o.zeroShot = all || only == "kernels", all || only == "train", all || only == "zeroshot"
	o.cases, o.window = cases(), 4*time.Millisecond
	if o.quick {
		o.cases = slices.DeleteFunc(o.cases, func(c Case) bool { return c.M*c.N > 1e6 })
		o.window /= 10
	}
	chosen := map[string]bool{}
	f.Visit(func(f *flag.Flag) { chosen[f.Name] = true })
	switch {
	case f.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q: there are only flags, see -h", f.Arg(0))
	case chosen["only"] && (all || !o.kernels && !o.train && !o.zeroShot && !o.manyKernels):
		return o, fmt.Errorf("-only %q: want kernels, train, zeroshot or manykernels", only)
	case chosen["lambda"] && (!(o.lambda > 0) || math.IsInf(o.lambda, 1)):
		return o, fmt.Errorf("-lambda %v: want a positive number", o.lambda)
	case !(o.tol > 0) || math.IsInf(o.tol, 1):
		return o, fmt.Errorf("-tol %v: want a positive number", o.tol)
	}
	var err error
	o.ks, err = parseKs(ks)
	return o, err
}

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
