package metrics

import "fmt"

// Confusion counts the guesses of each class: element [c][g] is the number of examples of class c for which the guess was g.
// Both y and guesses hold classes in 0..m-1. O(n + m²).
func Confusion(guesses, y []int, m int) ([][]int, error) {
	if len(guesses) != len(y) || len(y) == 0 {
		return nil, fmt.Errorf("metrics: %d guesses for %d labels, need as many, and one at least", len(guesses), len(y))
	}
	if m < 1 || m > 1<<15 {
		return nil, fmt.Errorf("metrics: confusion of %d classes, need 1 to %d", m, 1<<15)
	}
	counts := make([][]int, m)
	flat := make([]int, m*m)
	for c := range counts {
		counts[c] = flat[c*m : (c+1)*m : (c+1)*m]
	}
	for i, c := range y {
		g := guesses[i]
		if c < 0 || c >= m || g < 0 || g >= m {
			return nil, fmt.Errorf("metrics: label %d and guess %d of row %d, need them in 0..%d", c, g, i, m-1)
		}
		counts[c][g]++
	}
	return counts, nil
}

// Class is what a confusion says of one class. A fraction of nothing is 0.
type Class struct {
	Count     int     // examples of the class
	Guessed   int     // guesses of it
	Right     int     // both
	Precision float64 // Right/Guessed
	Recall    float64 // Right/Count: the accuracy on the examples of the class
	F1        float64 // their harmonic mean, 2 Right/(Count + Guessed)
}

// PerClass returns what each class contributes to counts, a [Confusion].
func PerClass(counts [][]int) []Class {
	classes := make([]Class, len(counts))
	for c, row := range counts {
		classes[c].Right = row[c]
		for g, v := range row {
			classes[c].Count += v
			classes[g].Guessed += v
		}
	}
	for c := range classes {
		k := &classes[c]
		k.Precision, k.Recall = fraction(k.Right, k.Guessed), fraction(k.Right, k.Count)
		k.F1 = fraction(2*k.Right, k.Count+k.Guessed)
	}
	return classes
}

// MeanRecall returns the mean of the recalls of the classes that have examples: the accuracy when all classes count the same.
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
