package metrics

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// MeanSquaredError returns 1/n sum_i (s_i - y_i)², for predictions s of the targets y. It is an error if there are no
// examples, if the lengths differ, or if a number is not finite. The sum is of float64. O(n).
func MeanSquaredError[T vec.Float](predicted []T, targets []float64) (float64, error) {
	if err := checkTargets(predicted, targets); err != nil {
		return 0, err
	}
	return squaredErrors(predicted, targets) / float64(len(targets)), nil
}

// MeanAbsoluteError returns 1/n sum_i |s_i - y_i|, for predictions s of the targets y. Errors are as for
// [MeanSquaredError]. O(n).
func MeanAbsoluteError[T vec.Float](predicted []T, targets []float64) (float64, error) {
	if err := checkTargets(predicted, targets); err != nil {
		return 0, err
	}
	sum := 0.0
	for i, y := range targets {
		sum += math.Abs(float64(predicted[i]) - y)
	}
	return sum / float64(len(targets)), nil
}

// R2 returns the coefficient of determination, the part of the targets' variance that the predictions s explain:
//
//	1 - sum_i (s_i - y_i)² / sum_i (y_i - mean(y))²
//
// It is 1 for predictions without an error, 0 for the mean of the targets, and below 0 for what is worse. Where all
// targets are equal it is 1 for predictions without an error, and 0 for all others. Errors are as for
// [MeanSquaredError]. O(n).
func R2[T vec.Float](predicted []T, targets []float64) (float64, error) {
	if err := checkTargets(predicted, targets); err != nil {
		return 0, err
	}
	mean := 0.0
	for _, y := range targets {
		mean += y / float64(len(targets))
	}
	total := 0.0
	for _, y := range targets {
		total += (y - mean) * (y - mean)
	}
	equal := true
	for _, y := range targets {
		equal = equal && y == targets[0]
	}
	switch off := squaredErrors(predicted, targets); {
	case off == 0:
		return 1, nil
	case equal:
		return 0, nil
	default:
		return 1 - off/total, nil
	}
}

func squaredErrors[T vec.Float](predicted []T, targets []float64) (sum float64) {
	for i, y := range targets {
		off := float64(predicted[i]) - y
		sum += off * off
	}
	return sum
}

// checkTargets returns an error unless there is a finite prediction and a finite target of each of n >= 1 examples.
func checkTargets[T vec.Float](predicted []T, targets []float64) error {
	if len(predicted) != len(targets) || len(targets) == 0 {
		return fmt.Errorf("metrics: %d predictions and %d targets, want as many, and one at least", len(predicted),
			len(targets))
	}
	for i, y := range targets {
		if s := predicted[i]; s-s != 0 {
			return fmt.Errorf("metrics: prediction of row %d is %v, want a finite number", i, s)
		}
		if y-y != 0 {
			return fmt.Errorf("metrics: target of row %d is %v, want a finite number", i, y)
		}
	}
	return nil
}
