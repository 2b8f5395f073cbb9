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
	container.Floats(w, "scal", []float64{s.s, s.zs, s.y[0], s.y[1]})
}

// Load reads what Save wrote. Another number of variables, or a variable that cannot be, is an error that stays in r.
func (s *Solver) Load(r *container.Reader) {
	states := [2]vec.Matrix[float64]{container.ReadMatrix[float64](r, "side"), container.ReadMatrix[float64](r, "side")}
	scalar := container.ReadFloats[float64](r, "scal", 4)
	if r.Err() != nil {
		return
	}
	for i, m := range states {
		h := &s.sides[i]
		if m.Rows != 4 || m.Cols != len(h.v) {
			r.Corrupt("a point of %d-by-%d numbers for %d variables", m.Rows, m.Cols, len(h.v))
			return
		}
		for k, v := range m.Data {
			if v-v != 0 || !(v > 0) && (h.bounded || k < 2*m.Cols) {
				r.Corrupt("number %d of a point is %v, need a positive one", k, v)
				return
			}
		}
	}
	if s.p.scalar() && !(scalar[0] > 0 && scalar[1] > 0) || vec.Sum(scalar)-vec.Sum(scalar) != 0 {
		r.Corrupt("a scalar and multipliers of %v", scalar)
		return
	}
	for i, m := range states {
		s.sides[i].set(m)
	}
	s.s, s.zs, s.y = scalar[0], scalar[1], [2]float64{scalar[2], scalar[3]}
	s.measure()
}
