package kernel

import "github.com/dualgap/dualgap/solvers/kernel/internal/core"

// OnSupport returns the model of a precomputed kernel for examples that are given by their kernel values with the
// support vectors alone, in the order of Support, not with all n training examples: of the training data only the
// support vectors need to be kept. Scores are the same. Its Dims and Len are their number, its Support is 0, 1, 2, ...
//
// A model of features holds nothing but its support vectors, and is returned as it is; and so is one without any. O(s)
// for s support vectors: coefficients are shared.
func (m *Expansion[T]) OnSupport() *Expansion[T] {
	s := len(m.c.Support)
	if m.k != nil || s == 0 {
		return m
	}
	other := *m
	other.d, other.c.N, other.c.Support = s, s, core.Some(nil, 0, s)
	return &other
}
