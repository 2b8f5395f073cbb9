package l1

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// output is the training of one vector of weights, for an output whose examples have the sign 1 where their class is
// class.
type output struct {
	class   int
	w       []float64 // of the columns
	live    []int32   // columns that are not known to have the weight 0 at the optimum, ascending
	work    []int32   // the working set, ascending
	primal  float64   // of w at the last look
	dual    float64   // the best
	theta   float64   // that the dual variables of the last look are multiplied by
	most    float64   // the largest violation at the last look
	passes  int       // over the examples
	looked  bool
	stuck   bool // no step makes the objective less
	goal    float64
	visited bool // in this epoch
}

// scratch is what a goroutine computes with.
type scratch[T vec.Float] struct {
	*losses
	scores []float64
	delta  []float64
	local  local[T]
	slopes []float64 // of the live columns
	order  []int32
	weight []float64
}

const (
	mostNewton = 8    // steps between two looks at all columns
	innerShare = 0.1  // of the violation that a step begins with is left by its sweeps
	lookShare  = 0.1  // of the violation of a look is left by the steps that follow
	mostSweeps = 100  // of a step
	least      = 100  // columns that a working set has at least
	slack      = 1e-9 // of the bounds of screening
)

// begin sets the signs of the examples, and the scores of w.
func (s *scratch[T]) begin(t *training[T], o *output) {
	for i, y := range t.labels {
		s.sign[i] = -1
		if y == o.class {
			s.sign[i] = 1
		}
	}
	clear(s.scores)
	for f, v := range o.w {
		if v != 0 {
			t.columns[f].addTo(s.scores, v)
		}
	}
}

// advance takes Newton steps on the working set, and looks at all columns. It reports false, and leaves o as it was,
// where ctx ends before.
func (t *training[T]) advance(ctx context.Context, o *output, s *scratch[T]) bool {
	s.begin(t, o)
	w, passes, stuck := append(s.weight[:0], o.w...), o.passes, false
	s.weight = w
	if !o.looked {
		s.at(s.scores)
		t.look(o, w, s)
		passes++
	}
	goal := lookShare * o.most
	for range mostNewton {
		if ctx.Err() != nil {
			return false
		}
		moved, done := t.step(o.work, w, s, goal)
		passes++
		if done {
			break
		}
		if stuck = !moved; stuck {
			break
		}
	}
	s.at(s.scores)
	copy(o.w, w)
	o.passes, o.stuck = passes+1, stuck
	t.look(o, w, s)
	return true
}

// step takes a step on the working set. done: no violation there is above goal. moved: the objective is less.
func (t *training[T]) step(work []int32, w []float64, s *scratch[T], goal float64) (moved, done bool) {
	s.at(s.scores)
	m := &s.local
	m.set(t.store, work, w, s.losses)
	most := 0.0
	for q, g := range m.slope {
		most = max(most, violation(m.from[q], g))
	}
	if most <= goal {
		return false, true
	}
	m.solve(max(innerShare*most, goal/2), mostSweeps)
	clear(s.delta)
	for q, d := range m.step {
		if d != 0 {
			t.columns[work[q]].addTo(s.delta, d)
		}
	}
	return s.search(work, w), false
}

// search moves along the step as far as the objective falls enough.
func (s *scratch[T]) search(work []int32, w []float64) bool {
	const enough, rounding = 0.01, 1e-15
	m, before := &s.local, s.value
	decrease := m.decrease()
	if !(decrease < 0) {
		return false
	}
	norm := 0.0
	for _, v := range w {
		norm += math.Abs(v)
	}
	for t, tries := 1.0, 0; tries < 40; t, tries = t/2, tries+1 {
		change := s.along(s.scores, s.delta, t) - before
		for q, d := range m.step {
			change += math.Abs(m.from[q]+t*d) - math.Abs(m.from[q])
		}
		if change <= enough*t*decrease+rounding*(before+norm) {
			for q, d := range m.step {
				if d != 0 {
					w[work[q]] = m.from[q] + t*d
				}
			}
			vec.Axpy64(t, s.delta, s.scores)
			return true
		}
	}
	return false
}

// look computes the slopes of all live columns at the weights w, and by them the dual value, what is screened, and the
// next working set.
func (t *training[T]) look(o *output, w []float64, s *scratch[T]) {
	norm := 0.0
	for _, v := range w {
		norm += math.Abs(v)
	}
	o.primal = s.value + norm
	s.slopes = s.slopes[:0]
	largest, most := 0.0, 0.0
	for _, f := range o.live {
		g := t.columns[f].dot(s.slope)
		s.slopes = append(s.slopes, g)
		largest, most = max(largest, math.Abs(g)), max(most, violation(w[f], g))
	}
	dual, theta := s.dual(1 / largest)
	o.most, o.theta = most, theta
	if !o.looked || dual > o.dual {
		o.dual = dual
	}
	o.looked = true
	t.screen(o, w, s, s.reach(o.primal-dual), theta)
	t.choose(o, w, s)
}

// screen leaves out the columns whose weight is 0 at the optimum for certain: theta |g_j| + |x_j| radius < 1.
func (t *training[T]) screen(o *output, w []float64, s *scratch[T], radius, theta float64) {
	k := 0
	for p, f := range o.live {
		if w[f] == 0 && theta*math.Abs(s.slopes[p])+t.norms[f]*radius < 1-slack {
			continue
		}
		o.live[k], s.slopes[k] = f, s.slopes[p]
		k++
	}
	o.live, s.slopes = o.live[:k], s.slopes[:k]
}

// choose makes the working set: the columns with weights, and as many others whose slopes are the largest.
func (t *training[T]) choose(o *output, w []float64, s *scratch[T]) {
	o.work, s.order = o.work[:0], s.order[:0]
	for p, f := range o.live {
		if w[f] != 0 {
			o.work = append(o.work, f)
		} else if math.Abs(s.slopes[p]) > nearly {
			s.order = append(s.order, int32(p))
		}
	}
	more := max(least, len(o.work))
	if len(s.order) > more {
		slices.SortFunc(s.order, func(a, b int32) int {
			return cmp.Or(cmp.Compare(math.Abs(s.slopes[b]), math.Abs(s.slopes[a])), cmp.Compare(a, b))
		})
		s.order = s.order[:more]
	}
	for _, p := range s.order {
		o.work = append(o.work, o.live[p])
	}
	slices.Sort(o.work)
}

// nearly is how large a slope is at least for a column to be in the working set.
const nearly = 0.9
