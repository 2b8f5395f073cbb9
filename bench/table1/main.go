// Command table1 repeats the top-k SVM rows of Table 1 of Lapin, Hein and Schiele, "Top-k Multiclass SVM" (NIPS 2015), on
// Caltech-101 Silhouettes, and prints them beside the paper's.
//
//	go run ./bench/table1 [-data DIR] [-c 0.001,0.01,0.1] [-tol 0.00001] [-workers 1]
//
// DIR holds caltech101-silhouettes28-{train,val,test}.svm.gz: 28 x 28 pixels, 0 or 1, as they are. Models are trained on
// the training part alone, without bias. C = 1/(lambda n) is the one with the largest top-1 accuracy on the validation part,
// each training from the dual variables of the smaller C before it; with that C training goes on to the gap of -tol.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/topk"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "table1:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("table1", flag.ContinueOnError)
	data := f.String("data", os.Getenv("DUALGAP_DATA"), "`folder` of the three files")
	list := f.String("c", "0.001,0.01,0.1", "`numbers` to choose C from")
	tol := f.Float64("tol", 1e-5, "relative duality `gap` to train to: at 1e-3 and 1e-4 accuracies still move by 0.2 points")
	workers := f.Int("workers", 1, "goroutines of a training")
	if err := f.Parse(args); err != nil {
		return err
	}
	if !(*tol > 0) {
		return fmt.Errorf("-tol %v: need a positive number", *tol)
	}
	cs, err := parse(*list)
	if err != nil {
		return err
	}
	p, err := open(*data)
	if err != nil {
		return err
	}
	p.config = topk.Config{Tol: *tol, Workers: *workers, Classes: p.m, Epochs: 1 << 20}
	fmt.Fprintf(out, "%-22s %6s   %s   %s   %s\n", "", "C", pad("top-1, 2, 3, 4, 5, 10 here"), pad("the paper's"), "largest difference")
	worst := 0.0
	for _, row := range paper {
		start := time.Now()
		c, got, err := p.row(ctx, row.loss, row.k, cs)
		if err != nil {
			return err
		}
		off := 0.0
		for j := range got {
			off = max(off, math.Abs(got[j]-row.accuracy[j]))
		}
		worst = max(worst, off)
		fmt.Fprintf(out, "%-13v k=%-7d %6g   %s   %s   %.2f  (%.1f s)\n", row.loss, row.k, c, cells(got), cells(row.accuracy[:]), off, time.Since(start).Seconds())
	}
	fmt.Fprintf(out, "largest difference of all: %.2f points\n", worst)
	return nil
}

func parse(list string) (cs []float64, err error) {
	for s := range strings.SplitSeq(list, ",") {
		c, err := strconv.ParseFloat(s, 64)
		if err != nil || !(c > 0) || math.IsInf(c, 1) {
			return nil, fmt.Errorf("-c %s: %q is not a positive number", list, s)
		}
		cs = append(cs, c)
	}
	slices.Sort(cs)
	return cs, nil
}

func cells(a []float64) string {
	var b strings.Builder
	for _, v := range a {
		fmt.Fprintf(&b, "%6.2f", v)
	}
	return b.String()
}

func pad(s string) string { return fmt.Sprintf("%-36s", s) }

// tops are the columns of the table.
var tops = []int{1, 2, 3, 4, 5, 10}

// pick returns the columns of the table, in percent.
func pick(accuracy []float64) []float64 {
	cells := make([]float64, len(tops))
	for j, k := range tops {
		cells[j] = 100 * accuracy[k-1]
	}
	return cells
}

// accuracies returns those of r on x and y.
func accuracies(r *topk.Result[float32], x *dataset.CSR[float32], y []int) ([]float64, error) {
	ranked, err := solvers.TopK(r, x, slices.Max(tops), 0)
	if err != nil {
		return nil, err
	}
	return metrics.TopKRanked(ranked, y, slices.Max(tops))
}
