package main

import (
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// ofNumbers returns what takes the number that is predicted of each example, and what puts the measures into r.
func ofNumbers(r *report, targets []float64) (func(int, *predictor.Prediction) error, func() error) {
	var predicted []float64
	use := func(_ int, q *predictor.Prediction) error {
		predicted = append(predicted, q.Scores[0])
		return nil
	}
	return use, func() error {
		squared, err := metrics.MeanSquaredError(predicted, targets)
		if err != nil {
			return err
		}
		absolute, err := metrics.MeanAbsoluteError(predicted, targets)
		if err != nil {
			return err
		}
		r2, err := metrics.R2(predicted, targets)
		r.numbersReport = &numbersReport{squared, absolute, r2}
		return err
	}
}
