package view

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/chart"
	"github.com/dualgap/dualgap/bench/internal/kernels"
	"github.com/dualgap/dualgap/bench/internal/results"
)

// The roofline model: a kernel that makes x operations for each byte cannot make more than min(peak, x bandwidth) a second,
// with the bandwidth of the level where its operands are (Williams, Waterman and Patterson, 2009). Both limits are those of
// this machine, measured by the fastest kernels there are for that: products of matrices, and streams.

// bandwidths returns the GB/s of each level, 0 where it was not measured.
func bandwidths(s *results.Set) []float64 {
	b := make([]float64, len(kernels.Levels))
	for k, level := range kernels.Levels {
		for _, l := range s.Where("Stream", "level", level) {
			b[k] = max(b[k], l.Value("GB/s"))
		}
	}
	return b
}

// peak returns the most GFLOP/s of an implementation in a precision, by products of matrices.
func peak(list []speed, typ, impl string) (most float64) {
	for _, s := range list {
		if l, ok := s.best[impl]; ok && s.Name == "Gemm" && s.typ == typ {
			most = max(most, l.Value("GFLOP/s"))
		}
	}
	return most
}

func caches(s *results.Set) (sizes [3]int) {
	for k, key := range []string{"l1d", "l2", "l3"} {
		sizes[k], _ = strconv.Atoi(s.Get(key))
	}
	return sizes
}

// roofline draws the kernels of a precision on the best tier under the roofs of the machine.
func roofline(s *results.Set, list []speed, typ string) (Figure, bool) {
	bandwidth, tier := bandwidths(s), s.Get("tier")
	top := peak(list, typ, tier)
	if top == 0 || bandwidth[0] == 0 {
		return Figure{}, false
	}
	points := make([]chart.Line, len(kernels.Levels))
	at := map[float64][]string{}
	low, high := math.Inf(1), 0.0
	for _, k := range list {
		l, ok := k.best[tier]
		x := k.Intensity(k.element())
		if k.typ != typ || !ok || x == 0 {
			continue
		}
		level := kernels.Level(k.Footprint(k.element()), caches(s))
		points[level].X, points[level].Y = append(points[level].X, x), append(points[level].Y, l.Value("GFLOP/s"))
		low, high = min(low, x), max(high, x)
		if name := round3(x); !slices.Contains(at[name], k.Name) {
			at[name] = append(at[name], k.Name)
		}
	}
	picture := chart.Chart{Title: "Roofline, " + typ + ", " + tier, X: "operations for each byte", Y: "GFLOP/s"}
	low, high = low/1.5, high*1.5
	for k, b := range bandwidth {
		if b == 0 {
			continue
		}
		line := chart.Line{Name: fmt.Sprintf("%s %s GB/s", kernels.Levels[k], number(b, 3)), Y: []float64{low * b}, X: []float64{low}, Bare: true}
		if ridge := top / b; ridge > low && ridge < high {
			line.X, line.Y = append(line.X, ridge), append(line.Y, top)
		}
		line.X, line.Y = append(line.X, high), append(line.Y, min(top, high*b))
		picture.Lines = append(picture.Lines, line)
		points[k].Like, points[k].Dots = len(picture.Lines), true
	}
	for _, other := range strings.Fields(s.Get("tiers")) {
		if p := peak(list, typ, other); p > 0 && other != tier {
			picture.Lines = append(picture.Lines, chart.Line{Name: fmt.Sprintf("peak of %s, %s", other, number(p, 3)), X: []float64{low, high}, Y: []float64{p, p}, Bare: true})
		}
	}
	for _, p := range points {
		if p.X != nil && p.Dots {
			picture.Lines = append(picture.Lines, p)
		}
	}
	return Figure{Title: picture.Title, SVG: picture.SVG(), Caption: "A point is a kernel at one size, in the colour of the cache that holds its " +
		"operands; the nearer to the line of that colour, the nearer to what the machine can do; far below are calls on 16 numbers. " +
		"From left to right: " + names(at) + "."}, true
}

// round3 rounds to two decimals, below 1 to three.
func round3(v float64) float64 {
	if v < 1 {
		return math.Round(v*1000) / 1000
	}
	return math.Round(v*100) / 100
}

// names lists the kernels by intensity; those of matrices, whose intensity varies a little with the size, once.
func names(at map[float64][]string) string {
	var xs []float64
	for x := range at {
		xs = append(xs, x)
	}
	slices.Sort(xs)
	var list []string
	for _, x := range xs {
		for _, name := range at[x] {
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return strings.Join(list, ", ")
}

// roofTable says of each kernel how much of its roof it reaches.
func roofTable(s *results.Set, list []speed) (Table, bool) {
	bandwidth, tier := bandwidths(s), s.Get("tier")
	t := Table{Title: "Roofline, " + tier + ": what part of the machine's limit each kernel reaches",
		Head: []string{"kernel", "size", "type", "operands in", "operations a byte", "GFLOP/s", "limit", "%"},
		Note: "The limit is the smaller of the peak, by the product of matrices of this precision, and the operations a byte times the " +
			"bandwidth where the operands are, by sums and updates of vectors. Sorting, exponentials and projections are not here: their operations are not counted."}
	for _, k := range list {
		l, ok := k.best[tier]
		level := kernels.Level(k.Footprint(k.element()), caches(s))
		top := peak(list, k.typ, tier)
		x := k.Intensity(k.element())
		if !ok || x == 0 || top == 0 || bandwidth[level] == 0 {
			continue
		}
		roof := min(top, x*bandwidth[level])
		t.Rows = append(t.Rows, []string{k.Name, k.String(), k.typ, kernels.Levels[level], number(x, 2), number(l.Value("GFLOP/s"), 3),
			number(roof, 3), number(100*l.Value("GFLOP/s")/roof, 2)})
	}
	return t, t.Rows != nil
}
