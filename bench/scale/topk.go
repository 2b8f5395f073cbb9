package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// topkScale trains for some epochs on random codes of 8 bits for each 16 features and random centroids, with the labels
// that a random linear model gives. It draws the time of an epoch.
func topkScale(f *flag.FlagSet) func(context.Context, io.Writer) (curve, error) {
	list := f.String("n", "200000", "`numbers` of examples")
	d := f.Int("d", 512, "features, a multiple of 16")
	classes := f.Int("classes", 1000, "classes")
	epochs := f.Int("epochs", 5, "epochs to train for")
	k := f.Int("k", 5, "guesses that count")
	workers := f.Int("workers", 1, "goroutines")
	return func(ctx context.Context, out io.Writer) (curve, error) {
		if *d < dsub || *d%dsub != 0 || *classes < 2 || *epochs < 1 {
			return curve{}, fmt.Errorf("want -d a multiple of %d, -classes at least 2 and -epochs at least 1; have "+
				"%d, %d, %d",
				dsub, *d, *classes, *epochs)
		}
		c := curve{
			title: fmt.Sprintf("%d features, %d classes, compressed", *d, *classes),
			name:  fmt.Sprintf("top-%d", *k), y: "seconds an epoch",
		}
		return c, c.measure(*list, func(n int) (float64, error) {
			config := topk.Config{
				K: *k, Lambda: 10 / float64(n), Classes: *classes, Epochs: *epochs, Workers: *workers, Tol: 1e-9,
			}
			return train(ctx, n, *d, config, out)
		})
	}
}

const dsub = 16 // features in a subspace

// train prints every epoch and returns the mean time of one.
func train(ctx context.Context, n, d int, c topk.Config, out io.Writer) (seconds float64, err error) {
	x, y, err := problem(n, d, c.Classes)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "n=%d d=%d classes=%d k=%d: %d MB as float32, %d MB as codes\n", n, d, c.Classes, c.K, n*d*4>>20,
		n*d/dsub>>20)
	start := time.Now()
	var last time.Duration
	c.Progress = func(p solvers.Progress) {
		last = time.Since(start)
		fmt.Fprintf(out, "  epoch %d: %6.2f s, relative gap %.2e, memory %d MB\n", p.Epoch, last.Seconds(),
			p.RelativeGap(), memory())
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
