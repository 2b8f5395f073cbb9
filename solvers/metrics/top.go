package metrics

import (
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// AccuracyAtTop returns the accuracy at the top, and its threshold: the fraction of the positive examples that are not
// below the top tau-quantile of the scores of the negative ones, or, where all is set, of all examples,
//
//	accuracy = #{positive i: s_i >= t} / n+,   t = max{t: #{j: s_j >= t} >= tau n}
//
// over those n examples j (Mácha, Adam and Šmídl, Nonlinear classifiers for ranking problems based on kernelized SVM,
// 2020, (8) and (9) with the 0-1 loss in the place of l1). So t is the k-th largest of their scores, k = ceil(tau n)
// with the ceiling of [PrecisionAtRecall]: tau = .07 of 100 examples is 7 of them. Of examples that score t the
// negative ones come first: with the negative examples' quantile a positive example at t is below it, and with the
// quantile of all no more than k examples are above. So one score for all gains nothing, and the order of rows does not
// matter. With tau <= 1/n of the negative examples it is the fraction of the positive examples above all of them. It is
// an error unless 0 < tau <= 1, if no example is positive or none is negative, if a score is NaN, or if the lengths
// differ. O(n log n).
func AccuracyAtTop[T vec.Float](scores []T, positive []bool, tau float64, all bool) (
	accuracy float64, threshold T, err error,
) {
	if !(tau > 0 && tau <= 1) {
		return 0, 0, fmt.Errorf("metrics: accuracy at the top %v, want a part above 0 and at most 1", tau)
	}
	count, err := countPositives(scores, positive)
	if err != nil {
		return 0, 0, err
	}
	if count == len(scores) {
		return 0, 0, fmt.Errorf("metrics: all of %d examples are positive, want one that is not", count)
	}
	n := len(scores) - count
	if all {
		n = len(scores)
	}
	k, above, found := atRecall(tau, n), 0, cuts(scores, positive)
	at := slices.IndexFunc(found, func(c cut[T]) bool { return c.wrong >= k || all && c.wrong+c.right >= k })
	if at > 0 {
		above = found[at-1].right
	}
	if all {
		above = max(above, k-found[at].wrong)
	}
	return fraction(above, count), found[at].threshold, nil
}
