// Command scale shows how training grows: the time against the number of examples, and the memory.
//
//	go run ./bench/scale topk [-n 200000] [-d 512] [-classes 1000] [-epochs 5] [-k 5] [-workers 1] [-draw FILE]
//	go run ./bench/scale topk -n 10000,20000,40000,80000 -classes 100 -draw scale.svg
//	go run ./bench/scale m3l [-n 1000000] [-d 100] [-labels 100] [-c 1] [-tol 0.01] [-workers 0] [-draw FILE]
//	go run ./bench/scale m3l -n 60000,125000,250000,500000,1000000 -draw scale.svg
//
// topk trains top-k SVMs on product-quantized examples for some epochs, m3l linear multi-label SVMs on dense ones to a
// certified gap. Examples are made. What is printed besides time and gap is the memory that the program has had from
// the system. For several n a table at the end has the time of an example, the same for all where time is linear in n.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/ending"
	"github.com/dualgap/dualgap/internal/chart"
)

func main() {
	ctx, stop := ending.Context()
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

// families take their options from a set of flags, and train.
var families = map[string]func(*flag.FlagSet) func(context.Context, io.Writer) (curve, error){
	"topk": topkScale, "m3l": m3lScale,
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 || families[args[0]] == nil {
		return fmt.Errorf("want topk or m3l and its options, have %q", args)
	}
	f := flag.NewFlagSet(args[0], flag.ContinueOnError)
	file := f.String("draw", "", "draw the time against n into `file`, as SVG")
	measure := families[args[0]](f)
	if err := f.Parse(args[1:]); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("want no arguments behind the options, have %q", f.Args())
	}
	c, err := measure(ctx, out)
	if err != nil {
		return err
	}
	c.table(out)
	if *file == "" {
		return nil
	}
	return os.WriteFile(*file, c.chart().SVG(), 0o644)
}

// curve is the time for each number of examples.
type curve struct {
	title, name, y string
	n              []int
	seconds        []float64
}

// measure sets the points of c, for a list of numbers separated by commas.
func (c *curve) measure(list string, train func(n int) (seconds float64, err error)) error {
	var numbers []int
	for field := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 {
			return fmt.Errorf("-n %s: %q is not a positive number", list, field)
		}
		numbers = append(numbers, n)
	}
	for _, n := range numbers {
		seconds, err := train(n)
		if err != nil {
			return err
		}
		c.n, c.seconds = append(c.n, n), append(c.seconds, seconds)
	}
	return nil
}

// table prints the points, if there are several, relative to the first.
func (c *curve) table(out io.Writer) {
	if len(c.n) < 2 {
		return
	}
	fmt.Fprintf(out, "%10s %18s %18s %10s\n", "examples", c.y, "µs an example", "relative")
	first := c.seconds[0] / float64(c.n[0])
	for i, n := range c.n {
		each := c.seconds[i] / float64(n)
		fmt.Fprintf(out, "%10d %18.3f %18.3f %10.2f\n", n, c.seconds[i], 1e6*each, each/first)
	}
}

func (c *curve) chart() chart.Chart {
	return chart.Chart{Title: c.title, X: "examples", Y: c.y, At: c.n,
		Lines: []chart.Line{{Name: c.name, Y: c.seconds}}}
}

// memory is what the program has had from the system, in MB. What it gives back is still counted.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys >> 20
}
