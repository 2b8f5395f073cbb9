package metrics

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

// ROCCurve holds, for each score that occurs, the largest first, what predicting the scores from it on as positive
// does. The curve begins at (0, 0), which is above all thresholds and not stored.
type ROCCurve[T vec.Float] struct {
	Threshold []T
	FalseRate []float64 // the fraction of the negative examples that are predicted as positive
	TrueRate  []float64 // the same of the positive ones: the recall
	Area      float64   // below the curve, points joined by straight lines
}

// ROC returns the receiver operating characteristic (Fawcett, An introduction to ROC analysis, 2006). Examples of equal
// scores are one point, so that their order does not matter. The area is the fraction of the pairs of a positive and a
// negative example in which the positive one has the larger score, a pair of equal scores counting one half:
//
//	Area = (#{s+ > s-} + 1/2 #{s+ = s-}) / (n+ n-)
//
// (Hanley and McNeil, The meaning and use of the area under a ROC curve, 1982), and exact but for the rounding of the
// counts and of one division. It is an error if no example is positive or none is negative, since a rate of nothing has
// no value, if a score is NaN, or if the lengths differ. O(n log n).
func ROC[T vec.Float](scores []T, positive []bool) (*ROCCurve[T], error) {
	count, err := countPositives(scores, positive)
	if err != nil {
		return nil, err
	}
	negatives := len(scores) - count
	if negatives == 0 {
		return nil, fmt.Errorf("metrics: all of %d examples are positive, want one that is not", count)
	}
	curve := &ROCCurve[T]{}
	var twice uint64 // 2 n+ n- Area, at most len(scores)^2/2
	before := cut[T]{}
	for _, c := range cuts(scores, positive) {
		curve.Threshold = append(curve.Threshold, c.threshold)
		curve.FalseRate = append(curve.FalseRate, fraction(c.wrong, negatives))
		curve.TrueRate = append(curve.TrueRate, fraction(c.right, count))
		twice += uint64(c.wrong-before.wrong) * (uint64(c.right) + uint64(before.right))
		before = c
	}
	curve.Area = float64(twice) / (2 * float64(count) * float64(negatives))
	return curve, nil
}
