package project

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// For k > 16 a sorted sample takes the place of the class maxima: if at least k elements are not below one of its
// elements, neither is the k-th largest.

const (
	sampleFrom  = 192  // elements
	samplePart  = 32   // of them one is drawn,
	sampleLeast = 32   // but no fewer than this,
	sampleMost  = 1024 // and no more than this
)

// samples says whether a sample pays: with k in the bulk there is little to prune.
func (w *Workspace[T]) samples(d, k int) bool {
	w.placed, w.cleared = false, false
	return d >= sampleFrom && k <= d/3 && !unchecked.Generic()
}

// collectMany is collect for k > 16; it leaves dst alone. The sample's element is chosen three standard deviations on
// the safe side, and another one, twice as far down, where that was wrong: at most log2 of the sample's size times.
func (w *Workspace[T]) collectMany(a []T, k int, b lowBound) []T {
	most := float64(vec.Max(a))
	if most-most != 0 {
		return a
	}
	n := min(max(len(a)/samplePart, sampleLeast), sampleMost)
	if w.sample == nil {
		w.sample = make([]T, sampleMost)
	}
	drawn := w.sample[:n]
	for i := range drawn {
		drawn[i] = a[int(int64(i)*int64(len(a))/int64(n))]
	}
	vec.SortDescending(drawn)
	mean := float64(k) * float64(n) / float64(len(a))
	for j := int(mean + 3*math.Sqrt(mean) + 2); j < n; j *= 2 {
		c := float64(drawn[j])
		low := max(0, min(b.limit, b.most*most+b.kth*c+b.rest))
		kept := w.above(nil, a, a, c-low-0x1p-48*(math.Abs(c)+low))
		if _, m := vec.SumAbove(kept, roundDown[T](math.Nextafter(c, math.Inf(-1)))); m >= k {
			return kept
		}
		w.placed = false
	}
	return a
}
