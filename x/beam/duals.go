package beam

import (
	"math"

	"github.com/dualgap/dualgap/solvers/loss"
)

// flat times 1/r is a curvature so small that the scores alone lead a visit.
const flat = 1e-10

// named sets a to the dual variables that the scores s name: the a with the largest dual term less <a, s>, which is
// minus the gradient of the loss at s times r. delta has the length of s.
//
// For a loss that is not smooth it is one of several.
func named(l loss.Loss[float64], a, s []float64, y []int, r float64, delta []float64,
	w *loss.Workspace[float64],
) {
	clear(a)
	l.Visit(a, s, y, flat/r, r, l.Dual(a, y, r, w), math.Inf(-1), delta, w)
}
