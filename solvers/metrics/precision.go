package metrics

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// PrecisionAtRecall returns the precision of the largest threshold that reaches a recall r, and the threshold. With n+
// positive examples it is the score of the ceil(r n+)-th of them, by descending score, and an example is predicted as
// positive if its score is >= the threshold:
//
//	precision = #{positive i: s_i >= threshold} / #{i: s_i >= threshold}
//
// Examples with the score of the threshold are predicted as positive all together, the negative ones too. ceil(r n+) is
// the smallest k whose recall k/n+, as a float64, is at least r: r = .07 of 100 positive examples is 7 of them, though
// the float64 is above .07. Where all examples are positive the precision is 1. It is an error unless 0 < r <= 1, if no
// example is positive, if a score is NaN, or if the lengths differ. O(n log n).
func PrecisionAtRecall[T vec.Float](scores []T, positive []bool, r float64) (
	precision float64, threshold T, err error,
) {
	if !(r > 0 && r <= 1) {
		return 0, 0, fmt.Errorf("metrics: precision at recall %v, want one above 0 and at most 1", r)
	}
	count, err := countPositives(scores, positive)
	if err != nil {
		return 0, 0, err
	}
	need := atRecall(r, count)
	all := cuts(scores, positive)
	c := all[slices.IndexFunc(all, func(c cut[T]) bool { return c.right >= need })] // the last has all positive ones
	return fraction(c.right, c.right+c.wrong), c.threshold, nil
}

// atRecall returns the smallest k with k/count >= r in float64.
func atRecall(r float64, count int) int {
	k := min(int(math.Ceil(r*float64(count))), count)
	for k > 1 && float64(k-1)/float64(count) >= r {
		k--
	}
	for k < count && float64(k)/float64(count) < r {
		k++
	}
	return k
}

// PRCurve holds, for each score that occurs, the largest first, what predicting the scores from it on as positive does.
type PRCurve[T vec.Float] struct {
	Threshold         []T
	Precision, Recall []float64
	Area              float64 // Σ_j (Recall_j - Recall_j-1) Precision_j, with a recall of 0 before the first
}

// PrecisionRecall returns the curve of precision over recall. Its area is the area below steps, the average precision:
// straight lines between the points would promise precisions that no threshold reaches (Davis and Goadrich, The
// relationship between precision-recall and ROC curves, 2006). Examples of equal scores are one point, so that their
// order does not matter. Where all examples are positive the precision and the area are 1. Errors are as in
// [PrecisionAtRecall]. O(n log n).
func PrecisionRecall[T vec.Float](scores []T, positive []bool) (*PRCurve[T], error) {
	count, err := countPositives(scores, positive)
	if err != nil {
		return nil, err
	}
	curve := &PRCurve[T]{}
	sum, before := 0.0, 0
	for _, c := range cuts(scores, positive) {
		p := fraction(c.right, c.right+c.wrong)
		curve.Threshold = append(curve.Threshold, c.threshold)
		curve.Precision = append(curve.Precision, p)
		curve.Recall = append(curve.Recall, fraction(c.right, count))
		sum += float64(float64(c.right-before) * p)
		before = c.right
	}
	curve.Area = sum / float64(count)
	return curve, nil
}
