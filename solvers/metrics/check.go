package metrics

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

// checkScores returns an error unless scores is a sound matrix without NaN, with a row for each of n >= 1 examples and
// one column at least.
func checkScores[T vec.Float](scores vec.Matrix[T], n int) error {
	if err := scores.Validate(); err != nil {
		return fmt.Errorf("metrics: scores: %w", err)
	}
	if scores.Rows != n || n == 0 {
		return fmt.Errorf("metrics: scores of %d examples and %d label sets, want as many, and one at least",
			scores.Rows, n)
	}
	if scores.Cols == 0 {
		return fmt.Errorf("metrics: scores of %d examples and 0 labels, want one label at least", n)
	}
	for i := range n {
		for c, v := range scores.Row(i) {
			if v != v {
				return fmt.Errorf("metrics: score of row %d, label %d is NaN", i, c)
			}
		}
	}
	return nil
}

// countPositives returns how many of the examples are positive. It is an error if there is none, if there is a score
// that is NaN, or if sizes differ.
func countPositives[T vec.Float](scores []T, positive []bool) (int, error) {
	if len(scores) != len(positive) {
		return 0, fmt.Errorf("metrics: %d scores for %d examples, want as many", len(scores), len(positive))
	}
	count := 0
	for i, v := range scores {
		if v != v {
			return 0, fmt.Errorf("metrics: score of row %d is NaN", i)
		}
		if positive[i] {
			count++
		}
	}
	if count == 0 {
		return 0, fmt.Errorf("metrics: none of %d examples is positive, want one at least", len(scores))
	}
	return count, nil
}
