package metrics

import (
	"fmt"
	"slices"
)

const mostLabels = 1 << 24 // of PerLabel, whose result takes 56 bytes a label

// PerLabel returns what each of m labels contributes: Count examples have it, for Predicted ones it was predicted, and
// for Correct ones both hold. Sets and errors are as in [HammingLoss], and m is at most 2^24. O(m + n), and for each
// predicted label the logarithm of the true ones.
func PerLabel(predicted, truth [][]int, m int) ([]Class, error) {
	if err := checkLabels(m); err != nil {
		return nil, err
	}
	labels := make([]Class, max(m, 0))
	err := eachPair(predicted, truth, m, func(p, t []int) {
		for _, c := range t {
			labels[c].Count++
		}
		for _, c := range p {
			labels[c].Predicted++
			if _, has := slices.BinarySearch(t, c); has {
				labels[c].Correct++
			}
		}
	})
	if err != nil {
		return nil, err
	}
	setFractions(labels)
	return labels, nil
}

// checkLabels returns an error where m labels are too many for PerLabel.
func checkLabels(m int) error {
	if m > mostLabels {
		return fmt.Errorf("metrics: sets of %d labels, want at most %d", m, mostLabels)
	}
	return nil
}

// MicroF1 returns the F1 of all decisions together, 2 Σ_c Correct_c / Σ_c (Count_c + Predicted_c): frequent labels
// count for more. It is 0, as a fraction of nothing, where all sets are empty, true and predicted. For the classes of a
// [Confusion] it is the accuracy. (Yang, An evaluation of statistical approaches to text categorization, 1999.)
func MicroF1(labels []Class) float64 {
	correct, all := 0.0, 0.0
	for _, k := range labels {
		correct += float64(k.Correct)
		all += float64(k.Count) + float64(k.Predicted)
	}
	if all == 0 {
		return 0
	}
	return 2 * correct / all
}

// MacroF1 returns the mean of the labels' F1, 1/m Σ_c F1_c: all labels count the same. A label that no example has and
// that was never predicted counts with F1 = 0, as a fraction of nothing; leave it out of labels where it should not
// count. It is 0 for no labels. (Yang, 1999.)
func MacroF1(labels []Class) float64 {
	sum := 0.0
	for _, k := range labels {
		sum += k.F1
	}
	return sum / float64(max(len(labels), 1))
}
