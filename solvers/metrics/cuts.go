package metrics

import (
	"cmp"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// cut is what predicting "score >= threshold is positive" does.
type cut[T vec.Float] struct {
	threshold    T
	right, wrong int // positive predictions, of positive examples and of others
}

// cuts returns the cut at each score that occurs, the largest first: examples of equal scores come in together. No
// score is NaN. O(n log n).
func cuts[T vec.Float](scores []T, positive []bool) []cut[T] {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(scores[j], scores[i]) })
	var all []cut[T]
	now := cut[T]{}
	for p, i := range order {
		if positive[i] {
			now.right++
		} else {
			now.wrong++
		}
		if p+1 == len(order) || scores[order[p+1]] != scores[i] {
			now.threshold = scores[i]
			all = append(all, now)
		}
	}
	return all
}
