package mkl

import (
	"fmt"
	"math"
	"slices"
)

// What the numbers of the figures say of what the paper claims of them.

// raceClaims are of Figure 1: the last objectives of the paper's stages and of Pegasos, against the dual value of the
// optimum, and the last accuracies of all methods.
func (c *command) raceClaims(races []race, dual float64) error {
	above := func(r race) float64 { return 100 * (r.primal[len(r.primal)-1]/dual - 1) }
	stages, steps := above(races[0]), above(races[1])
	if err := c.Claim(stages < steps, "Figure 1, right", "the two stages converge faster than Pegasos",
		"the objective %.0f%% and %.0f%% above the optimum after as many passes", stages, steps); err != nil {
		return err
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, r := range races {
		last := r.overall[len(r.overall)-1]
		least, most = min(least, last), max(most, last)
	}
	return c.Claim(most-least <= 2, "Figure 1, left", "all methods end with similar accuracies, within 2 points",
		"%.2f%% to %.2f%%", least, most)
}

// simpleClaim is of Figure 3: SimpleMKL has the problem of SILP, p = 1, but for all classes together, where the paper
// has one for each class.
func (c *command) simpleClaim(simple score, ours []score) error {
	best, _ := extremes(ours)
	return c.Claim(ours[best].overall > simple.overall, "section 4.2", "p-norm learning outperforms learning at "+
		"p = 1, there one class against the others", "%.2f%% with p = %v, %.2f%% with SimpleMKL; %.2f s and %.2f s",
		ours[best].overall, norms[best], simple.overall, ours[best].seconds, simple.seconds)
}

// levelClaims are of Figure 2, left: what the online stage alone is worth, the best p, and the shares at the smallest.
func (c *command) levelClaims(all []level) error {
	worst, slowest, second, best := math.Inf(-1), math.Inf(1), math.Inf(-1), 0
	for k, l := range all {
		worst, slowest = max(worst, l.fit.overall-l.online.overall), min(slowest, l.last/l.online.seconds)
		second = max(second, slices.Max(l.lines[0].Y)-l.online.overall)
		if l.fit.overall > all[best].fit.overall {
			best = k
		}
	}
	if err := c.Claim(worst <= 2, "Figure 2, left", "the online stage alone is close to the optimum, within 2 points",
		"at most %.2f points below", worst); err != nil {
		return err
	}
	if err := c.Claim(slowest >= 10, "Figure 2, left", "in a tenth of the time of both stages, at most",
		"both take %.1f times as long, at least", slowest); err != nil {
		return err
	}
	if err := c.Claim(second > 0, "section 3", "the second stage improves on the first", "up to %+.2f points",
		second); err != nil {
		return err
	}
	if err := c.Claim(norms[best] > norms[0] && norms[best] < 2, "Figure 2, left", "the best p is between the "+
		"sparse and "+
		"the dense end, 1.10 to 1.25 in the paper", "p = %v with %.2f%%; %.2f%% at 1.01, %.2f%% at 2", norms[best],
		all[best].fit.overall, all[0].fit.overall, all[len(all)-1].fit.overall); err != nil {
		return err
	}
	shares := slices.Sorted(slices.Values(all[0].shares))
	return c.Claim(shares[len(shares)-2] <= .05, "Figure 2, left", "at p = 1.01 all weights but one approach 0",
		"the second largest share is %.3f", shares[len(shares)-2])
}

// countClaim is of Figure 3: means are the accuracies of p = 1.01, p = 1.1, the average and the best kernel at the
// largest number of images.
func (c *command) countClaim(means [6][]float64, size int) error {
	last := len(means[0]) - 1
	ours, rival := max(means[0][last], means[1][last]), max(means[2][last], means[3][last])
	if err := c.Claim(ours > rival, "Figure 3", "p-norm learning is above the average and above the best kernel alone",
		"%.2f%%; %.2f%% and %.2f%%, with %d images a class", ours, means[2][last], means[3][last], size); err != nil {
		return err
	}
	return c.Claim(means[0][last] >= means[1][last], "Figure 3", "p = 1.01 is best", "%.2f%%, %.2f%% with p = 1.1",
		means[0][last], means[1][last])
}

// digitClaims are of Figure 4: errors in percent of all kernels, their average and the best one, and the time against
// the number of images.
func (c *command) digitClaims(at []float64, errors [3]float64, all []run4) error {
	if err := c.Claim(errors[0] < min(errors[1], errors[2]), "Figure 4", "p-norm learning has fewer errors than the "+
		"average and than the best kernel alone", "%.2f%%; %.2f%% and %.2f%%, with %v images", errors[0], errors[1],
		errors[2], at[len(at)-1]); err != nil {
		return err
	}
	last := len(all) - 1
	if last == 0 {
		return nil
	}
	slope := math.Log(all[last].seconds/all[0].seconds) / math.Log(at[last]/at[0])
	return c.Claim(slope <= 1.2, "Figure 4", "the time is about linear in the number of images",
		fmt.Sprintf("a power of %.2f, from %%v to %%v", slope), at[0], at[last])
}
