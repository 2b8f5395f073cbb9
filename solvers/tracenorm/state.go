package tracenorm

import (
	"math"

	"github.com/dualgap/dualgap/internal/container"
)

// Save writes where the steps are, and what L-BFGS remembers.
func (t *training[T]) Save(w *container.Writer) {
	flag := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	w.Ints("step", t.epoch, t.visits, t.stage, t.since, t.looked, flag(t.begun), flag(t.stuck))
	container.Floats(w, "at", []float64{t.at, t.estimate.Primal, t.estimate.Dual})
	container.Floats(w, "z", t.z)
	container.Floats(w, "grad", t.gradient)
	t.memory.Save(w)
	container.WriteMatrix(w, "dual", t.dual.a)
	container.WriteMatrix(w, "xa", t.dual.g)
	container.Floats(w, "h", []float64{t.dual.h})
}

func (t *training[T]) Load(r *container.Reader) {
	counts, at := r.Ints("step", 7), container.ReadFloats[float64](r, "at", 3)
	z, gradient := container.ReadFloats[T](r, "z", len(t.z)), container.ReadFloats[T](r, "grad", len(t.z))
	t.memory.Load(r, len(t.z))
	a, g, h := container.ReadMatrix[T](r, "dual"), container.ReadMatrix[T](r, "xa"), container.ReadFloats[float64](r, "h", 1)
	if r.Err() != nil {
		return
	}
	if a.Rows != t.n || a.Cols != t.k || g.Rows != t.d || g.Cols != t.k {
		r.Corrupt("dual variables %d by %d and %d by %d", a.Rows, a.Cols, g.Rows, g.Cols)
		return
	}
	t.dual.a, t.dual.g, t.dual.h = a, g, h[0]
	for _, c := range counts {
		if c < 0 || counts[0] > math.MaxInt32/2 || counts[2] >= len(t.stages) {
			r.Corrupt("counts %d", counts)
			return
		}
	}
	t.setStage(counts[2])
	t.epoch, t.visits, t.since, t.looked = counts[0], counts[1], counts[3], counts[4]
	t.begun, t.stuck = counts[5] > 0, counts[6] > 0
	t.at, t.estimate.Primal, t.estimate.Dual = at[0], at[1], at[2]
	copy(t.z, z)
	copy(t.gradient, gradient)
}
