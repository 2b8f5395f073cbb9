package metrics

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Bin is what a calibration curve says of the probabilities p with Low <= p < High; the last bin holds p = 1 too.
type Bin struct {
	Low, High float64
	Count     int
	Mean      float64 // of the probabilities; 0 in an empty bin
	Fraction  float64 // of the examples that are positive; 0 in an empty bin
}

// Calibration returns the reliability curve of predicted probabilities: bins of equal width, bin b from b/bins on, with
// the mean probability and the fraction of positive examples in each. Of a calibrated model the two agree (DeGroot and
// Fienberg, The comparison and evaluation of forecasters, 1983; Niculescu-Mizil and Caruana, Predicting good
// probabilities with supervised learning, 2005). Equal probabilities share a bin, and one on an edge, compared as a
// float64, belongs to the bin that begins there. All bins are returned, empty ones too; classes may be missing. It is
// an error if there are no examples, if a probability is NaN or not in 0..1, if the lengths differ, or unless 1 <= bins
// <= 2^20. O(n + bins).
func Calibration[T vec.Float](probabilities []T, positive []bool, bins int) ([]Bin, error) {
	if len(probabilities) != len(positive) || len(positive) == 0 {
		return nil, fmt.Errorf("metrics: %d probabilities for %d examples, want as many, and one at least",
			len(probabilities), len(positive))
	}
	if bins < 1 || bins > 1<<20 {
		return nil, fmt.Errorf("metrics: calibration in %d bins, want 1 to %d", bins, 1<<20)
	}
	curve := make([]Bin, bins)
	for b := range curve {
		curve[b].Low, curve[b].High = float64(b)/float64(bins), float64(b+1)/float64(bins)
	}
	for i, p := range probabilities {
		if !(p >= 0 && p <= 1) {
			return nil, fmt.Errorf("metrics: probability of row %d is %v, want one in 0..1", i, p)
		}
		k := &curve[binOf(curve, float64(p))]
		k.Count++
		k.Mean += float64(p) // the sums, at first
		if positive[i] {
			k.Fraction++
		}
	}
	for b := range curve {
		if k := &curve[b]; k.Count > 0 {
			k.Mean /= float64(k.Count)
			k.Fraction /= float64(k.Count)
		}
	}
	return curve, nil
}

// binOf returns the last bin that begins at p or below. Rounding of the product puts it off by one at most.
func binOf(curve []Bin, p float64) int {
	b := min(int(p*float64(len(curve))), len(curve)-1)
	switch {
	case p < curve[b].Low:
		return b - 1
	case b+1 < len(curve) && p >= curve[b+1].Low:
		return b + 1
	}
	return b
}

// CalibrationError returns the expected calibration error of a curve, the mean of |Mean - Fraction| over the examples:
// Σ_b Count_b/n |Mean_b - Fraction_b| (Naeini, Cooper and Hauskrecht, Obtaining well calibrated probabilities using
// Bayesian binning, 2015). It is 0 for an empty curve.
func CalibrationError(curve []Bin) float64 {
	sum, n := 0.0, 0
	for _, k := range curve {
		sum += float64(float64(k.Count) * math.Abs(k.Mean-k.Fraction))
		n += k.Count
	}
	return sum / float64(max(n, 1))
}
