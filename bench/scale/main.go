// Command scale shows how training top-k SVMs on product-quantized examples grows: the time of an epoch against the number of
// examples, and the memory.
//
//	go run ./bench/scale [-n 200000] [-d 512] [-classes 1000] [-epochs 5] [-k 5] [-workers 1] [-draw FILE]
//	go run ./bench/scale -n 10000,20000,40000,80000 -classes 100 -draw scale.svg
//
// Examples are made: random codes of 8 bits for each 16 features, random centroids, and the labels that a random linear model
// gives. What is printed besides time and gap is the memory that the program has from the system.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("scale", flag.ContinueOnError)
	list := f.String("n", "200000", "`numbers` of examples")
	d := f.Int("d", 512, "features, a multiple of 16")
	classes := f.Int("classes", 1000, "classes")
	epochs := f.Int("epochs", 5, "epochs to train for")
	k := f.Int("k", 5, "guesses that count")
	workers := f.Int("workers", 1, "goroutines")
	file := f.String("draw", "", "draw the time of an epoch against n into `file`, as SVG")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *d < dsub || *d%dsub != 0 || *classes < 2 || *epochs < 1 || f.NArg() > 0 {
		return fmt.Errorf("want -d a multiple of %d, -classes at least 2, -epochs at least 1 and no arguments; have %d, %d, %d, %q", dsub, *d, *classes, *epochs, f.Args())
	}
	c := chart.Chart{Title: fmt.Sprintf("%d features, %d classes, compressed", *d, *classes), X: "examples", Y: "seconds an epoch"}
	line := chart.Line{Name: fmt.Sprintf("top-%d", *k)}
	for field := range strings.SplitSeq(*list, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 {
			return fmt.Errorf("-n %s: %q is not a positive number", *list, field)
		}
		config := topk.Config{K: *k, Lambda: 10 / float64(n), Classes: *classes, Epochs: *epochs, Workers: *workers, Tol: 1e-9}
		seconds, err := train(ctx, n, *d, config, out)
		if err != nil {
			return err
		}
		c.At, line.Y = append(c.At, n), append(line.Y, seconds)
	}
	if *file == "" {
		return nil
	}
	c.Lines = []chart.Line{line}
	return os.WriteFile(*file, c.SVG(), 0o644)
}

const dsub = 16 // features in a subspace

// train prints every epoch and returns the mean time of one.
func train(ctx context.Context, n, d int, c topk.Config, out io.Writer) (seconds float64, err error) {
	x, y, err := problem(n, d, c.Classes)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "n=%d d=%d classes=%d k=%d: %d MB as float32, %d MB as codes\n", n, d, c.Classes, c.K, n*d*4>>20, n*d/dsub>>20)
	start := time.Now()
	var last time.Duration
	c.Progress = func(p solvers.Progress) {
		last = time.Since(start)
		fmt.Fprintf(out, "  epoch %d: %6.2f s, relative gap %.2e, memory %d MB\n", p.Epoch, last.Seconds(), p.RelativeGap(), memory())
	}
	r, err := topk.Fit(ctx, x, y, c)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "  %v - %v; %.2f s in all\n", r.Status, r.Certificate, time.Since(start).Seconds())
	return last.Seconds() / float64(r.Epochs), nil
}

// problem makes examples and labels.
func problem(n, d, classes int) (*pq.Matrix, []int, error) {
	r := rand.New(rand.NewPCG(1, 2))
	centroids := make([]float32, 256*d)
	for i := range centroids {
		centroids[i] = float32(r.NormFloat64())
	}
	q, err := pq.New(d, d/dsub, 8, centroids, nil)
	if err != nil {
		return nil, nil, err
	}
	codes := make([]byte, n*q.CodeSize())
	for i := range codes {
		codes[i] = byte(r.Uint32())
	}
	x, err := pq.NewMatrix(q, n, codes, pq.MatrixOptions{Workers: 1})
	if err != nil {
		return nil, nil, err
	}
	w := vec.NewMatrix[float32](d, classes)
	for i := range w.Data {
		w.Data[i] = float32(r.NormFloat64())
	}
	y, rows := make([]int, n), make([]int, 0, 4096)
	scores := vec.NewMatrix[float32](cap(rows), classes)
	for from := 0; from < n; from += len(rows) {
		rows = rows[:0]
		for i := from; i < min(from+cap(rows), n); i++ {
			rows = append(rows, i)
		}
		s := scores.Slice(0, len(rows), 0, classes)
		x.Scores(s, w, rows)
		for p, i := range rows {
			y[i] = vec.ArgMax(s.Row(p))
		}
	}
	return x, y, nil
}

// memory is what the program has from the system, in MB.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys >> 20
}
