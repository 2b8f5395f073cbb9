package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// m3lScale trains to a certified gap. It draws the time of that.
func m3lScale(f *flag.FlagSet) func(context.Context, io.Writer) (curve, error) {
	list := f.String("n", "1000000", "`numbers` of examples")
	d := f.Int("d", 100, "features")
	labels := f.Int("labels", 100, "labels")
	c := f.Float64("c", 1, "C, half the cost of the hinge")
	noise := f.Float64("noise", 0.3, "standard deviation of what is added to the true scores, which have 1")
	tol := f.Float64("tol", 1e-2, "relative gap to train to")
	workers := f.Int("workers", 0, "goroutines; 0: all cores")
	return func(ctx context.Context, out io.Writer) (curve, error) {
		if *d < 2 || *labels < 1 || !(*noise >= 0) {
			return curve{}, fmt.Errorf("want -d at least 2, -labels at least 1 and -noise at least 0; have %d, %d, %v",
				*d, *labels, *noise)
		}
		line := curve{
			title: fmt.Sprintf("%d features, %d labels, to a gap of %g", *d, *labels, *tol),
			name:  fmt.Sprintf("C = %g", *c), y: "seconds",
		}
		return line, line.measure(*list, func(n int) (float64, error) {
			x, sets := teach(n, *d, *labels, *noise)
			return trainM3L(ctx, x, sets, m3l.Config{C: *c, Labels: *labels, Tol: *tol, Workers: *workers}, out)
		})
	}
}

// trainM3L prints every epoch and returns the time of all, the certificate included.
func trainM3L(
	ctx context.Context, x *dataset.Dense[float32], sets [][]int, c m3l.Config, out io.Writer,
) (seconds float64, err error) {
	positive := 0
	for _, set := range sets {
		positive += len(set)
	}
	n, d := x.Dims()
	fmt.Fprintf(out, "n=%d d=%d labels=%d C=%g: %.1f labels an example, memory %d MB\n",
		n, d, c.Labels, c.C, float64(positive)/float64(n), memory())
	start := time.Now()
	c.Progress = func(p solvers.Progress) {
		kind := "estimated"
		if p.Certified {
			kind = "certified"
		}
		fmt.Fprintf(out, "  epoch %d: %6.2f s, relative gap %.2e %s, memory %d MB\n",
			p.Epoch, time.Since(start).Seconds(), p.RelativeGap(), kind, memory())
	}
	r, err := m3l.Fit(ctx, x, sets, c)
	if err != nil {
		return 0, err
	}
	seconds = time.Since(start).Seconds()
	fmt.Fprintf(out, "  %v\n  %.2f s in all, memory %d MB\n", r.Outcome, seconds, memory())
	return seconds, nil
}

// teach draws n examples of norm 1, about, whose last feature is constant and whose others are normal, all of one size.
// An example has a label where the score that a random linear function gives it, plus noise, is above 0. The scores of
// a label have a standard deviation of 1, about; their means are spread evenly from -2.5 to -0.5, so that labels are as
// rare as one in 100 or as frequent as one in three.
func teach(n, d, labels int, noise float64) (*dataset.Dense[float32], [][]int) {
	rng := rand.New(rand.NewPCG(3, 4))
	scale := float32(1 / math.Sqrt(float64(d)))
	teacher := vec.NewMatrix[float32](d, labels)
	for j := range d - 1 {
		for l := range labels {
			teacher.Row(j)[l] = float32(rng.NormFloat64())
		}
	}
	for l := range labels {
		teacher.Row(d - 1)[l] = (-2.5 + 2*(float32(l)+0.5)/float32(labels)) / scale
	}
	x, sets := vec.NewMatrix[float32](n, d), make([][]int, n)
	const block = 1024
	scores, ends := vec.NewMatrix[float32](block, labels), make([]int, block)
	var room []int
	for from := 0; from < n; from += block {
		rows := x.Slice(from, min(from+block, n), 0, d)
		for i := range rows.Rows {
			row := rows.Row(i)
			for j := range row[:d-1] {
				row[j] = scale * float32(rng.NormFloat64())
			}
			row[d-1] = scale
		}
		s := scores.Slice(0, rows.Rows, 0, labels)
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, rows, teacher, 0, s)
		room = room[:0]
		for i := range rows.Rows {
			for l, v := range s.Row(i) {
				if float64(v)+noise*rng.NormFloat64() > 0 {
					room = append(room, l)
				}
			}
			ends[i] = len(room)
		}
		all, begin := slices.Clone(room), 0 // exactly as long as it has to be
		for i, end := range ends[:rows.Rows] {
			sets[from+i], begin = all[begin:end:end], end
		}
	}
	return &dataset.Dense[float32]{Matrix: x}, sets
}
