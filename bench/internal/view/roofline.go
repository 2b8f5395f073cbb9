package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/kernels"
	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/internal/chart"
)

// The roofline model: a kernel that makes x operations for each byte cannot make more than min(peak, x bandwidth) a
// second, with the bandwidth of the level where its operands are (Williams, Waterman and Patterson, 2009). Both limits
// are this machine's, measured by the fastest kernels there are for that: products of matrices, and streams.

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
	var dots []dot
	low, high := math.Inf(1), 0.0
	for _, k := range list {
		l, ok := k.best[tier]
		x := k.Intensity(k.element())
		if k.typ != typ || !ok || x == 0 {
			continue
		}
		level := kernels.Level(k.Footprint(k.element()), caches(s))
		speed := l.Value("GFLOP/s")
		dots = append(dots, dot{k.Name, x, speed, level, len(points[level].X)})
		points[level].X, points[level].Y = append(points[level].X, x), append(points[level].Y, speed)
		points[level].Labels = append(points[level].Labels, "")
		low, high = min(low, x), max(high, x)
	}
	picture := chart.Chart{Title: "Roofline, " + typ + ", " + tier, X: "operations for each byte", Y: "GFLOP/s"}
	low, high = low/1.5, high*1.5
	for k, b := range bandwidth {
		if b == 0 {
			continue
		}
		line := chart.Line{Name: fmt.Sprintf("%s %s GB/s", kernels.Levels[k], number(b, 3)), Y: []float64{low * b},
			X: []float64{low}, Bare: true}
		if ridge := top / b; ridge > low && ridge < high {
			line.X, line.Y = append(line.X, ridge), append(line.Y, top)
		}
		line.X, line.Y = append(line.X, high), append(line.Y, min(top, high*b))
		picture.Lines = append(picture.Lines, line)
		points[k].Like, points[k].Dots = len(picture.Lines), true
	}
	for _, other := range strings.Fields(s.Get("tiers")) {
		if p := peak(list, typ, other); p > 0 && other != tier {
			picture.Lines = append(picture.Lines, chart.Line{Name: fmt.Sprintf("peak of %s, %s", other, number(p, 3)),
				X: []float64{low, high}, Y: []float64{p, p}, Bare: true})
		}
	}
	var names []string
	for c, column := range columns(dots) {
		top := slices.MaxFunc(column, func(a, b dot) int { return cmp.Compare(a.y, b.y) })
		points[top.level].Labels[top.place] = fmt.Sprint(c + 1)
		names = append(names, fmt.Sprintf("%d %s", c+1, kernelsOf(column)))
	}
	for _, p := range points {
		if p.X != nil && p.Dots {
			picture.Lines = append(picture.Lines, p)
		}
	}
	return Figure{Title: picture.Title, SVG: picture.SVG(),
		Caption: "A point is a kernel at one size, in the colour of the cache that holds its " +
			"operands; the nearer to the line of that colour, the nearer to what the machine can do; far below are " +
			"calls on 16 numbers. " +
			"The columns of points: " + strings.Join(names, "; ") + "."}, true
}

// dot is a point of the roofline: a kernel at one size.
type dot struct {
	kernel       string
	x, y         float64
	level, place int // in the lines of points
}

// columns groups points by their intensity, from left to right: the intensity of kernels of matrices varies a little
// with the size.
func columns(dots []dot) (groups [][]dot) {
	slices.SortStableFunc(dots, func(a, b dot) int { return cmp.Compare(a.x, b.x) })
	for _, d := range dots {
		if last := len(groups) - 1; last >= 0 && d.x <= 1.2*groups[last][0].x {
			groups[last] = append(groups[last], d)
		} else {
			groups = append(groups, []dot{d})
		}
	}
	return groups
}

// kernelsOf names the kernels of a column, each once.
func kernelsOf(column []dot) string {
	var names []string
	for _, d := range column {
		if !slices.Contains(names, d.kernel) {
			names = append(names, d.kernel)
		}
	}
	return strings.Join(names, ", ")
}

// roofTable says of each kernel how much of its roof it reaches.
func roofTable(s *results.Set, list []speed) (Table, bool) {
	bandwidth, tier := bandwidths(s), s.Get("tier")
	t := Table{Title: "Roofline, " + tier + ": what part of the machine's limit each kernel reaches",
		Head: []string{"kernel", "size", "type", "operands in", "operations a byte", "GFLOP/s", "limit", "%"},
		Note: "The limit is the smaller of the peak, by the product of matrices of this precision, and the " +
			"operations a byte times the " +
			"bandwidth where the operands are, by sums and updates of vectors. Sorting, exponentials and projections " +
			"are not here: their operations are not counted."}
	for _, k := range list {
		l, ok := k.best[tier]
		level := kernels.Level(k.Footprint(k.element()), caches(s))
		top := peak(list, k.typ, tier)
		x := k.Intensity(k.element())
		if !ok || x == 0 || top == 0 || bandwidth[level] == 0 {
			continue
		}
		roof := min(top, x*bandwidth[level])
		t.Rows = append(t.Rows, []string{k.Name, k.String(), k.typ, kernels.Levels[level], number(x, 2),
			number(l.Value("GFLOP/s"), 3),
			number(roof, 3), number(100*l.Value("GFLOP/s")/roof, 2)})
	}
	return t, t.Rows != nil
}
