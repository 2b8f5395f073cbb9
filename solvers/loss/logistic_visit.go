package loss

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// A visit seeks, for each label by itself, the x in [0,r] that maximises the entropy of x/r less the terms of the score
// and of the move. With z = -t s, c = h r and p = x/r that is where
//
//	log p - log(1-p) = z - c (p - p'),
//
// p' of the last visit. Let q be the smaller one of p and 1-p, which the sign of z + c (p' - 1/2) tells beforehand, and
// w = log (1-q) - log q >= 0 its distance: then q = 1/(1 + e^w), and with z turned to q's side
//
//	F(w) = w - z - c (q(w) - q') = 0,   F' = 1 + c q (1-q),   F'' = -c q (1-q) (1-2q).
//
// F grows and is concave for w >= 0. Small x and small r - x keep all their digits, which is what the method of Yu,
// Huang and Lin (2011), Algorithm 4, has two variables for. A step is Halley's, which ends with the third power of the
// error, but at most twice Newton's: that one ends at the left of the root from anywhere, and all others go on to it
// from there. The first w is z, where the loss has computed the exponential: it is the root of settled dual variables.

// logisticMemory is what a visit of the logistic loss keeps of each label.
type logisticMemory struct {
	z, e, log []float64 // -t s; exp(-|z|), or of -w; log(1 + e)
	w, old    []float64 // w and q'
	q, step   []float64 // q, and the next step of w, which q has not followed
	weight    []float64 // r v_c, for a label and r
	inverse   []float64 // 1/(r v_c)
	upper     []bool    // whether q is 1-p
	active    []int32   // labels whose last step was not small
	memory    []float64

	of    any // whose weights these are, of which r
	r     float64
	count int
}

const logisticRows = 9

// grow makes room for m labels.
func (g *logisticMemory) grow(m int) *logisticMemory {
	if len(g.z) == m {
		return g
	}
	if len(g.memory) < logisticRows*m {
		g.memory, g.upper, g.active = make([]float64, logisticRows*m), make([]bool, m), make([]int32, m)
	}
	room := len(g.memory) / logisticRows
	for k, row := range [logisticRows]*[]float64{
		&g.z, &g.e, &g.log, &g.w, &g.old, &g.q, &g.step, &g.weight, &g.inverse,
	} {
		*row = g.memory[k*room:][:m]
	}
	g.count = 0
	return g
}

// weigh sets the weights of labels.
func weigh[T vec.Float](g *logisticMemory, l *Label[T], r float64) {
	if g.count == len(g.z) && g.r == r && g.of == any(l) {
		return
	}
	g.of, g.r, g.count = l, r, len(g.z)
	for c := range g.weight {
		g.weight[c] = r * l.cost(c)
		g.inverse[c] = 1 / g.weight[c]
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

// sumLogs returns the sum of log(1 + e), by products of up to 64 of them, each at most 2: with an absolute error of a
// rounding for each.
func sumLogs(e []float64) (sum float64) {
	for len(e) > 0 {
		part := e[:min(64, len(e))]
		one, two := 1.0, 1.0
		for len(part) >= 2 {
			one, two = one*(1+part[0]), two*(1+part[1])
			part = part[2:]
		}
		for _, v := range part {
			one *= 1 + v
		}
		sum += math.Log(one * two)
		e = e[min(64, len(e)):]
	}
	return sum
}

// nearLogistic is how small a step d is that is the last, and that q and log(1 + e) follow without another exponential.
// Halley's method then leaves out half of d³ in w, of which the dual value feels the square, 2^-26 for float32 and
// 2^-44 for float64. The logarithm leaves out d⁶/720 of q at most: 2^-33 and 2^-51.
func nearLogistic[T vec.Float]() float64 {
	if unchecked.Is32[T]() {
		return 0x1p-4
	}
	return 0x1p-7
}

// mostLogistic is a bound of the number of steps. From the left they are about 1 until q is as small as 1/c.
const mostLogistic = 100

// stepLogistic returns q and the next step from w, of which e is exp(-w).
func stepLogistic(e, w, z, curve, old float64) (q, step float64) {
	p := 1 / (1 + e)
	q = e * p
	bend, off := curve*q*p, z+curve*(q-old)-w
	slope := 1 + bend
	under, least := slope*slope-off*bend*(p-q)/2, slope*slope/2
	if under < least { // branches that hardly any step takes cost less than max
		under = least
	}
	if step = off * slope / under; step < -w {
		step = -w
	}
	return q, step
}

// startLogistic returns whether q is 1-p of a dual variable of size x, q' and z turned to that side.
func startLogistic(z, x, weight, inverse, curve float64) (upper bool, old, side float64) {
	old = min(x, weight) * inverse
	if z+curve*(old-.5) > 0 {
		return true, max(0, weight-x) * inverse, z
	}
	return false, old, -z
}

// endLogistic returns q, the w of it and what is to be added to log(1 + e), after the last step: Taylor's terms up to
// the third and the fifth power.
func endLogistic(q, w, step float64) (after, at, more float64) {
	p := 1 - q
	both, apart := q*p, p-q
	after = q - both*step*(1-step*(apart/2-step*(1-6*both)/6))
	more = both*step*(1./2-step*(apart/6-step*((1-6*both)/24-step*apart*(1-12*both)/120))) - q
	if after < 0 { // after a step that is too large, the last that there may be
		after = 0
	}
	return after, w + step, more * step
}

// move moves the block to its optimum and returns its dual term, where g has z and its exponentials.
func (l Logistic[T]) move(a []T, y []int, h float64, delta []T, g *logisticMemory) (after float64, moved bool) {
	near := nearLogistic[T]()
	left := beginLogistic(g, a, h, near)
	for range mostLogistic {
		if left == 0 {
			break
		}
		left = g.again(h, near, left)
	}
	after = endsLogistic[T](g, l.Label == nil || l.Costs == nil)
	to := g.old[:len(a)]
	for _, c := range y {
		to[c] = -to[c]
	}
	delta = delta[:len(a)]
	for c, v := range to {
		v := T(v)
		delta[c] = v - a[c]
		moved = moved || v != a[c]
		a[c] = v
	}
	return after, moved
}

// beginLogistic sets all but log to the first step of each label of the block a, and returns how many labels have one
// that is not small: g.active has them.
func beginLogistic[T vec.Float](g *logisticMemory, a []T, h, near float64) (left int) {
	m := len(a)
	z, e, w, old, q, step := g.z[:m], g.e[:m], g.w[:m], g.old[:m], g.q[:m], g.step[:m]
	weight, inverse, upper, active := g.weight[:m], g.inverse[:m], g.upper[:m], g.active[:m]
	for c, v := range a {
		curve, side := h*weight[c], 0.0
		upper[c], old[c], side = startLogistic(z[c], math.Abs(float64(v)), weight[c], inverse[c], curve)
		side = min(side, 1e300) // of an infinite score
		at := side
		if side < 0 {
			at, e[c] = 0, 1
		}
		z[c], w[c] = side, at
		q[c], step[c] = stepLogistic(e[c], at, side, curve, old[c])
		if math.Abs(step[c]) > near {
			active[left] = int32(c)
			left++
		}
	}
	return left
}

// endsLogistic sets old to -x, where the labels' last steps end, as T has it, and returns the dual term. same says that
// all labels have the same weight.
func endsLogistic[T vec.Float](g *logisticMemory, same bool) (term float64) {
	m := len(g.z)
	w, to, q, step := g.w[:m], g.old[:m], g.q[:m], g.step[:m]
	weight, inverse, upper := g.weight[:m], g.inverse[:m], g.upper[:m]
	if !same {
		g.logs()
	}
	high := float64(below[T](weight[0]))
	for c, v := range q {
		small, at, more := endLogistic(v, w[c], step[c])
		if !same {
			high = float64(below[T](weight[c]))
			more += g.log[c]
		}
		x := weight[c] * small
		if upper[c] {
			x = min(float64(T(weight[c]-x)), high)
			small = (weight[c] - x) * inverse[c]
		} else {
			x = float64(T(x))
			small = x * inverse[c]
		}
		to[c] = -x
		term += weight[c] * (more + at*small)
	}
	if same {
		term += weight[0] * sumLogs(g.e)
	}
	return term
}

// again takes the steps of the active labels, computes their exponentials and their next steps, and returns how many of
// them are active still. Labels that are there stay, so that none depends on the others.
func (g *logisticMemory) again(h, near float64, left int) (still int) {
	now, exps := g.active[:left], g.log[:left]
	for k, c := range now {
		g.w[c] += g.step[c]
		exps[k] = -g.w[c]
	}
	vec.Exp(exps, exps)
	for k, c := range now {
		g.e[c] = exps[k]
		g.q[c], g.step[c] = stepLogistic(exps[k], g.w[c], g.z[c], h*g.weight[c], g.old[c])
		if math.Abs(g.step[c]) > near {
			now[still] = c
			still++
		}
	}
	return still
}

// sized returns a number of 0..weight in T by the smaller part of weight, which is what is above it or below.
func sized[T vec.Float](upper bool, small, weight float64) T {
	if upper {
		return min(T(weight-small), below[T](weight))
	}
	return T(small)
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
		x, term := bestLogistic[T](-side*score, math.Abs(float64(old)), g.weight[c], g.inverse[c], own*g.weight[c])
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

// bestLogistic is move of one dual variable of size x: it returns the size of the new one, and its term.
func bestLogistic[T vec.Float](z, x, weight, inverse, curve float64) (best, term float64) {
	near := nearLogistic[T]()
	upper, old, z := startLogistic(z, x, weight, inverse, curve)
	z = min(z, 1e300)
	w := max(0, z)
	e := math.Exp(-w)
	q, step := stepLogistic(e, w, z, curve, old)
	for range mostLogistic {
		if !(math.Abs(step) > near) {
			break
		}
		w += step
		e = math.Exp(-w)
		q, step = stepLogistic(e, w, z, curve, old)
	}
	small, at, more := endLogistic(q, w, step)
	best = float64(sized[T](upper, weight*small, weight))
	rest := best
	if upper {
		rest = weight - best
	}
	return best, weight * (math.Log1p(e) + more + at*(rest*inverse))
}
