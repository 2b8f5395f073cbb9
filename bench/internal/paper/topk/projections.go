package topk

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/project"
)

// Figure 3 of "Top-k Multiclass SVM": the time to project vectors drawn from N(0,1), float32, against their dimension,
// onto the top-k simplex of radius 1 and onto its rival, the continuous knapsack { 0 <= x_i <= 1, <1,x> = 1 }.

// projection is one line of the figure.
type projection struct {
	name    string
	project func(dst, a []float32, w *project.Workspace[float32])
}

func projections() []projection {
	list := []projection{{"knapsack", func(dst, a []float32, w *project.Workspace[float32]) {
		if _, err := project.Knapsack(dst, a, 0, 1, project.Equal, 1, w); err != nil {
			panic(err) // a sum of 1 is within the bounds
		}
	}}}
	for _, k := range []int{1, 5, 10} {
		list = append(list, projection{fmt.Sprintf("top-%d simplex", k),
			func(dst, a []float32, w *project.Workspace[float32]) {
				project.TopKSimplex(dst, a, k, 1, 0, w)
			}})
	}
	return list
}

// figureSizes are the dimensions, three a decade, and the number of vectors of each.
func figureSizes(quick bool) (dims []int, vectors int) {
	dims, vectors = []int{10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000,
		1000000}, 1000
	if quick {
		return dims[:10], 100
	}
	return dims, vectors
}

// figurePasses is how often each batch of vectors is timed.
const figurePasses = 5

// drawProjections measures the figure and prints its numbers, one projection after the other.
func drawProjections(ctx context.Context, r *report.Report, quick bool) error {
	dims, vectors := figureSizes(quick)
	c := chart.Chart{
		Title: fmt.Sprintf("Projecting %d vectors from N(0,1), float32", vectors),
		X:     "dimension", Y: "seconds", At: dims,
	}
	table := report.Table{Name: "topk-projections", Title: c.Title + ": ns a vector", Rows: "dimension"}
	for _, p := range projections() {
		c.Lines = append(c.Lines, chart.Line{Name: p.name})
		table.Columns = append(table.Columns, report.Column{Name: p.name, Digits: 1})
	}
	t, err := r.Begin(table)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(3, 4))
	for i, d := range dims {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.Bar.Show(float64(i)/float64(len(dims)), fmt.Sprintf("projections, dimension %d", d))
		ns := timeProjections(d, vectors, random)
		cells := make([]report.Cell, len(ns))
		for j, t := range ns {
			c.Lines[j].Y = append(c.Lines[j].Y, t*float64(vectors)/1e9)
			cells[j] = report.Number(t)
		}
		if err := t.Row(fmt.Sprint(d), cells...); err != nil {
			return err
		}
	}
	if err := t.End(); err != nil {
		return err
	}
	if err := r.Figure("topk-figure3", c); err != nil {
		return err
	}
	return projectionClaims(r, c.Lines, dims)
}

// projectionClaims prints what the times of the figure say of the paper's claims. The first line is the knapsack's.
func projectionClaims(r *report.Report, lines []chart.Line, dims []int) error {
	first, last := slices.Index(dims, 1000), len(dims)-1 // below, a call's own cost counts
	slope, ratio := 0.0, 0.0
	for _, l := range lines[1:] {
		slope = max(slope, math.Log(l.Y[last]/l.Y[first])/math.Log(float64(dims[last])/float64(dims[first])))
		for i := first; i <= last; i++ {
			ratio = max(ratio, l.Y[i]/lines[0].Y[i])
		}
	}
	if err := r.Claim(slope <= 1.1, "Figure 3", "the time is linear in the dimension",
		"a power of %.2f at most, from %d to %d", slope, dims[first], dims[last]); err != nil {
		return err
	}
	return r.Claim(ratio <= 1.5, "Figure 3", "the top-k simplex takes as long as the knapsack",
		"%.2f times as long at most, from dimension %d on", ratio, dims[first])
}

// timeProjections returns the nanoseconds a vector of each projection. Each batch of vectors is projected by all of
// them in turn, once to warm up and then for the clock: the best of a few passes over the batch counts, as others use
// the machine, too.
func timeProjections(d, vectors int, random *rand.Rand) []float64 {
	list := projections()
	total := make([]time.Duration, len(list))
	batch := min(vectors, max(1, 1<<20/d))
	a, x := make([]float32, batch*d), make([]float32, d)
	var w project.Workspace[float32]
	done := 0
	for ; done < vectors; done += batch {
		for i := range a {
			a[i] = float32(random.NormFloat64())
		}
		for j, p := range list {
			p.project(x, a[:d], &w)
			best := time.Duration(math.MaxInt64)
			for range figurePasses {
				start := time.Now()
				for i := range batch {
					p.project(x, a[i*d:(i+1)*d], &w)
				}
				best = min(best, time.Since(start))
			}
			total[j] += best
		}
	}
	ns := make([]float64, len(list))
	for j, t := range total {
		ns[j] = float64(t) / float64(done)
	}
	return ns
}
