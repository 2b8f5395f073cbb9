package metrics

import "fmt"

// Accuracy returns the fraction of the examples whose prediction is their class, #{i: predictions[i] = y[i]}/n. Classes
// are any numbers. It is an error if there are no examples, or if the lengths differ. O(n).
func Accuracy(predictions, y []int) (float64, error) {
	if len(predictions) != len(y) || len(y) == 0 {
		return 0, fmt.Errorf("metrics: %d predictions for %d labels, want as many, and one at least",
			len(predictions), len(y))
	}
	hits := 0
	for i, c := range y {
		if predictions[i] == c {
			hits++
		}
	}
	return fraction(hits, len(y)), nil
}
