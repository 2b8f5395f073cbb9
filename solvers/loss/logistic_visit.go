package loss

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// logisticMemory is what a visit of the logistic loss keeps of each label.
type logisticMemory struct {
	z, e, log, old []float64 // -t s; exp(-|z|); log(1 + e); q' of the dual
	memory         []float64

	// rows has t for an example without true labels, r v_c, 1/(r v_c) and the largest dual variables, as the kernel
	// takes them, and its memory.
	rows                        []float64
	turn, weight, inverse, most []float64
	of                          any // whose weights these are, of which r
	r                           float64
	count                       int
}

const logisticRows = 4

// grow makes room for m labels.
func (g *logisticMemory) grow(m int) *logisticMemory {
	if len(g.z) == m {
		return g
	}
	if len(g.memory) < logisticRows*m {
		g.memory = make([]float64, logisticRows*m)
	}
	room := len(g.memory) / logisticRows
	for k, row := range [logisticRows]*[]float64{&g.z, &g.e, &g.log, &g.old} {
		*row = g.memory[k*room:][:m]
	}
	g.count = 0
	return g
}

// weigh sets the weights of labels.
func weigh[T vec.Float](g *logisticMemory, l *Label[T], r float64) {
	m := len(g.z)
	if g.count == m && g.r == r && g.of == any(l) {
		return
	}
	const lanes = 8 // rows begin at multiples of it
	room := (m + lanes - 1) &^ (lanes - 1)
	if need := unchecked.LogisticRows * room; len(g.rows) < need {
		g.rows = make([]float64, need)
	}
	clear(g.rows)
	for k, row := range []*[]float64{&g.turn, &g.weight, &g.inverse, &g.most} {
		*row = g.rows[k*room:][:m]
	}
	g.of, g.r, g.count = l, r, m
	for c := range g.weight {
		g.turn[c], g.weight[c] = -1, r*l.cost(c)
		g.inverse[c], g.most[c] = 1/g.weight[c], float64(below[T](g.weight[c]))
	}
}

// flip turns the true labels; calling it twice undoes it.
func (g *logisticMemory) flip(y []int) {
	for _, c := range y {
		g.turn[c] = -g.turn[c]
	}
}

// turnAway sets z to -t s, and e to exp(-|z|).
func turnAway[T vec.Float](g *logisticMemory, s []T, y []int) {
	z, e := g.z[:len(s)], g.e[:len(s)]
	for c, v := range s {
		z[c] = float64(v)
		e[c] = -math.Abs(z[c])
	}
	for _, c := range y {
		z[c] = -z[c]
	}
	vec.Exp(e, e)
}

// logs sets log to log(1 + e), with small relative errors: 1 + e is rounded to f, and log(1 + e) is log f + (1 + e -
// f)/f and what is of second order. Where f is not next to 1, that quotient is less than the rounding of log f.
func (g *logisticMemory) logs() {
	log, e := g.log, g.e[:len(g.log)]
	for c, v := range e {
		log[c] = 1 + v
	}
	vec.Log(log, log)
	for c, v := range e {
		log[c] += v - ((1 + v) - 1)
	}
}

// weighted returns the sum of r v_c log(1 + exp(z_c)).
func (g *logisticMemory) weighted() (sum float64) {
	g.logs()
	for c, z := range g.z {
		sum += g.weight[c] * (max(0, z) + g.log[c])
	}
	return sum
}

// sized returns a number of 0..weight in T by the smaller part of weight, which is what is above it or below.
func sized[T vec.Float](upper bool, small, weight float64) T {
	if upper {
		return min(T(weight-small), below[T](weight))
	}
	return T(small)
}

// visitCoupled is Visit where outputs are coupled.
func (l Logistic[T]) visitCoupled(
	a, s []T, y []int, h, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	g := &w.logistic
	turnAway(g, s, y)
	gap = g.weighted() - term
	s = s[:len(a)]
	for c, v := range a {
		gap += float64(v) * float64(s[c])
	}
	if !(gap > least) {
		return gap, term, false
	}
	if after, moved = l.moveCoupled(a, s, y, h, delta, w); !moved {
		after = term
	}
	return gap, after, moved
}

// moveCoupled is move where outputs are coupled: the labels move one after the other, each with the score that the
// moves before it have left and the curvature h R_cc. delta is the move times R, or by a factor Q times the move, and
// what 1/2 <A, K A R> grows by is step times the score and h R_cc step²/2.
func (l Logistic[T]) moveCoupled(
	a, scores []T, y []int, h float64, delta []T, w *Workspace[T],
) (after float64, moved bool) {
	g := &w.logistic
	delta = delta[:l.Factor.Cols(len(a))]
	clear(delta)
	each(len(a), y, func(c int, isTrue bool) {
		side := -1.0
		if isTrue {
			side = 1
		}
		own, old := h*l.own(c), a[c]
		score := float64(scores[c]) + h*l.along(c, delta)
		x, term := unchecked.LogisticLabel[T](-side*score, math.Abs(float64(old)), g.weight[c], g.inverse[c], g.most[c],
			own)
		after += term
		if a[c] = T(side * x); a[c] == old {
			return
		}
		moved = true
		step := a[c] - old
		w.Quadratic += float64(step) * (score + own*float64(step)/2)
		l.add(c, step, delta)
	})
	return after, moved
}
