package l1

import (
	"slices"

	"github.com/dualgap/dualgap/internal/container"
)

// Save writes what the next epoch goes by.
func (t *training[T]) Save(w *container.Writer) {
	warm := 0
	if t.warm {
		warm = 1
	}
	w.Ints("step", t.epoch, warm)
	container.Floats(w, "step", []float64{t.share})
	for i := range t.outputs {
		t.outputs[i].save(w)
	}
}

func (o *output) save(w *container.Writer) {
	flags := 0
	for k, f := range []bool{o.looked, o.stuck, o.visited} {
		if f {
			flags |= 1 << k
		}
	}
	w.Ints("outp", o.passes, flags)
	container.Floats(w, "outp", []float64{o.primal, o.dual, o.theta, o.most})
	var places []int32
	var values []float64
	for f, v := range o.w {
		if v != 0 {
			places, values = append(places, int32(f)), append(values, v)
		}
	}
	w.Int32s("outp", places)
	container.Floats(w, "outp", values)
	w.Int32s("outp", o.live)
	w.Int32s("outp", o.work)
}

func (t *training[T]) Load(r *container.Reader) {
	counts, share := r.Ints("step", 2), container.ReadFloats[float64](r, "step", 1)
	if r.Err() != nil {
		return
	}
	if !container.Counts(counts[0]) || counts[1]&^1 != 0 || !(share[0] >= 0 && share[0] <= firstShare) {
		r.Corrupt("%d epochs, begun from weights: %d, share %v", counts[0], counts[1], share[0])
		return
	}
	t.epoch, t.warm, t.share = counts[0], counts[1] == 1, share[0]
	for i := range t.outputs {
		t.outputs[i].load(r)
		if r.Err() != nil {
			return
		}
	}
}

func (o *output) load(r *container.Reader) {
	counts, numbers := r.Ints("outp", 2), container.ReadFloats[float64](r, "outp", 4)
	places, values := r.Int32s("outp", container.Any), container.ReadFloats[float64](r, "outp", container.Any)
	live, work := r.Int32s("outp", container.Any), r.Int32s("outp", container.Any)
	if r.Err() != nil {
		return
	}
	for _, list := range [][]int32{places, live, work} {
		if !o.sound(list) {
			r.Corrupt("columns %v of %d", list[:min(len(list), 8)], len(o.w))
			return
		}
	}
	if len(places) != len(values) || !container.Counts(counts[0]) || counts[1]&^7 != 0 ||
		!finite(numbers) || !finite(values) || numbers[2] < 0 {
		r.Corrupt("%d weights in %d columns, counts %d, numbers %v", len(values), len(places), counts, numbers)
		return
	}
	clear(o.w)
	for k, f := range places {
		o.w[f] = values[k]
	}
	o.passes, o.live, o.work = counts[0], live, work
	o.looked, o.stuck, o.visited = counts[1]&1 > 0, counts[1]&2 > 0, counts[1]&4 > 0
	o.primal, o.dual, o.theta, o.most = numbers[0], numbers[1], numbers[2], numbers[3]
}

// sound reports whether a list has columns, ascending.
func (o *output) sound(list []int32) bool {
	for k, f := range list {
		if f < 0 || int(f) >= len(o.w) || k > 0 && f <= list[k-1] {
			return false
		}
	}
	return true
}

func finite(v []float64) bool {
	return !slices.ContainsFunc(v, func(v float64) bool { return v-v != 0 })
}
