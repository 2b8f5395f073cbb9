package loss

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Steep is a loss that is known to move no faster than this: where each of m scores is off by e at most, it is off by
//
//	slope e + 2 e sqrt(bend phi) + bend e²
//
// at most. It tells how far the rounding of scores may take it.
type Steep interface {
	Steep(m int) (slope, bend float64)
}

// Sized is a loss that compares the m scores of an example with numbers as large as Size: scores are off by a roundoff
// of these too. Of losses without it this is 1, the usual margin.
type Sized[T vec.Float] interface {
	Size(m int, w *Workspace[T]) float64
}

// Steep of a mean of K of the s_j - s_y. Smoothing makes no slope steeper.
func (TopKHinge[T]) Steep(int) (slope, bend float64)   { return 2, 0 }
func (TopKUsunier[T]) Steep(int) (slope, bend float64) { return 2, 0 }

// Steep of a weighted sum of the s_j - s_y.
func (l Usunier[T]) Steep(m int) (slope, bend float64) { return 2 * vec.Sum(l.of(m-1)), 0 }

// Steep of sums whose slopes are differences of probabilities, or of two scores.
func (TopKEntropy[T]) Steep(int) (slope, bend float64)       { return 2, 0 }
func (MultilabelSoftmax[T]) Steep(int) (slope, bend float64) { return 2, 0 }
func (MultilabelHinge[T]) Steep(int) (slope, bend float64)   { return 2, 0 }

// Steep of sums over all labels.
func (l LabelHinge[T]) Steep(m int) (slope, bend float64) { return l.costsOf(m), 0 }
func (l Logistic[T]) Steep(m int) (slope, bend float64)   { return l.costsOf(m), 0 }
func (OneClass[T]) Steep(m int) (slope, bend float64)     { return float64(m), 0 }

// Steep of squares: (z + e)² is z² + 2 e z + e², and the sum of v z is at most the root of the sums of v and of v z².
// With margins the loss may be less than this sum.
func (l SquaredHinge[T]) Steep(m int) (slope, bend float64) {
	if l.Label != nil && l.Margins != nil {
		return math.Inf(1), 0
	}
	return 0, l.costsOf(m)
}

// Steep of sums over all targets.
func (EpsilonInsensitive[T]) Steep(m int) (slope, bend float64)        { return float64(m), 0 }
func (SquaredEpsilonInsensitive[T]) Steep(m int) (slope, bend float64) { return 0, float64(m) }

// Size is the largest margin, or what is added to a loss.
func (l LabelHinge[T]) Size(m int, w *Workspace[T]) float64   { return l.size(m, w) }
func (l SquaredHinge[T]) Size(m int, w *Workspace[T]) float64 { return l.size(m, w) }

// Size is the largest target, with what is free.
func (l EpsilonInsensitive[T]) Size(m int, w *Workspace[T]) float64 {
	return l.Targets.size(m, w.Example)
}
func (l SquaredEpsilonInsensitive[T]) Size(m int, w *Workspace[T]) float64 {
	return l.Targets.size(m, w.Example)
}

// Size of scores that are compared with 0.
func (OneClass[T]) Size(int, *Workspace[T]) float64 { return 0 }

// costsOf returns the sum of the costs of m labels.
func (l *Label[T]) costsOf(m int) float64 {
	if l == nil || l.Costs == nil {
		return float64(m)
	}
	return vec.Sum(l.Costs[:m])
}

func (l *Label[T]) size(m int, w *Workspace[T]) float64 {
	if l == nil || l.Margins == nil {
		return 1
	}
	largest := 0.0
	margins, least := l.margins(m, w)
	for c, v := range margins {
		largest = max(largest, math.Abs(v), math.Abs(least[c]))
	}
	return largest
}

func (t *Targets) size(m, example int) (largest float64) {
	if t == nil {
		return 0
	}
	if t.Y != nil {
		for _, y := range t.Y[example*m : (example+1)*m] {
			largest = max(largest, math.Abs(y))
		}
	}
	return largest + t.Epsilon
}
