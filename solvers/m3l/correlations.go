package m3l

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Correlations returns the correlation matrix of labels in examples, shrunk towards I, as a prior R for other examples
// of the kind:
//
//	R_lk = (1 - shrink) (n n_lk - n_l n_k) / sqrt(n_l (n - n_l) n_k (n - n_k))  for k != l,  R_ll = 1,
//
// n_l of the n examples having label l and n_lk both. A label that no example or that every one has is correlated with
// no other. sets are labels in 0..labels-1 of each example, in any order. R is positive semidefinite, and with shrink
// above 0 its eigenvalues are at least shrink.
//
// It returns an error that names the place where there are no examples, another label, one that stands twice in a set,
// labels not in 1..11585, or shrink not in 0..1. O(Σ |sets[i]|² + L²).
func Correlations(sets [][]int, labels int, shrink float64) (vec.Matrix[float64], error) {
	none := vec.Matrix[float64]{}
	switch {
	case len(sets) == 0:
		return none, fmt.Errorf("m3l: no examples to take correlations of")
	case labels < 1 || labels > mostPriorLabels:
		return none, fmt.Errorf("m3l: correlations of %d labels, want 1 to %d", labels, mostPriorLabels)
	case !(shrink >= 0 && shrink <= 1):
		return none, fmt.Errorf("m3l: correlations shrunk by %v, want a number in 0..1", shrink)
	}
	sets, err := checkedSets(sets, labels)
	if err != nil {
		return none, fmt.Errorf("m3l: %w", err)
	}
	r := vec.NewMatrix[float64](labels, labels) // n_lk above the diagonal, n_l on it
	for _, set := range sets {
		for p, l := range set {
			row := r.Row(l)
			for _, k := range set[p:] {
				row[k]++
			}
		}
	}
	n, seen := float64(len(sets)), make([]float64, labels)
	for l := range seen {
		seen[l] = r.Row(l)[l]
	}
	for l, nl := range seen {
		row, spread := r.Row(l), nl*(n-nl)
		row[l] = 1
		for k := l + 1; k < labels; k++ {
			nk, v := seen[k], 0.0
			if both := spread * (nk * (n - nk)); both > 0 {
				v = (1 - shrink) * (n*row[k] - nl*nk) / math.Sqrt(both)
			}
			row[k], r.Row(k)[l] = v, v
		}
	}
	return r, nil
}
