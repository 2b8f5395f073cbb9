package ascent

import (
	"github.com/dualgap/dualgap/internal/pages"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// occupied trains on the features that occur: of wide sparse data others are many, and their rows of W, which stay 0,
// or what the prior says, would be gone through by all that goes through W.
type occupied[T vec.Float] struct {
	Solver[T]
	features []int32       // those that occur
	d, m     int           // of the whole model
	rows     int           // of W as it is trained, with the constant feature's
	others   vec.Matrix[T] // W0 of all features, empty without a prior: where none occurs W stays W0
	off      float64       // lambda/2 |W - W0|² of these, which rounding to T makes
}

// paying is the number of weights from which features that do not occur are left out: fewer stay in a cache.
const paying = 1 << 18

// onFeatures returns a training on features. An error is one of a training on all features, whose numbers it names.
func onFeatures[T vec.Float](p Problem[T], o Options) (Solver[T], error) {
	if n, d := p.size(); d*p.Outputs >= paying {
		r, m := newRows(p.X, &p), padded[T](max(p.Outputs, p.Factor.Cols(p.Outputs)))
		if r.sparse != nil && checkFeatures(d, m, r.stored(n)) == nil {
			narrow, features := design.Occupied(p.X)
			inner := p.with(narrow)
			inner.Prior = p.priorOf(features)
			if s, err := onRows(inner, o); features != nil && err == nil {
				s := &occupied[T]{Solver: s, features: features, d: d, m: p.Outputs, rows: len(features)}
				if p.Constant != 0 {
					s.rows++
				}
				s.setOthers(&p)
				return s, nil
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

// PrimalVariables returns W with rows of 0, or of the prior, for the features that do not occur. The constant feature
// is the last one.
func (s *occupied[T]) PrimalVariables() (train.Variables[T], error) {
	wide := vec.NewMatrix[T](s.d, s.m)
	pages.Huge(wide.Data)
	copy(wide.Data, s.others.Data)
	if groups, ok := s.Solver.(*groupSolver[T]); ok {
		groups.weightsTo(func(q int) []T { return wide.Row(s.feature(q)) })
		return variables(wide), nil
	}
	v, err := s.Solver.PrimalVariables()
	if err != nil {
		return v, err
	}
	for q := range s.rows {
		copy(wide.Row(s.feature(q)), v.Matrices[0].Row(q))
	}
	return variables(wide), nil
}

// feature returns which feature of the whole model has row q of W as it is trained.
func (s *occupied[T]) feature(q int) int {
	if q == len(s.features) {
		return s.d - 1
	}
	return int(s.features[q])
}

// Fits: see train.Certified.
func (s *occupied[T]) Fits(primal, dual train.Variables[T]) bool {
	kept := s.Solver.DualVariables() != nil && dual.Sized(s.Solver.Duals().Rows, s.m)
	return primal.Sized(s.d, s.m) && (dual.None() || kept)
}

// setOthers keeps W0, where there is a prior.
func (s *occupied[T]) setOthers(p *Problem[T]) {
	if !p.hasPrior() {
		return
	}
	s.others = narrow[T](p.Prior)
	if p.coupled() { // W is not rounded: see Certify
		return
	}
	occurs := make([]bool, s.d)
	for _, j := range s.features {
		occurs[j] = true
	}
	if p.Constant != 0 {
		occurs[s.d-1] = true
	}
	for j, yes := range occurs {
		if yes {
			continue
		}
		for c, v := range p.Prior.Row(j) {
			off := float64(s.others.Row(j)[c]) - v
			s.off += p.Lambda / 2 * off * off
		}
	}
}

// Zero, Certify and Start add what rounding makes of the penalty of features that do not occur.
func (s *occupied[T]) Zero() solvers.Certificate { return s.whole(s.Solver.Zero()) }

func (s *occupied[T]) Certify() (solvers.Certificate, error) {
	c, err := s.Solver.Certify()
	return s.whole(c), err
}

func (s *occupied[T]) Start(duals vec.Matrix[T]) (solvers.Certificate, error) {
	c, err := s.Solver.Start(duals)
	return s.whole(c), err
}

// Bound: see train.Bounded. All that onRows returns have it.
func (s *occupied[T]) Bound() float64 { return s.Solver.(train.Bounded).Bound() }

func (s *occupied[T]) whole(c solvers.Certificate) solvers.Certificate {
	c.Primal += s.off
	return c
}
