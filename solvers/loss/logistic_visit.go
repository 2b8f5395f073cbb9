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
//	F(w) = w - z - c (q(w) - q') = 0,   F' = 1 + c q (1-q).
//
// F grows and is concave for w >= 0, so that a step of Newton's method from anywhere ends at the left of the root, and
// all others go on to it from there: no step needs a bound but 0. Small x and small r - x keep all their digits, which
// is what the method of Yu, Huang and Lin (2011), Algorithm 4, has two variables for. The first w is z, where the loss has
// computed the exponential: it is the root of settled dual variables.

// logisticMemory is what a visit of the logistic loss keeps of each label.
type logisticMemory struct {
	z, e, log []float64 // -t s; exp(-|z|), or of -w; log(1 + e)
	w, old, q []float64 // w, q' and q
	step      []float64 // the next step of w, which q has not followed
	upper     []bool    // whether q is 1-p
	memory    []float64
}

// grow makes room for m labels.
func (g *logisticMemory) grow(m int) *logisticMemory {
	if len(g.upper) < m {
		g.memory, g.upper = make([]float64, 7*m), make([]bool, m)
	}
	room := len(g.memory) / 7
	for k, row := range [...]*[]float64{&g.z, &g.e, &g.log, &g.w, &g.old, &g.q, &g.step} {
		*row = g.memory[k*room:][:m]
	}
	return g
}

// turnAway sets z to -t s.
func turnAway[T vec.Float](g *logisticMemory, s []T, y []int) {
	for c, v := range s {
		g.z[c] = float64(v)
	}
	for _, c := range y {
		g.z[c] = -g.z[c]
	}
}

// softplus sets e to exp(-|z|) and log to log(1 + e), both with small relative errors: log(1 + exp(z)) is max(0, z) and
// that logarithm.
func (g *logisticMemory) softplus() {
	for c, z := range g.z {
		g.e[c] = -math.Abs(z)
	}
	vec.Exp(g.e, g.e)
	g.logs()
}

// logs sets log to log(1 + e).
func (g *logisticMemory) logs() {
	for c, e := range g.e {
		g.log[c] = 1 + e
	}
	vec.Log(g.log, g.log)
	for c, e := range g.e { // 1 + e was rounded to f: log(1 + e) is log f + (1 + e - f)/f, and what is of second order
		f := 1 + e
		g.log[c] += (e - (f - 1)) / f
	}
}

// nearLogistic is how small a step is that is the last, and that q follows without another exponential. What q leaves
// out is a sixth of its third power, 2^-29 of q for float32 and 2^-56 for float64; what Newton's method does is half of
// its square, 2^-19 and 2^-37 of w, of which the dual value feels the square.
func nearLogistic[T vec.Float]() float64 {
	if unchecked.Is32[T]() {
		return 0x1p-9
	}
	return 0x1p-18
}

// mostLogistic is a bound of the number of steps. From the left one goes on by 1 at least until q is as small as 1/c.
const mostLogistic = 100

// move moves the block to its optimum and returns its dual term, where g has z and its exponentials.
func (l Logistic[T]) move(a []T, y []int, h, r float64, delta []T, g *logisticMemory) (after float64, moved bool) {
	near, again := nearLogistic[T](), false
	for c, v := range a {
		weight := r * l.cost(c)
		g.begin(c, math.Abs(float64(v)), weight, h*weight)
	}
	for range mostLogistic {
		most := 0.0
		for c := range a {
			most = max(most, g.newton(c, h*r*l.cost(c)))
		}
		if !(most > near) {
			break
		}
		again = true
		g.follow(near)
	}
	if again {
		g.logs()
	}
	for c := range a {
		weight := r * l.cost(c)
		x, term := settleLogistic[T](g, c, weight)
		g.q[c], after = x, after+term
	}
	for _, c := range y {
		g.q[c] = -g.q[c]
	}
	delta = delta[:len(a)]
	for c, x := range g.q { // x where a is -x
		to := T(-x)
		delta[c], a[c] = to-a[c], to
		moved = moved || delta[c] != 0
	}
	return after, moved
}

// begin sets q' and the first w of label c, whose dual variable has the size x.
func (g *logisticMemory) begin(c int, x, weight, curve float64) {
	z := g.z[c]
	g.old[c] = min(x, weight) / weight
	if g.upper[c] = z+curve*(g.old[c]-.5) > 0; g.upper[c] {
		g.old[c] = max(0, weight-x) / weight
	} else {
		z = -z
	}
	z = min(z, 1e300) // of an infinite score
	g.z[c], g.w[c] = z, z
	if z < 0 {
		g.w[c], g.e[c], g.log[c] = 0, 1, math.Ln2
	}
}

// newton sets q by e, and step to the next step of label c from w; it returns the size of that.
func (g *logisticMemory) newton(c int, curve float64) float64 {
	e, w := g.e[c], g.w[c]
	p := 1 / (1 + e)
	q := e * p
	to := max(0, w+(g.z[c]+curve*(q-g.old[c])-w)/(1+curve*q*p))
	g.q[c], g.step[c] = q, to-w
	return math.Abs(to - w)
}

// follow takes the steps that are larger than near, and sets e to exp(-w). Labels that are there stay, so that none
// depends on the others.
func (g *logisticMemory) follow(near float64) {
	for c, step := range g.step {
		if math.Abs(step) > near {
			g.w[c] += step
		}
		g.e[c] = -g.w[c]
	}
	vec.Exp(g.e, g.e)
}

// settleLogistic returns the x of label c where the last step ends, as T has it, and its dual term: with q follows what the step
// changes in q and log(1 + e), up to the third power of it, and log (1-q) - log q is w.
func settleLogistic[T vec.Float](g *logisticMemory, c int, weight float64) (x, term float64) {
	q, step := g.q[c], g.step[c]
	p := 1 - q
	half := step / 2
	log := g.log[c] - q*step*(1-p*half)
	q *= 1 - p*step*(1-(p-q)*half)
	x = float64(sized[T](g.upper[c], weight*q, weight))
	if q = x / weight; g.upper[c] {
		q = (weight - x) / weight
	}
	return x, weight * (log + (g.w[c]+step)*q)
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
	a, scores []T, y []int, h, r float64, delta []T, w *Workspace[T],
) (after float64, moved bool) {
	g, near := w.logistic.grow(len(a)), nearLogistic[T]()
	delta = delta[:l.Factor.Cols(len(a))]
	clear(delta)
	each(len(a), y, func(c int, isTrue bool) {
		side := -1.0
		if isTrue {
			side = 1
		}
		weight, own, old := r*l.cost(c), h*l.own(c), a[c]
		score := float64(scores[c]) + h*l.along(c, delta)
		g.z[c] = -side * score
		g.e[c] = math.Exp(-math.Abs(g.z[c]))
		g.log[c] = math.Log1p(g.e[c])
		g.begin(c, math.Abs(float64(old)), weight, own*weight)
		for range mostLogistic {
			if !(g.newton(c, own*weight) > near) {
				break
			}
			g.w[c] += g.step[c]
			g.e[c] = math.Exp(-g.w[c])
			g.log[c] = math.Log1p(g.e[c])
		}
		x, term := settleLogistic[T](g, c, weight)
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
