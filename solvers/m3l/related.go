package m3l

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/vec"
)

// checkedSets returns the sets of labels in ascending order, or what is wrong with them.
func checkedSets(sets [][]int, labels int) ([][]int, error) {
	sets, err := family.SortedSets(sets)
	if err == nil {
		y := family.Labels{Sets: sets}
		_, err = y.Outputs(len(sets), labels, "Labels")
	}
	return sets, err
}

// RelatedLoss returns the margins of the loss of section 3.2, Δ(y_i, y) = y_iᵀ R (y_i - y), for examples with the given
// label sets: where the kernel on label sets and the loss are of one R, what is known about labels belongs into the
// loss. It is for Problem.Margins, beside the same R as Problem.R, and takes O(L) a label that an example has:
//
//	Δ_l(y_i, y_l) = 1/L y_iᵀ R y_i - y_l y_iᵀ R_l.
//
// It is an error unless R is L-by-L, symmetric, and diagonally dominant: |R_l1| + ... + |R_lL| <= 2 R_ll for each
// label. With any other R some set would be better than the true one, and Δ no loss.
func RelatedLoss(sets [][]int, r vec.Matrix[float64]) (func(i int, plus, minus []float64), error) {
	labels := r.Rows
	if labels == 0 {
		return nil, fmt.Errorf("m3l: an empty R for a loss")
	}
	sets, err := checkedSets(sets, labels)
	if err == nil {
		err = checkCoupling(r, labels)
	}
	if err != nil {
		return nil, fmt.Errorf("m3l: %w", err)
	}
	total := make([]float64, labels) // R 1
	for l := range total {
		size := 0.0
		for _, v := range r.Row(l) {
			total[l] += v
			size += math.Abs(v)
		}
		if own := r.Row(l)[l]; size > 2*own*(1+1e-12) {
			return nil, fmt.Errorf("m3l: label %d has R of %v with itself and of %v, in size, with the others "+
				"together: not diagonally dominant, so that no loss is of this R",
				l, own, size-own)
		}
	}
	return func(i int, plus, minus []float64) {
		// y_i is 2 t - 1, t being 1 for the labels of the example: R y_i = 2 R t - R 1.
		for l, v := range total {
			plus[l] = -v
		}
		for _, l := range sets[i] {
			vec.Axpy64(2, r.Row(l), plus)
		}
		mean := 0.0
		for _, v := range plus {
			mean -= v
		}
		for _, l := range sets[i] {
			mean += 2 * plus[l]
		}
		mean /= float64(labels)
		for l, v := range plus { // as if y_il = -1
			plus[l], minus[l] = mean+v, mean-v
		}
		for _, l := range sets[i] {
			plus[l], minus[l] = minus[l], plus[l]
		}
	}, nil
}
