package tracenorm

import (
	"slices"

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
	w.Ints("step", t.epoch, t.Visited, t.stage, t.since, t.looked, flag(t.begun)+flag(t.again), flag(t.stuck))
	container.Floats(w, "esti", []float64{t.Estimated.Primal, t.Estimated.Dual})
	t.descent.Save(w)
	t.Dual.Save(w)
}

func (t *training[T]) Load(r *container.Reader) {
	counts, estimate := r.Ints("step", 7), container.ReadFloats[float64](r, "esti", 2)
	t.descent.Load(r)
	t.Dual.Load(r)
	if r.Err() != nil {
		return
	}
	if slices.Min(counts) < 0 || !container.Counts(counts[0]) || counts[2] >= len(t.stages) {
		r.Corrupt("counts %d", counts)
		return
	}
	t.setStage(counts[2])
	t.epoch, t.Visited, t.since, t.looked = counts[0], counts[1], counts[3], counts[4]
	t.begun, t.again, t.stuck = counts[5] > 0, counts[5] > 1, counts[6] > 0
	t.Estimated.Primal, t.Estimated.Dual, t.Value = estimate[0], estimate[1], t.descent.Value
	t.setW(t.descent.Z)
}
