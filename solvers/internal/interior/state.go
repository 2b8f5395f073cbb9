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
	var scalars []float64
	for g, y := range s.y {
		scalars = append(scalars, s.s[g], s.zs[g], y[0], y[1])
	}
	container.Floats(w, "scal", scalars)
}

// Load reads what Save wrote. Another number of variables, or a variable that cannot be, is an error that stays in r.
func (s *Solver) Load(r *container.Reader) {
	states := [2]vec.Matrix[float64]{container.ReadMatrix[float64](r, "side"), container.ReadMatrix[float64](r, "side")}
	scalar := container.ReadFloats[float64](r, "scal", 4*len(s.s))
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
		of := scalar[4*g : 4*g+4]
		if s.p.hasScalar() && !(of[0] > 0 && of[1] > 0) || vec.Sum(of)-vec.Sum(of) != 0 {
			r.Corrupt("a scalar and multipliers of %v", of)
			return
		}
	}
	for i, m := range states {
		s.sides[i].set(m)
	}
	for g := range s.s {
		s.s[g], s.zs[g], s.y[g] = scalar[4*g], scalar[4*g+1], [2]float64{scalar[4*g+2], scalar[4*g+3]}
	}
	s.measure()
}
