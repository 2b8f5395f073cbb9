package metrics

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/shape"
)

// Confusion counts predictions by class: element [c][p] is the number of examples of class c that were predicted as p.
// Both y and predictions hold classes in 0..m-1. It is an error if there are no examples, or if a size, a label or a
// prediction does not fit. O(n + m²).
func Confusion(predictions, y []int, m int) ([][]int, error) {
	if len(predictions) != len(y) || len(y) == 0 {
		return nil, fmt.Errorf("metrics: %d predictions for %d labels, want as many, and one at least",
			len(predictions), len(y))
	}
	if m < 1 || m > 1<<15 {
		return nil, fmt.Errorf("metrics: confusion of %d classes, want 1 to %d", m, 1<<15)
	}
	counts := make([][]int, m)
	flat := make([]int, m*m)
	for c := range counts {
		counts[c] = flat[c*m : (c+1)*m : (c+1)*m]
	}
	for i, c := range y {
		g := predictions[i]
		if c < 0 || c >= m || g < 0 || g >= m {
			return nil, fmt.Errorf("metrics: label %d and prediction %d of row %d, want them in 0..%d", c, g, i, m-1)
		}
		counts[c][g]++
	}
	return counts, nil
}

// Class is what a confusion says of one class. A fraction of nothing is 0.
type Class struct {
	Count     int     // examples of the class
	Predicted int     // predictions of it
	Correct   int     // both
	Precision float64 // Correct/Predicted
	Recall    float64 // Correct/Count: the accuracy on the examples of the class
	F1        float64 // their harmonic mean, 2 Correct/(Count + Predicted)
}

// PerClass returns what each class contributes to counts, a [Confusion] of m classes. It panics unless each row has m
// elements. O(m²).
func PerClass(counts [][]int) []Class {
	classes := make([]Class, len(counts))
	for c, row := range counts {
		if len(row) != len(counts) {
			panic(shape.Errorf("metrics: PerClass", "row %d of a confusion of %d classes has %d elements",
				c, len(counts), len(row)))
		}
		classes[c].Correct = row[c]
		for g, v := range row {
			classes[c].Count += v
			classes[g].Predicted += v
		}
	}
	setFractions(classes)
	return classes
}

// setFractions sets what follows from the counts.
func setFractions(classes []Class) {
	for c := range classes {
		k := &classes[c]
		k.Precision, k.Recall = fraction(k.Correct, k.Predicted), fraction(k.Correct, k.Count)
		k.F1 = fraction(2*k.Correct, k.Count+k.Predicted)
	}
}

// MeanRecall returns the mean of the recalls of the classes that have examples: the accuracy when all classes count the
// same.
func MeanRecall(classes []Class) float64 {
	sum, n := 0.0, 0
	for _, k := range classes {
		if k.Count > 0 {
			sum += k.Recall
			n++
		}
	}
	return sum / float64(max(n, 1))
}

func fraction(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
