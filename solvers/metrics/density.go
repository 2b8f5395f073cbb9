package metrics

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// Density estimates the density of scores at the points t by a Gaussian kernel:
//
//	f(t_j) = 1/(n h) Σ_i φ((t_j - s_i)/h),  φ(u) = exp(-u²/2)/sqrt(2π)
//
// with the bandwidth h (Silverman, Density Estimation for Statistics and Data Analysis, 1986, equation 2.2a). h = 0
// stands for the bandwidth of [Silverman]. Equal scores are as many terms. To compare two classes, estimate each by its
// own scores. It is an error if there are no scores, if one of them or a point is NaN or infinite, or if h is negative,
// not finite, or so small that 1/(n h) is. O(n len(t)).
func Density[T vec.Float](scores []T, t []float64, h float64) ([]float64, error) {
	if len(scores) == 0 {
		return nil, fmt.Errorf("metrics: density of 0 scores at %d points, want one score at least", len(t))
	}
	if err := checkFinite("score", scores); err != nil {
		return nil, err
	}
	if err := checkFinite("point", t); err != nil {
		return nil, err
	}
	if h == 0 {
		var err error
		if h, err = Silverman(scores); err != nil {
			return nil, err
		}
	}
	scale := 1 / (h * math.Sqrt(2*math.Pi)) / float64(len(scores))
	if !(h > 0) || math.IsInf(h, 0) || math.IsInf(1/h, 0) || math.IsInf(scale, 0) {
		return nil, fmt.Errorf("metrics: bandwidth %v of a density of %d scores, want one above 0, its inverse finite",
			h, len(scores))
	}
	f := make([]float64, len(t))
	for j, at := range t {
		sum := 0.0
		for _, s := range scores {
			u := (at - float64(s)) / h
			sum += math.Exp(-.5 * u * u)
		}
		f[j] = sum * scale
	}
	return f, nil
}

// Silverman returns a bandwidth for a [Density] by Silverman's rule of thumb,
//
//	h = .9 min(σ, R/1.34) n^(-1/5)
//
// with the standard deviation σ (of n-1 degrees of freedom) and the interquartile range R (between the order
// statistics, linear), from Silverman, 1986, equation 3.31. Where many scores are equal, R may be 0; then it is σ
// alone. It is an error if there are less than two scores, if they are all equal, since no rule can tell a width then,
// or if one is NaN or infinite. O(n log n).
func Silverman[T vec.Float](scores []T) (float64, error) {
	if err := checkFinite("score", scores); err != nil {
		return 0, err
	}
	n := len(scores)
	if n < 2 {
		return 0, fmt.Errorf("metrics: bandwidth for %d scores, want two at least", n)
	}
	sorted := make([]float64, n)
	for i, s := range scores {
		sorted[i] = float64(s)
	}
	slices.Sort(sorted)
	if sorted[0] == sorted[n-1] {
		return 0, fmt.Errorf("metrics: bandwidth for %d scores that all are %v, want two that differ", n, sorted[0])
	}
	// Of numbers below 1 nothing overflows, and their differences do not vanish when squared.
	_, e := math.Frexp(max(-sorted[0], sorted[n-1]))
	for i, s := range sorted {
		sorted[i] = math.Ldexp(s, -e)
	}
	mean := vec.Sum(sorted) / float64(n)
	squares := 0.0
	for _, s := range sorted {
		squares += float64((s - mean) * (s - mean))
	}
	width := math.Sqrt(squares / float64(n-1))
	if r := quantile(sorted, .75) - quantile(sorted, .25); r > 0 {
		width = min(width, r/1.34)
	}
	return math.Ldexp(.9*width*math.Pow(float64(n), -.2), e), nil
}

// quantile interpolates between the order statistics: place 0 is the smallest, 1 the largest.
func quantile(sorted []float64, place float64) float64 {
	at := place * float64(len(sorted)-1)
	k := int(at)
	if k+1 == len(sorted) {
		return sorted[k]
	}
	return sorted[k] + float64((at-float64(k))*(sorted[k+1]-sorted[k]))
}

func checkFinite[T vec.Float](name string, x []T) error {
	for i, v := range x {
		if v-v != 0 {
			return fmt.Errorf("metrics: %s of row %d is %v, want a finite number", name, i, v)
		}
	}
	return nil
}
