package l1

import (
	"context"
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
	dual    float64   // of the slopes there
	theta   float64   // that the dual variables of the last look are multiplied by
	most    float64   // the largest violation at the last look
	passes  int       // over the examples
	looked  bool
	stuck   bool // no step makes the objective less
	visited bool // in this epoch
}

// scratch is what a goroutine computes with.
type scratch[T vec.Float] struct {
	*losses
	scores     []float64
	delta      []float64
	local      local[T]
	hessian    hessian[T]
	live, work []int32
	kept       []int32   // the working set that the second derivatives are over
	slopes     []float64 // of the live columns
	known      []float64 // the slope of each column
	as         []int     // at which version of the losses
	ahead      []float64 // scores of a step
	order      []int32
	chosen     []int32
	sizes      []float64 // of slopes
	weight     []float64
}

const (
	mostNewton = 8    // steps between two looks at all columns
	innerShare = 0.1  // of the violation that a step begins with is left by its sweeps
	gramShare  = 0.01 // likewise, where sweeps cost next to nothing
	mostSweeps = 100  // of a step
	mostCheap  = 1000 // likewise
	lookShare  = 0.1  // of the violation of a look is left by the steps that follow
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
	s.local.random.Seed(uint64(o.class), uint64(o.passes))
	w, now := append(s.weight[:0], o.w...), *o
	s.weight = w
	now.live, now.work = append(s.live[:0], o.live...), append(s.work[:0], o.work...)
	s.live, s.work = now.live, now.work
	s.at(s.scores)
	fresh := !now.looked
	if fresh {
		t.look(&now, w, s)
		now.passes++
		switch {
		case t.first != nil && slices.Equal(t.first.held, s.curve):
			now.work = append(now.work[:0], t.first.live...)
		case t.gains(now.live):
			now.work = append(now.work[:0], now.live...)
		}
	}
	most := mostRounds
	if t.looksOften(&now) {
		most *= mostRounds
	}
	for round := range most {
		s.kept = append(s.kept[:0], now.work...)
		cheap, whole := t.steps(ctx, &now, w, s, fresh, round > 0)
		if !whole {
			return false
		}
		now.live = withWeights(now.live, s.kept, w)
		t.look(&now, w, s)
		now.stuck = now.stuck && within(s.kept, now.work)
		now.passes++
		if !cheap || t.within(&now) || 2*len(now.work) < len(s.kept) || !within(s.kept, now.work) {
			break
		}
		now.work = append(now.work[:0], s.kept...) // the second derivatives are there
	}
	s.live, s.work = now.live, now.work
	now.w, now.live, now.work = o.w, append(o.live[:0], now.live...), append(o.work[:0], now.work...)
	copy(now.w, w)
	*o = now
	return true
}

// withWeights returns live, ascending, with the columns of work that have a weight: steps may give one to a column that
// was screened.
func withWeights(live, work []int32, w []float64) []int32 {
	for _, f := range work {
		if w[f] != 0 {
			if at, found := slices.BinarySearch(live, f); !found {
				live = slices.Insert(live, at, f)
			}
		}
	}
	return live
}

// gains reports whether second derivatives over the columns work make steps cheaper than sweeps over the examples.
func (t *training[T]) gains(work []int32) bool {
	if len(work) > mostColumns {
		return false
	}
	numbers := 0
	for _, f := range work {
		numbers += len(t.columns[f].values)
	}
	if t.loss == Logistic && t.rows != nil {
		return numbers <= fewOfLogistic*t.n
	}
	return len(work) <= fewColumns || numbers <= fewNumbers*t.n
}

const (
	fewColumns    = 256 // whose second derivatives are computed whatever the examples are
	fewNumbers    = 64  // of an example in the working set
	fewOfLogistic = 5   // likewise, of a sparse example, where the curvatures of all examples change
)

// looksOften reports whether a look at all columns of o costs little beside a step: then each step has one.
func (t *training[T]) looksOften(o *output) bool { return len(o.live) <= fewColumns }

// mostRounds is how often steps of an epoch go on with the second derivatives over the same columns. A variable, for
// tests: small problems have more epochs by fewer rounds.
var mostRounds = 4

// within reports whether all of some columns are in a list; both are ascending.
func within(list, some []int32) bool {
	for _, f := range some {
		k, found := slices.BinarySearch(list, f)
		if !found {
			return false
		}
		list = list[k+1:]
	}
	return true
}

// steps takes Newton steps on the working set of o, until no violation there is above a share of the last look's. It
// reports whether second derivatives were good enough for that, so that more steps may use them, and whether it was
// done before ctx ended.
func (t *training[T]) steps(ctx context.Context, o *output, w []float64, s *scratch[T], fresh, again bool) (cheap,
	whole bool) {
	goal, h, near := lookShare*o.most, (*hessian[T])(nil), false
	if again || t.gains(o.work) || fresh && t.first.has(o.work) {
		h = &s.hessian
	}
	if h != nil && !again {
		h.begin(t, s.kept)
	}
	o.stuck = false
	for step := range mostNewton {
		if ctx.Err() != nil {
			return false, false
		}
		m := &s.local
		o.passes++
		if h != nil {
			h.set(s.curve, step == 0 && !again)
			m.setGram(o.work, w, s.slopesOf(t, o.work), h.h)
		} else {
			m.set(t.store, o.work, w, s.losses)
			s.keep(o.work)
		}
		most := m.violated()
		if near = most <= goal; near {
			break
		}
		m.solve(most)
		s.move(t, o.work)
		if o.stuck = !s.search(o.work, w); o.stuck {
			break
		}
		if h != nil && t.looksOften(o) {
			return true, true
		}
		if fresh && !again && step == 0 && len(o.work) > fewColumns && 2*nonzeros(w) < len(o.work) {
			return false, true // a smaller working set is in sight
		}
	}
	return h != nil && near, true
}

// slopesOf returns the slopes of the columns work. Each is computed once at the same scores.
func (s *scratch[T]) slopesOf(t *training[T], work []int32) []float64 {
	s.slopes = s.slopes[:0]
	for _, f := range work {
		if s.as[f] != s.version {
			s.known[f], s.as[f] = t.columns[f].dot(s.slope), s.version
		}
		s.slopes = append(s.slopes, s.known[f])
	}
	return s.slopes
}

// keep takes up the slopes of the columns work that were computed otherwise.
func (s *scratch[T]) keep(work []int32) {
	for q, f := range work {
		s.known[f], s.as[f] = s.local.slope[q], s.version
	}
}

// move sets delta to the scores of the step.
func (s *scratch[T]) move(t *training[T], work []int32) {
	clear(s.delta)
	for q, d := range s.local.step {
		if d != 0 {
			t.columns[work[q]].addTo(s.delta, d)
		}
	}
}

func nonzeros(w []float64) (count int) {
	for _, v := range w {
		if v != 0 {
			count++
		}
	}
	return count
}
