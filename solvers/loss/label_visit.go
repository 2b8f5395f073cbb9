package loss

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// sides is what a visit needs to know of the labels of an example, for an example without true labels: u_c times t_c =
// -1, the interval of a_c, which is [-r v_c, 0], and 1/(2 r v_c) where psi is the square, where the interval ends at
// -Inf. A label that is true has the signs turned.
type sides[T vec.Float] struct {
	margin, low, high []T
	bend              []float64
	constant          float64                 // sum of r v_c k_c
	box               unchecked.BoxProblem[T] // the same, as the kernels take it
	alike             bool                    // whether they do: where all bends are the same
	curve             float64                 // the least R_cc above 0

	label   *Label[T] // whose these are, and of which weight r
	r       float64
	squared bool
}

// sidesOf returns the sides of an example with the true labels y, until turn is called with them again.
func (l *Label[T]) sidesOf(m int, y []int, r float64, squared bool, w *Workspace[T]) *sides[T] {
	s := &w.sides
	if len(s.margin) != m || s.label != l || s.r != r || s.squared != squared || l != nil && l.Margins != nil {
		s.fill(l, m, r, squared, w)
	}
	s.flip(y)
	return s
}

func (s *sides[T]) fill(l *Label[T], m int, r float64, squared bool, w *Workspace[T]) {
	if cap(s.margin) < m {
		s.margin, s.low, s.high, s.bend = make([]T, m), make([]T, m), make([]T, m), make([]float64, m)
	}
	s.margin, s.low, s.high, s.bend = s.margin[:m], s.low[:m], s.high[:m], s.bend[:m]
	s.label, s.r, s.squared, s.constant = l, r, squared, 0
	for c := range m {
		weight := r * l.cost(c)
		s.margin[c], s.low[c], s.high[c], s.bend[c] = -1, -below[T](weight), 0, 0
		if squared {
			s.low[c], s.bend[c] = T(math.Inf(-1)), 1/(2*weight)
		}
	}
	s.box = unchecked.BoxProblem[T]{C: &s.margin[0], Lo: &s.low[0], Hi: &s.high[0], Bend: T(s.bend[0]),
		R: T(r * l.cost(0))}
	s.alike = !squared || l == nil || l.Costs == nil
	s.curve = l.leastCurve(m)
	if l == nil || l.Margins == nil {
		return
	}
	margins, least := l.margins(m, w)
	for c := range m {
		s.margin[c] = T(-margins[c])
		s.constant += r * l.cost(c) * least[c]
	}
}

// leastCurve returns the least R_cc above 0 of m labels, 1 where there is none or no coupling.
func (l *Label[T]) leastCurve(m int) float64 {
	least := math.Inf(1)
	if l.coupled() {
		for c := range m {
			if v := l.own(c); v > 0 {
				least = min(least, v)
			}
		}
	}
	if math.IsInf(least, 1) {
		return 1
	}
	return least
}

// flip negates the entries of the true labels; calling it twice undoes it.
func (s *sides[T]) flip(y []int) {
	for _, c := range y {
		s.margin[c] = -s.margin[c]
		s.low[c], s.high[c] = -s.high[c], -s.low[c]
	}
}

// visit is Visit of a loss that is a sum over labels. With q = t u - s the part of gap that a label has is
//
//	max((low - a) q, (high - a) q)              r v psi(u - t s) - u x + a s, for the hinge
//	(w - bend a)²/(2 bend) + a (w - q),         w = clip(q, low, high), for its square,
//
// and a goes to clip(a + (q - bend a)/(h + bend), low, high), which maximises u x - x²/(4 r v) - s (a' - a) - h/2 (a' -
// a)².
func (l *Label[T]) visit(
	a, scores []T, y []int, h, r, term, least float64, squared bool, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	if l.couples(squared) {
		return l.visitCoupled(a, scores, l.wordsOf(y, len(a), w), h, r, term, least, squared, delta, w)
	}
	s := l.sidesOf(len(a), y, r, squared, w)
	if l.coupled() {
		// Nearly the same labels move with and without coupling: an uncoupled step on a copy finds them, and gives the
		// gap. Labels that earlier moves set free wait for the next visit. The curvature is the least R_cc h, so that
		// rounding loses no step that it would not lose with R; 1/1e-30 is a float32.
		try := w.take(2 * len(a))
		copy(try, a)
		gap, _, moved = s.step(try[:len(a)], scores, max(h*s.curve, min(h, 1e-30)), least, try[len(a):])
		if moved {
			after, moved = s.moveCoupled(a, scores, h, term, try[len(a):], delta, w)
		}
	} else {
		gap, after, moved = s.step(a, scores, h, least, delta)
	}
	s.flip(y)
	if !moved {
		after = term
	}
	return gap, after, moved
}

// step is the visit without a coupling.
func (s *sides[T]) step(a, scores []T, h, least float64, delta []T) (gap, after float64, moved bool) {
	if s.alike {
		return s.visit(a, scores, h, least, delta)
	}
	gap = s.gap(a, scores)
	if gap > least {
		moved = s.move(a, scores, h, delta)
	}
	return gap, s.term(a), moved
}

// visit is step by one kernel.
func (s *sides[T]) visit(a, scores []T, h, least float64, delta []T) (gap, after float64, moved bool) {
	inv, outcome := T(1/(h+s.bend[0])), 0
	switch single := unchecked.Is32[T](); {
	case single && s.squared:
		gap, after, outcome = unchecked.BoxSquared32(a, scores, delta, &s.box, inv, least)
	case single:
		gap, after, outcome = unchecked.BoxHinge32(a, scores, delta, &s.box, inv, least)
	case s.squared:
		gap, after, outcome = unchecked.BoxSquared64(a, scores, delta, &s.box, inv, least)
	default:
		gap, after, outcome = unchecked.BoxHinge64(a, scores, delta, &s.box, inv, least)
	}
	return gap, after + s.constant, outcome == unchecked.Moved
}

func (s *sides[T]) gap(a, scores []T) (gap float64) {
	margin, low, high, bend := s.margin[:len(a)], s.low[:len(a)], s.high[:len(a)], s.bend[:len(a)]
	scores = scores[:len(a)]
	for c := range a {
		v, q := float64(a[c]), float64(margin[c])-float64(scores[c])
		if !s.squared {
			gap += max((float64(low[c])-v)*q, (float64(high[c])-v)*q)
			continue
		}
		w := min(max(q, float64(low[c])), float64(high[c]))
		away := w - bend[c]*v
		gap += away*away/(2*bend[c]) + v*(w-q)
	}
	return gap
}

func (s *sides[T]) move(a, scores []T, h float64, delta []T) (moved bool) {
	margin, low, high, bend := s.margin[:len(a)], s.low[:len(a)], s.high[:len(a)], s.bend[:len(a)]
	scores, delta = scores[:len(a)], delta[:len(a)]
	for c, v := range a {
		b := T(bend[c])
		x := min(max(v+(margin[c]-scores[c]-b*v)*T(1/(h+bend[c])), low[c]), high[c])
		delta[c], a[c] = x-v, x
		moved = moved || x != v
	}
	return moved
}

// term returns the dual term of a.
func (s *sides[T]) term(a []T) float64 {
	sum, squares := s.constant, 0.0
	for c, v := range a {
		sum += float64(s.margin[c]) * float64(v)
		squares += s.bend[c] * float64(v) * float64(v)
	}
	return sum - squares/2
}

// moveCoupled is move where outputs are coupled by a factor of R, or by R with bends that differ: the labels whose try
// is not 0 one after the other, each with the scores that the moves before it have left. The curvature of a label is
// h R_cc. delta is the move times R, or by a factor Q times the move, and what 1/2 <A, K A R> grows by with a move of
// step is step times the score and h R_cc step²/2.
func (s *sides[T]) moveCoupled(
	a, scores []T, h, term float64, try, delta []T, w *Workspace[T],
) (after float64, moved bool) {
	delta = delta[:s.label.Factor.Cols(len(a))]
	clear(delta)
	after = term
	for c, v := range a {
		if try[c] == 0 {
			continue
		}
		bend, old := s.bend[c], float64(v)
		score, curve := float64(scores[c])+h*s.label.along(c, delta), h*s.label.own(c)
		q := (float64(s.margin[c]) - score - bend*old) / max(curve+bend, math.SmallestNonzeroFloat64)
		x := min(max(T(old+q), s.low[c]), s.high[c])
		if x == v || x-x != 0 {
			continue
		}
		step := x - v
		a[c], moved = x, true
		w.Quadratic += float64(step) * (score + curve*float64(step)/2)
		after += float64(s.margin[c])*(float64(x)-old) - bend/2*(float64(x)*float64(x)-old*old)
		s.label.add(c, step, delta)
	}
	return after, moved
}
