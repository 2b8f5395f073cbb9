package metrics

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

// TopK returns the top-1 to top-k accuracies: element j-1 is the fraction of the n examples whose true class is among
// the j classes with the largest scores. scores is n-by-m, y holds classes in 0..m-1, 1 <= k <= m. Of equal scores the
// smaller class number comes first, so that a model which gives all classes the same score gains nothing by it. O(n m).
//
// A NaN is no score: it comes after all others, and an example whose true class has it is missed for every k. It is an
// error if there are no examples, or if sizes, labels or k do not fit.
func TopK[T vec.Float](scores vec.Matrix[T], y []int, k int) ([]float64, error) {
	n, m := scores.Rows, scores.Cols
	if err := scores.Validate(); err != nil {
		return nil, fmt.Errorf("metrics: scores: %w", err)
	}
	if n != len(y) || n == 0 {
		return nil, fmt.Errorf("metrics: scores of %d examples and %d labels, want as many, and one at least",
			n, len(y))
	}
	if k < 1 || k > m {
		return nil, fmt.Errorf("metrics: top-%d accuracy of %d classes", k, m)
	}
	hits := make([]int, k)
	for i, c := range y {
		if c < 0 || c >= m {
			return nil, fmt.Errorf("metrics: label %d of row %d, want one in 0..%d", c, i, m-1)
		}
		if place := rank(scores.Row(i), c); place < k {
			hits[place]++
		}
	}
	return fractions(hits, n), nil
}

// TopKRanked is TopK for predictions that are ranked already: ranked[i] holds at least k different classes for example
// i, best first. Classes are any numbers. It is an error if there are no examples, or if sizes or k do not fit. O(n k).
func TopKRanked(ranked [][]int, y []int, k int) ([]float64, error) {
	if len(ranked) != len(y) || len(y) == 0 {
		return nil, fmt.Errorf("metrics: predictions for %d examples and %d labels, want as many, and one at least",
			len(ranked), len(y))
	}
	if k < 1 {
		return nil, fmt.Errorf("metrics: top-%d accuracy", k)
	}
	hits := make([]int, k)
	for i, classes := range ranked {
		if len(classes) < k {
			return nil, fmt.Errorf("metrics: top-%d accuracy of %d predictions for row %d", k, len(classes), i)
		}
		for place, c := range classes[:k] {
			if c == y[i] {
				hits[place]++
				break
			}
		}
	}
	return fractions(hits, len(y)), nil
}

// rank returns how many classes come before c: all where its score is NaN.
func rank[T vec.Float](s []T, c int) (place int) {
	v := s[c]
	if v != v {
		return len(s)
	}
	for j, u := range s {
		if u > v || j < c && u == v {
			place++
		}
	}
	return place
}

// fractions returns the running sums of hits over n.
func fractions(hits []int, n int) []float64 {
	f, sum := make([]float64, len(hits)), 0
	for j, h := range hits {
		sum += h
		f[j] = float64(sum) / float64(n)
	}
	return f
}
