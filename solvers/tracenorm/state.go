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
	w.Ints("step", t.epoch, t.Visited, t.stage, t.since, t.looked, flag(t.begun), flag(t.stuck))
	container.Floats(w, "esti", []float64{t.Sure.Primal, t.Sure.Dual})
	t.descent.Save(w)
	container.WriteMatrix(w, "dual", t.Dual.A)
	container.WriteMatrix(w, "xa", t.Dual.G)
	container.Floats(w, "h", []float64{t.Dual.H})
}

func (t *training[T]) Load(r *container.Reader) {
	counts, estimate := r.Ints("step", 7), container.ReadFloats[float64](r, "esti", 2)
	t.descent.Load(r)
	a, g, h := container.ReadMatrix[T](r, "dual"), container.ReadMatrix[T](r, "xa"), container.ReadFloats[float64](r, "h", 1)
	if r.Err() != nil {
		return
	}
	if a.Rows != t.N || a.Cols != t.K || g.Rows != t.D || g.Cols != t.K {
		r.Corrupt("dual variables %d by %d and %d by %d", a.Rows, a.Cols, g.Rows, g.Cols)
		return
	}
	t.Dual.A, t.Dual.G, t.Dual.H = a, g, h[0]
	for _, c := range counts {
		if c < 0 || counts[0] > math.MaxInt32/2 || counts[2] >= len(t.stages) {
			r.Corrupt("counts %d", counts)
			return
		}
	}
	t.setStage(counts[2])
	t.epoch, t.Visited, t.since, t.looked = counts[0], counts[1], counts[3], counts[4]
	t.begun, t.stuck = counts[5] > 0, counts[6] > 0
	t.Sure.Primal, t.Sure.Dual, t.Value = estimate[0], estimate[1], t.descent.Value
	t.setW(t.descent.Z)
}
