package m3l

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// mostPriorLabels is the most labels of an R that takes no more than a gigabyte.
const mostPriorLabels = 11585

// Prior returns the prior of label correlations that is known of classes by their labels (section 7.2.1),
//
//	R = Σ_c p(c) y_c y_cᵀ + ridge d I,  d the mean of the diagonal of the sum,
//
// L-by-L, from attributes, whose row c is y_c: ±1 for a label that class c has or lacks, or any numbers. (With 0 for a
// label that is lacking, what two classes lack together would not count.) p are the probabilities of the classes, or
// their numbers of examples: they are divided by their sum; nil: all equal.
//
// The rank of the sum is at most the number of classes: with ridge = 0, which Fit accepts, the scores of labels depend
// on each other as these do in the classes. The larger the ridge, relative to the diagonal, the freer they are, and the
// better conditioned is R; where its inverse is needed, as in (9), the ridge must be positive. [PriorFactor] does not
// form R.
//
// It returns an error that names the place where there are no classes or labels, more than 11585 labels, a number that
// is not finite, or negative in p or ridge, a p of another length or of zeros, or an element of R beyond float64.
// O(c L²).
func Prior(attributes vec.Matrix[float64], p []float64, ridge float64) (none vec.Matrix[float64], err error) {
	weights, err := checkAttributes(attributes, p, ridge)
	if err != nil {
		return none, err
	}
	labels := attributes.Cols
	if labels > mostPriorLabels {
		return none, fmt.Errorf("m3l: attributes of %d labels, want at most %d: R would take more than a gigabyte, "+
			"its factor less", labels, mostPriorLabels)
	}
	r := vec.NewMatrix[float64](labels, labels)
	for c, w := range weights {
		y := attributes.Row(c)
		for l, v := range y {
			vec.Axpy64(w*v, y[l:], r.Row(l)[l:])
		}
	}
	mean := 0.0
	for l := range labels {
		row := r.Row(l)
		for k := l; k < labels; k++ {
			if row[k]-row[k] != 0 {
				return none, fmt.Errorf("m3l: R of labels %d and %d is %v: attributes are too large", l, k, row[k])
			}
			r.Row(k)[l] = row[k]
		}
		mean += row[l] / float64(labels)
	}
	for l := range labels {
		if r.Row(l)[l] += ridge * mean; math.IsInf(r.Row(l)[l], 1) {
			return none, fmt.Errorf("m3l: R of labels %d and %d is +Inf: the ridge %v is too large", l, l, ridge)
		}
	}
	return r, nil
}

// PriorFactor returns the R of Prior by its factor: sqrt(p(c)) y_c as the row c of P, and ridge d, for Problem.P and
// Problem.Ridge. Its errors are Prior's but for the number of labels. O(c L).
func PriorFactor(attributes vec.Matrix[float64], p []float64, ridge float64) (factor vec.Matrix[float64],
	diagonal float64, err error) {
	weights, err := checkAttributes(attributes, p, ridge)
	if err != nil {
		return factor, 0, err
	}
	factor = vec.NewMatrix[float64](attributes.Rows, attributes.Cols)
	for c, w := range weights {
		vec.Axpy64(math.Sqrt(w), attributes.Row(c), factor.Row(c))
	}
	trace := vec.SquaredNorm(factor.Data)
	if diagonal = ridge * (trace / float64(attributes.Cols)); math.IsInf(trace, 1) || math.IsInf(diagonal, 1) {
		return vec.Matrix[float64]{}, 0, fmt.Errorf(
			"m3l: R has a diagonal of the sum %v, and a ridge of %v: attributes or the ridge %v are too large",
			trace, diagonal, ridge)
	}
	return factor, diagonal, nil
}

// checkAttributes returns the probabilities of the classes, or what is wrong with the arguments of Prior.
func checkAttributes(attributes vec.Matrix[float64], p []float64, ridge float64) ([]float64, error) {
	if err := attributes.Validate(); err != nil {
		return nil, fmt.Errorf("m3l: attributes: %w", err)
	}
	classes, labels := attributes.Rows, attributes.Cols
	switch {
	case classes == 0 || labels == 0:
		return nil, fmt.Errorf("m3l: attributes of %d classes and %d labels, want one of each at least", classes,
			labels)
	case p != nil && len(p) != classes:
		return nil, fmt.Errorf("m3l: %d probabilities for %d classes", len(p), classes)
	case !(ridge >= 0) || math.IsInf(ridge, 1):
		return nil, fmt.Errorf("m3l: a ridge of %v, want a finite number, at least 0", ridge)
	}
	for c := range classes {
		for l, v := range attributes.Row(c) {
			if v-v != 0 {
				return nil, fmt.Errorf("m3l: attribute %v of class %d, label %d, want a finite number", v, c, l)
			}
		}
	}
	weights, largest, sum := make([]float64, classes), 0.0, 0.0
	for c := range weights {
		weights[c] = 1
		if p != nil {
			weights[c] = p[c]
		}
		if v := weights[c]; !(v >= 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("m3l: probability %v of class %d, want a finite number, at least 0", v, c)
		}
		largest = max(largest, weights[c])
	}
	if largest == 0 {
		return nil, fmt.Errorf("m3l: all %d probabilities are 0", classes)
	}
	for c := range weights {
		weights[c] /= largest // so that the sum is finite
		sum += weights[c]
	}
	vec.Scale(1/sum, weights)
	return weights, nil
}
