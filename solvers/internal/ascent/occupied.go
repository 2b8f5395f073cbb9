package ascent

import (
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// occupied trains on the features that occur: of wide sparse data others are many, and their rows of W, which stay 0,
// would be gone through by all that goes through W.
type occupied[T vec.Float] struct {
	Solver[T]
	features []int32 // those that occur
	d, m     int     // of the whole model
}

// paying is the number of weights from which features that do not occur are left out: fewer stay in a cache.
const paying = 1 << 18

// onFeatures returns a training on features. An error is one of a training on all features, whose numbers it names.
func onFeatures[T vec.Float](p Problem[T], o Options) (Solver[T], error) {
	if n, d := p.size(); d*p.Outputs >= paying {
		r, m := newRows(p.X, &p), padded[T](max(p.Outputs, p.Factor.Cols(p.Outputs)))
		if r.sparse != nil && checkFeatures(d, m, r.stored(n)) == nil {
			narrow, features := design.Occupied(p.X)
			if s, err := onRows(p.with(narrow), o); features != nil && err == nil {
				return &occupied[T]{s, features, d, p.Outputs}, nil
			}
		}
	}
	return onRows(p, o)
}

// with returns p on other features.
func (p Problem[T]) with(x design.Matrix[T]) Problem[T] {
	p.X = x
	return p
}

// onRows returns a training on features as they are.
func onRows[T vec.Float](p Problem[T], o Options) (Solver[T], error) {
	if size := groupSize(&p, o); size > 0 {
		return newGroupSolver(p, o, size)
	}
	return newLinearSolver(p, o)
}

// PrimalVariables returns W with rows of 0 for the features that do not occur. The constant feature is the last one.
func (s *occupied[T]) PrimalVariables() (train.Variables[T], error) {
	v, err := s.Solver.PrimalVariables()
	if err != nil {
		return v, err
	}
	narrow, wide := v.Matrices[0], vec.NewMatrix[T](s.d, s.m)
	for q, j := range s.features {
		copy(wide.Row(int(j)), narrow.Row(q))
	}
	if narrow.Rows > len(s.features) {
		copy(wide.Row(s.d-1), narrow.Row(narrow.Rows-1))
	}
	return variables(wide), nil
}

// Fits: see train.Certified.
func (s *occupied[T]) Fits(primal, dual train.Variables[T]) bool {
	return primal.Sized(s.d, s.m) && dual.None()
}
