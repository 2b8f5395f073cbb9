package main

import (
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// binding is the share of the margin from which on rounding keeps dual coordinate ascent from the optimum. Scaled
// features have 1e-4, pixels in 0..1 of MNIST 8e-4, and there numbers of 32 bits do. Raw satimage, 36 bytes, has 1.3:
// momentum in 32 bits ends at a gap of .4 after 10000 passes, in 64 it converges in 1561. The pair steps, interior
// point and L-BFGS of other families converge there in either.
const binding = .05

// rounding estimates how wrong numbers of 32 bits make the scores of a linear model while it is trained, as a share of
// the margin 1:
//
//	u |x|² C sqrt(n), u = 2^-24
//
// |x|² is the mean over the n examples. W is a sum of them, times dual variables of any sign and the size of the cost
// C, so that |W| is about C |x| sqrt(n) as the length of a random walk is; a score <w, x> is known to u |x| |W|.
func rounding[T vec.Float](x design.Matrix[T], bias, cost float64) float64 {
	n, _ := x.Dims()
	norms := make([]float64, n)
	design.Float64(x).SquaredNorms(norms)
	return 0x1p-24 * (vec.Mean(norms) + bias*bias) * cost * math.Sqrt(float64(n))
}

// middle returns the cost, or with -cv the middle one of the grid, which is 1 by default.
func (t *Training) middle(cost float64, grid []float64) float64 {
	switch {
	case t.CV == 0:
		return cost
	case grid == nil:
		return 1
	}
	return slices.Sorted(slices.Values(grid))[len(grid)/2]
}

// wider reports whether a training of which 32 bits are estimated to be that wrong should have numbers of 64 bits, and
// says so. What cannot be read twice, as standard input, stays as it is.
func (t *Training) wider(out *output, wrong float64, also ...string) bool {
	const what = "in numbers of 32 bits rounding makes scores wrong by %.2g of the margin, more or less"
	switch files := append(data.Files(t.Train, t.Options), also...); {
	case t.Float32 || !(wrong > binding):
		return false
	case slices.ContainsFunc(files, once):
		out.hint(fmt.Sprintf(what+": scale the features, or --float64", wrong))
		return false
	}
	out.note(what+": it is trained in 64 (--float32 if not)", wrong)
	return true
}

// once reports whether a file can be read but once, as a pipe.
func once(path string) bool {
	about, err := os.Stat(path)
	return path != "" && (err != nil || !about.Mode().IsRegular())
}
