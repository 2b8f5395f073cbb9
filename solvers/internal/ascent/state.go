package ascent

import (
	"slices"

	"github.com/dualgap/dualgap/internal/container"
)

// The state of a training in a file. What the problem says, sizes and weights of the losses, is not in it.

// save writes what both kinds of training share: A; of each example g_i and its dual term, the epoch of its next visit,
// how long it has rested, whether it is 0; the sums of these; the generator of random numbers.
func (s *common[T]) save(w *container.Writer) {
	container.WriteMatrix(w, "dual", s.a)
	gap, term, next, rests, zero := make([]float64, s.n), make([]float64, s.n), make([]int32, s.n), make([]byte, s.n),
		make([]byte, s.n)
	for i, ex := range s.ex {
		gap[i], term[i], next[i], rests[i] = ex.gap, ex.term, ex.next, ex.rests
		if ex.zero {
			zero[i] = 1
		}
	}
	container.Floats(w, "gap ", gap)
	container.Floats(w, "term", term)
	w.Int32s("next", next)
	w.Bytes("rest", rests)
	w.Bytes("zero", zero)
	random, _ := s.random.MarshalBinary() // never fails
	w.Bytes("rand", random)
	w.Ints("epch", s.epoch)
	s.counts.save(w)
}

func (s *common[T]) load(r *container.Reader) {
	a := container.ReadMatrix[T](r, "dual")
	if r.Err() == nil && (a.Rows != s.n || a.Cols != s.m) {
		r.Corrupt("%d-by-%d dual variables for %d examples and %d outputs", a.Rows, a.Cols, s.n, s.m)
	}
	gap, term := container.ReadFloats[float64](r, "gap ", s.n), container.ReadFloats[float64](r, "term", s.n)
	next, rests, zero := r.Int32s("next", s.n), r.Bytes("rest", s.n), r.Bytes("zero", s.n)
	random, epoch := r.Bytes("rand", container.Any), r.Ints("epch", 1)
	s.counts.load(r)
	if r.Err() != nil {
		return
	}
	if err := s.random.UnmarshalBinary(random); err != nil {
		r.Corrupt("generator of random numbers: %v", err)
	}
	if !container.Counts(epoch[0]) {
		r.Corrupt("epoch %d", epoch[0])
	}
	for i := range s.ex {
		ex := &s.ex[i]
		ex.gap, ex.term, ex.next, ex.rests, ex.zero = gap[i], term[i], next[i], rests[i], zero[i] != 0
		if int(ex.rests) >= len(waits) || ex.next < 0 {
			r.Corrupt("example %d is due in epoch %d after %d visits in vain", i, ex.next, ex.rests)
		}
	}
	s.epoch = epoch[0]
	for i := range s.n {
		copy(s.a.Row(i), a.Row(i))
		s.changed[i] = 1
	}
}

func (c *counts) save(w *container.Writer) {
	w.Ints("sums", c.visits)
	container.Floats(w, "sums", []float64{c.dual, c.gaps, c.quadratic})
}

func (c *counts) load(r *container.Reader) {
	visits, sums := r.Ints("sums", 1), container.ReadFloats[float64](r, "sums", 3)
	if r.Err() == nil {
		*c = counts{dual: sums[0], gaps: sums[1], quadratic: sums[2], visits: visits[0]}
	}
}

// Save adds W, the lists of the examples that are due, in their order, and what is left of the epoch.
func (s *linearSolver[T]) Save(w *container.Writer) {
	s.common.save(w)
	s.offset.save(w)
	container.WriteMatrix(w, "wght", s.weights.Matrix)
	container.Floats(w, "wrth", append([]float64{s.negligible}, s.momentum.numbers()...))
	link, list := s.schedule.lists(s.epoch)
	w.Int32s("link", link)
	w.Int32s("list", list)
	w.Indices("left", s.due[s.from:])
	for _, worker := range s.workers {
		worker.counts.save(w)
	}
	s.momentum.save(w)
}

// Load: see train.Method.
func (s *linearSolver[T]) Load(r *container.Reader) {
	s.common.load(r)
	s.offset.load(r)
	if s.offset.on && r.Err() == nil {
		s.setOrigin()
	}
	weights := container.ReadMatrix[T](r, "wght")
	worth := container.ReadFloats[float64](r, "wrth", container.Any)
	link, list := r.Int32s("link", s.n), r.Int32s("list", len(s.schedule.list))
	left := r.Indices("left", container.Any, s.n)
	for _, worker := range s.workers {
		worker.counts.load(r)
	}
	if r.Err() == nil && len(worth) == 0 {
		r.Corrupt("no gap that is negligible")
		return
	}
	if r.Err() == nil {
		s.momentum.load(r, worth[1:])
	}
	if r.Err() != nil {
		return
	}
	for i := range s.ex { // certificates take the dual term of an example that is 0 as it is: it is computed again
		ex, a := &s.ex[i], s.a.Row(i)
		switch {
		case !ex.zero:
		case !isZero(a):
			r.Corrupt("example %d, said to be 0, has the dual variables %v", i, a)
			return
		case ex.r == 0:
			ex.term = 0
		default:
			s.work.Example = i
			ex.term = s.p.Loss.Dual(a, s.p.Labels.Of(i), ex.r, &s.work)
		}
	}
	if weights.Rows != s.weights.Rows || weights.Cols != s.weights.Cols {
		r.Corrupt("W is %d-by-%d, want %d-by-%d", weights.Rows, weights.Cols, s.weights.Rows, s.weights.Cols)
		return
	}
	copy(s.weights.Data, weights.Data) // in place: workers share it
	s.negligible = worth[0]
	copy(s.schedule.link, link)
	copy(s.schedule.list[:], list)
	s.schedule.soon = s.schedule.soon[:0]
	s.due, s.from = append(s.due[:0], left...), 0
	if !s.schedule.sound(s.due) {
		r.Corrupt("the lists of examples that are due name one twice, or none that is")
	}
}

// Save adds the scores, the order of the epoch and how far it has come; and where not all examples are active, which
// are.
func (s *kernelSolver[T]) Save(w *container.Writer) {
	s.common.save(w)
	scores := s.f
	if l := s.levels; l != nil {
		s.keepScores()
		scores = l.scores
		l.Save(w)
		container.Floats(w, "goal", []float64{l.Goal})
	}
	s.offset.save(w)
	container.WriteMatrix(w, "scor", scores)
	w.Indices("ordr", s.order)
	from := s.from
	if s.spent {
		from = len(s.order) + 1
	}
	w.Ints("from", from)
	container.Floats(w, "wrth", append([]float64{s.worth}, s.momentum.numbers()...))
	s.momentum.save(w)
}

// Load: see train.Method.
func (s *kernelSolver[T]) Load(r *container.Reader) {
	s.common.load(r)
	if s.levels != nil {
		s.loadLevel(r)
	}
	s.offset.load(r)
	scores, order := container.ReadMatrix[T](r, "scor"), r.Indices("ordr", len(s.order), len(s.at))
	from, worth := r.Ints("from", 1), container.ReadFloats[float64](r, "wrth", container.Any)
	if r.Err() == nil && len(worth) == 0 {
		r.Corrupt("no gap that is worth a row of K")
	}
	if r.Err() != nil {
		return
	}
	if len(worth) > 1 {
		s.reserve()
	}
	s.momentum.load(r, worth[1:])
	if r.Err() != nil {
		return
	}
	known := make([]bool, len(s.at))
	for _, p := range s.order {
		known[p] = true
	}
	if slices.ContainsFunc(order, func(p int) bool { return !known[p] }) {
		r.Corrupt("the order of examples names one that is not visited")
		return
	}
	if s.levels != nil && from[0] == len(order)+1 {
		s.spent, from[0] = true, len(order)
	}
	if scores.Rows != s.n || scores.Cols != s.f.Cols || from[0] < 0 || from[0] > len(order) {
		r.Corrupt("%d-by-%d scores, an epoch at %d of %d", scores.Rows, scores.Cols, from[0], len(order))
		return
	}
	if s.levels != nil {
		s.levels.scores = scores
		for p, i := range s.at {
			copy(s.f.Row(p), scores.Row(i))
		}
	} else {
		s.f = scores
	}
	copy(s.order, order)
	s.from, s.worth = from[0], worth[0]
}

// loadLevel reads what Save writes of the active examples, and makes them that.
func (s *kernelSolver[T]) loadLevel(r *container.Reader) {
	l := s.levels
	l.Load(r)
	goal := container.ReadFloats[float64](r, "goal", 1)
	if r.Err() != nil {
		return
	}
	for _, i := range l.Others() {
		if !isZero(s.duals(i)) {
			r.Corrupt("example %d is not active and has the dual variables %v", i, s.duals(i))
			return
		}
	}
	l.Goal, s.at = goal[0], nil // what was active before is not known any more
	s.Activate(l.At())
}

// sound reports whether every example that has a next visit stands in one list, in soon, or in left, once, and no other
// does.
func (q *schedule) sound(left []int) bool {
	seen, n := make([]bool, len(q.ex)), int32(len(q.ex))
	mark := func(i int32) bool {
		if i < 0 || i >= n || seen[i] || q.ex[i].next == 0 {
			return false
		}
		seen[i] = true
		return true
	}
	for _, i := range left {
		if !mark(int32(i)) {
			return false
		}
	}
	for _, i := range q.soon {
		if !mark(i) {
			return false
		}
	}
	for _, i := range q.list {
		for ; i >= 0; i = q.link[i] {
			if !mark(i) {
				return false
			}
		}
	}
	for i, ex := range q.ex {
		if ex.next != 0 && !seen[i] {
			return false
		}
	}
	return true
}
