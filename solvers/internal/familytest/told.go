package familytest

import (
	"math"

	"github.com/dualgap/dualgap/solvers"
)

// bestDual is the largest dual value of the certificates that were told: its dual variables are the outcome's.
func bestDual(told []solvers.Progress) float64 {
	best := math.Inf(-1)
	for _, p := range told {
		if p.Certified {
			best = max(best, p.Dual)
		}
	}
	return best
}
