package design

import "github.com/dualgap/dualgap/vec"

// ByFeatures is what a storage may offer besides Matrix when it finds the examples that have a feature: then each row
// of Xᵀ A is written once.
type ByFeatures[T vec.Float] interface {
	Matrix[T]

	// AccumulateFeatures adds rows from, ..., to-1 of Xᵀ A to the same rows of W, where A is n-by-m and W is d-by-m,
	// and touches no other rows of W. The bits of a row do not depend on from and to.
	AccumulateFeatures(w, a vec.Matrix[T], from, to int)
}

// manyOutputs is from how many outputs on a pass by features is the faster one: below, an example adds so little to
// each row of W that finding the examples of a feature costs as much.
const manyOutputs = 4

// byFeatures returns x as a ByFeatures, nil where it is none.
func byFeatures[T vec.Float](x Matrix[T]) ByFeatures[T] {
	switch x := x.(type) {
	case ByFeatures[T]:
		return x
	case *biased[T]:
		if inner := byFeatures(x.x); inner != nil {
			return biasedFeatures[T]{x, inner}
		}
	}
	return nil
}

// biasedFeatures is a biased storage whose other features come from a ByFeatures.
type biasedFeatures[T vec.Float] struct {
	*biased[T]
	inner ByFeatures[T]
}

func (f biasedFeatures[T]) AccumulateFeatures(w, a vec.Matrix[T], from, to int) {
	f.inner.AccumulateFeatures(w.Slice(0, f.d, 0, w.Cols), a, min(from, f.d), min(to, f.d))
	if f.d < from || to <= f.d || w.Cols == 0 {
		return
	}
	for i := range a.Rows {
		vec.Axpy(f.b, a.Row(i), w.Row(f.d))
	}
}
