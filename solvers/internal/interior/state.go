package interior

import (
	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/vec"
)

// Save writes the point. The next steps of a Solver of the same problem that loads it have the same bits.
func (s *Solver) Save(w *container.Writer) {
	for i := range s.sides {
		container.WriteMatrix(w, "side", s.sides[i].state)
	}
	w.Fields("scal", s.allScalars()...)
}

// allScalars are s, z_s and y of each group.
func (s *Solver) allScalars() (all []any) {
	for g := range s.s {
		all = append(all, &s.s[g], &s.zs[g], &s.y[g][0], &s.y[g][1])
	}
	return all
}

// Load reads what Save wrote. Another number of variables, or a variable that cannot be, is an error that stays in r.
func (s *Solver) Load(r *container.Reader) {
	states := [2]vec.Matrix[float64]{container.ReadMatrix[float64](r, "side"), container.ReadMatrix[float64](r, "side")}
	r.FiniteFields("scal", s.allScalars()...)
	if r.Err() != nil {
		return
	}
	for i, m := range states {
		h := s.sides[i]
		if m.Rows != 4 || m.Cols != len(h.v) {
			r.Corrupt("a point of %d-by-%d numbers for %d variables", m.Rows, m.Cols, len(h.v))
			return
		}
		for k, v := range m.Data {
			if v-v != 0 || !(v > 0) && (h.bounded || k < 2*m.Cols) {
				r.Corrupt("number %d of a point is %v, want a positive one", k, v)
				return
			}
		}
	}
	for g := range s.s {
		if s.p.hasScalar() && !(s.s[g] > 0 && s.zs[g] > 0) {
			r.Corrupt("a scalar of %v and its multiplier of %v", s.s[g], s.zs[g])
			return
		}
	}
	for i, m := range states {
		s.sides[i].set(m)
	}
	s.measure()
}
