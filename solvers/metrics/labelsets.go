package metrics

import (
	"fmt"
	"slices"
)

// HammingLoss returns the fraction of the n m decisions "example i has label c" that are wrong,
//
//	1/(n m) Σ_i |predicted[i] Δ truth[i]|,
//
// with the symmetric difference of sets (Schapire and Singer, BoosTexter, 2000). Sets hold labels in 0..m-1 in any
// order; an empty one is a set like others. It is an error if there are no examples, if sizes differ, or if a set holds
// another label, or one twice. O(n + labels), where sets ascend.
func HammingLoss(predicted, truth [][]int, m int) (float64, error) {
	wrong := 0.0 // a float64 counts to 2^53, an int not everywhere beyond 2^31
	err := eachPair(predicted, truth, m, func(p, t []int) {
		wrong += float64(len(p) + len(t) - 2*common(p, t))
	})
	if err != nil {
		return 0, err
	}
	return wrong / (float64(len(truth)) * float64(m)), nil
}

// SubsetAccuracy returns the fraction of the examples whose set was predicted without a fault, #{i: predicted[i] =
// truth[i]}/n, an empty set for an empty one included (Zhu, Ji, Xu and Gong, Multi-labelled classification using
// maximum entropy method, 2005). Sets and errors are as in [HammingLoss].
func SubsetAccuracy(predicted, truth [][]int, m int) (float64, error) {
	hits := 0
	err := eachPair(predicted, truth, m, func(p, t []int) {
		if slices.Equal(p, t) {
			hits++
		}
	})
	return fraction(hits, len(truth)), err
}

// eachPair calls visit with the predicted and the true labels of each example, ascending, or returns an error.
func eachPair(predicted, truth [][]int, m int, visit func(p, t []int)) error {
	if len(predicted) != len(truth) || len(truth) == 0 {
		return fmt.Errorf("metrics: %d predicted and %d true label sets, want as many, and one at least",
			len(predicted), len(truth))
	}
	if m < 1 {
		return fmt.Errorf("metrics: sets of %d labels, want one at least", m)
	}
	var roomP, roomT []int
	for i := range truth {
		p, err := ascending(&roomP, predicted[i], m, i, "predicted")
		if err != nil {
			return err
		}
		t, err := ascending(&roomT, truth[i], m, i, "true")
		if err != nil {
			return err
		}
		visit(p, t)
	}
	return nil
}

// ascending returns set in ascending order, sorted in room where it is not, or an error if it is no set of labels in
// 0..m-1. The error names row and kind.
func ascending(room *[]int, set []int, m, row int, kind string) ([]int, error) {
	if !slices.IsSorted(set) {
		*room = append((*room)[:0], set...)
		set = *room
		slices.Sort(set)
	}
	for p, c := range set {
		if c < 0 || c >= m {
			return nil, fmt.Errorf("metrics: %s label %d of row %d, want one in 0..%d", kind, c, row, m-1)
		}
		if p > 0 && c == set[p-1] {
			return nil, fmt.Errorf("metrics: %s label %d of row %d stands in its set twice", kind, c, row)
		}
	}
	return set, nil
}

// common returns how many labels two ascending sets share.
func common(a, b []int) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch c := a[0] - b[0]; {
		case c < 0:
			a = a[1:]
		case c > 0:
			b = b[1:]
		default:
			a, b = a[1:], b[1:]
			n++
		}
	}
	return n
}
