package metrics

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// ErrUnreachable is the error of a constraint that no threshold meets.
var ErrUnreachable = errors.New("no threshold reaches the constraint")

// Choice is a threshold, and what predicting "score >= At is positive" does on the examples that it was chosen by.
type Choice[T vec.Float] struct {
	At          T
	Right       int     // positive examples that are predicted as positive
	Wrong       int     // negative ones that are: false alarms
	Recall      float64 // Right over the positive examples
	Precision   float64 // Right over all that is predicted as positive; 1 where nothing is
	FalseRate   float64 // Wrong over the negative examples; 0 where there are none
	Unreachable bool    // of LabelThresholds: no threshold meets the constraint, and nothing is predicted as positive
}

// Threshold returns the threshold that meets a constraint with the largest precision, where it is about the recall, and
// else with the largest recall; of equal ones the largest recall or the largest precision, then the largest threshold.
// It is a score that occurs, or just above all of them where predicting nothing as positive is all that a false rate
// allows. Examples of equal scores are predicted together, and shares are compared as float64: 7 of 100 meet a recall
// of at least .07.
//
// Scores of examples that the training has seen promise too much: take held-out ones. It is ErrUnreachable if no
// threshold meets the constraint: a precision alone may be so. It is an error if no example is positive, if a score is
// NaN or infinite, if the lengths differ, or if the constraint is none. O(n log n).
func Threshold[T vec.Float](scores []T, positive []bool, c Constraint) (Choice[T], error) {
	if err := c.check(); err != nil {
		return Choice[T]{}, err
	}
	count, err := countPositives(scores, positive)
	if err != nil {
		return Choice[T]{}, err
	}
	for i, v := range scores {
		if v-v != 0 {
			return Choice[T]{}, fmt.Errorf("metrics: score of row %d is %v, want a finite number", i, v)
		}
	}
	best, found := choose(scores, positive, count, c)
	if !found {
		return Choice[T]{},
			fmt.Errorf("metrics: %v on %d examples, %d of them positive: %w; the largest precision is %v",
				c, len(scores), count, ErrUnreachable, best.Precision)
	}
	return best, nil
}

// LabelThresholds returns for each label l, a column of scores, the [Threshold] by the examples whose set has l. A
// label that no example has, or whose constraint no threshold meets, is Unreachable, and its threshold is above all its
// scores. Errors are as in Threshold, and a label that is not in 0..m-1. O(m n log n).
func LabelThresholds[T vec.Float](scores vec.Matrix[T], sets [][]int, c Constraint) ([]Choice[T], error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := checkScores(scores, len(sets)); err != nil {
		return nil, err
	}
	n, m := scores.Rows, scores.Cols
	of, counts := make([][]int, m), make([]int, m) // the examples of each label
	for i, set := range sets {
		for _, l := range set {
			if l < 0 || l >= m {
				return nil, fmt.Errorf("metrics: label %d of row %d, want one in 0..%d", l, i, m-1)
			}
			of[l] = append(of[l], i)
		}
	}
	all, column, positive := make([]Choice[T], m), make([]T, n), make([]bool, n)
	for l := range all {
		clear(positive)
		for _, i := range of[l] {
			if !positive[i] {
				positive[i] = true
				counts[l]++
			}
		}
		for i := range n {
			if column[i] = scores.Row(i)[l]; column[i]-column[i] != 0 {
				return nil, fmt.Errorf("metrics: score of row %d, label %d is %v, want a finite number", i, l,
					column[i])
			}
		}
		best, found := choose(column, positive, counts[l], c)
		if !found || counts[l] == 0 {
			best = Choice[T]{At: nextAbove(vec.Max(column)), Precision: 1, Unreachable: true}
		}
		all[l] = best
	}
	return all, nil
}

// choose returns the best threshold, or the one of the largest precision where none meets the constraint. count
// examples are positive.
func choose[T vec.Float](scores []T, positive []bool, count int, c Constraint) (best Choice[T], found bool) {
	negative := len(scores) - count
	if c.of == falseRate { // nothing is predicted
		best, found = Choice[T]{At: nextAbove(vec.Max(scores)), Precision: 1}, true
	}
	for _, at := range cuts(scores, positive) {
		now := Choice[T]{At: at.threshold, Right: at.right, Wrong: at.wrong,
			Recall: fraction(at.right, count), Precision: fraction(at.right, at.right+at.wrong),
			FalseRate: fraction(at.wrong, negative)}
		switch meets := now.meets(c); {
		case meets && (!found || now.better(best, c)):
			best, found = now, true
		case !found && now.Precision > best.Precision:
			best = now
		}
	}
	return best, found
}

// meets reports whether the constraint is met.
func (a Choice[T]) meets(c Constraint) bool {
	switch c.of {
	case recall:
		return a.Recall >= c.bound
	case precision:
		return a.Precision >= c.bound
	}
	return a.FalseRate <= c.bound
}

// better reports whether a is a better choice than b, whose threshold is larger.
func (a Choice[T]) better(b Choice[T], c Constraint) bool {
	if c.of == recall && !samePrecision(a, b) {
		return a.Precision > b.Precision
	}
	return a.Right > b.Right // with as many right ones a has more wrong ones
}

// samePrecision compares without the rounding of a division.
func samePrecision[T vec.Float](a, b Choice[T]) bool {
	return uint64(a.Right)*uint64(b.Right+b.Wrong) == uint64(b.Right)*uint64(a.Right+a.Wrong)
}

// nextAbove returns the next number above a score, which is the largest of T at most.
func nextAbove[T vec.Float](v T) T {
	if unsafe.Sizeof(v) == 4 {
		return T(min(math.Nextafter32(float32(v), float32(math.Inf(1))), math.MaxFloat32))
	}
	return T(min(math.Nextafter(float64(v), math.Inf(1)), math.MaxFloat64))
}
