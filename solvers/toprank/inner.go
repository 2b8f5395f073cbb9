package toprank

import (
	"cmp"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// inner is the training on active examples as if there were no others: pair steps while the scalar is held, then another
// value of it.
type inner[T vec.Float] struct {
	smo[T]
	o      objective // whose C is that of the level
	scalar scalar
	eps    float64 // the violation that ends the pair steps at this value of the scalar

	certificate solvers.Certificate // of the variables as they are, from scores that are up to date but for rounding
	t           float64
}

// newInner returns the training on k from alpha = beta = 0. It is fast where o.positive changes few times.
func newInner[T vec.Float](k *kernel.Matrix[T], o objective) *inner[T] {
	n := k.Len()
	in := &inner[T]{o: o, eps: .3 / o.Theta1}
	in.k, in.diagonal, in.f, in.apart = k, make([]T, n), make([]float64, n), o.Method == TopPush && o.K > 1
	k.Diagonal(in.diagonal)
	low, _, epsilon := ascent.Limits[T]()
	in.least = low
	for _, v := range in.diagonal {
		in.least = max(in.least, 8*epsilon*float64(v))
	}
	in.kinds[0] = kind{line: 1 / o.Theta1, bend: o.curvature(), highest: o.most()}
	in.kinds[1] = kind{lowest: math.Inf(-1)}
	if o.Method == PatMat {
		in.kinds[1].line = -1 / o.Theta2
	}
	run := func(kind int, has func(i int) bool) {
		for from, to := 0, 0; from < n; from = to {
			for to = from + 1; to < n && has(to) == has(from); to++ {
			}
			if has(from) {
				in.groups = append(in.groups, group{kind: kind, from: from, x: make([]float64, to-from)})
			}
		}
	}
	run(0, func(i int) bool { return o.positive[i] })
	run(1, o.ranked)
	return in
}

// tied reports whether there is a scalar.
func (in *inner[T]) tied() bool { return in.o.Method == PatMat || in.apart }

// of returns the variables of a kind, and the scores of their examples.
func (in *inner[T]) of(kind int) (x, f []float64) {
	for _, g := range in.groups {
		if g.kind == kind {
			x, f = append(x, g.x...), append(f, in.f[g.from:g.to()]...)
		}
	}
	return x, f
}

// set sets the variables of examples: alpha and beta are those of all, and at tells which of these each active one is.
func (in *inner[T]) set(alpha, beta []float64, at []int) {
	in.each(0, func(g *group, u int) { g.x[u] = alpha[at[g.from+u]] })
	in.each(1, func(g *group, u int) { g.x[u] = -beta[at[g.from+u]] })
}

// each calls do with the variables of a kind.
func (in *inner[T]) each(kind int, do func(g *group, u int)) {
	for i := range in.groups {
		if g := &in.groups[i]; g.kind == kind {
			for u := range g.x {
				do(g, u)
			}
		}
	}
}

// most is the largest value of the scalar.
func (in *inner[T]) most() (sum float64) {
	if !in.apart {
		return math.Inf(1)
	}
	in.each(0, func(*group, int) { sum += in.o.most() })
	return sum
}

// hold makes the scalar at that of the problem: the caps of the betas, or what bends them.
func (in *inner[T]) hold(at float64) {
	in.scalar.at = at
	betas := &in.kinds[1]
	switch {
	case in.apart:
		betas.lowest = -at / float64(in.o.K) * (1 + 0x1p-46) // the sum of K caps is not below S for rounding
	case in.o.Loss == Hinge:
		betas.lowest = -at * in.o.Theta2
	default:
		betas.bend = 1 / (2 * at * in.o.Theta2 * in.o.Theta2)
	}
}

// shift goes to the scalar at, and keeps of the variables what it allows.
func (in *inner[T]) shift(at float64) {
	if in.apart {
		r := at / in.scalar.at
		vec.Scale(r, in.f)
		for _, g := range in.groups {
			vec.Scale(r, g.x)
		}
	}
	in.hold(at)
	if in.o.Loss == Hinge {
		over := in.clip(0)
		if in.apart {
			in.hand(0, over)
		} else {
			in.hand(0, in.hand(1, over+in.clip(1)))
		}
	}
}

// clip moves the variables of a kind into their bounds and returns what their sum has lost.
func (in *inner[T]) clip(kind int) (lost float64) {
	k := &in.kinds[kind]
	in.each(kind, func(g *group, u int) {
		v := g.x[u]
		if to := min(max(v, k.lowest), k.highest); to != v {
			in.add(g, u, to-v)
			g.x[u] = to
			lost += v - to
		}
	})
	return lost
}

// hand adds amount to the sum of a kind, to the variables that gain most or lose least by it, as far as their bounds allow.
// It returns what was left over.
func (in *inner[T]) hand(kind int, amount float64) float64 {
	if amount == 0 {
		return 0
	}
	type variable struct {
		g     *group
		u     int
		slope float64
	}
	var order []variable
	sign := math.Copysign(1, amount)
	in.each(kind, func(g *group, u int) { order = append(order, variable{g, u, sign * in.smo.slope(g, u)}) })
	slices.SortFunc(order, func(a, b variable) int { return cmp.Compare(b.slope, a.slope) })
	for _, v := range order {
		room := in.kinds[kind].highest - v.g.x[v.u]
		if amount < 0 {
			room = in.kinds[kind].lowest - v.g.x[v.u]
		}
		d := sign * min(math.Abs(room), math.Abs(amount))
		in.add(v.g, v.u, d)
		if amount -= d; amount == 0 {
			break
		}
	}
	return amount
}

// measure computes the certificate.
func (in *inner[T]) measure() {
	alpha, f := in.of(0)
	beta, ranked := in.of(1)
	norm := in.norm()
	in.t = in.o.threshold(ranked)
	losses, _ := in.o.losses(f, in.t)
	in.certificate = solvers.Certificate{Primal: norm/2 + in.o.C*losses, Dual: in.o.dual(alpha, beta, norm)}
}

// slope returns that of the dual by the scalar at the optimum of the inner problem, and how much it is off for a violation
// of 1.
func (in *inner[T]) slope() (slope, off float64) {
	_, ranked := in.of(1)
	if in.apart {
		return in.extremes()[0].multiplier() + in.o.threshold(ranked), 1
	}
	_, e := in.violation()
	sum, off := in.o.passing(ranked, -e.multiplier())
	return sum - in.o.bound, off
}

// guess is the delta that the losses call for: C sum l1' / sum l2'.
func (in *inner[T]) guess() float64 {
	_, f := in.of(0)
	_, ranked := in.of(1)
	_, alphas := in.o.losses(f, in.t)
	_, betas := in.o.passing(ranked, in.t)
	return in.o.C * alphas / betas
}

// begin sets the scalar of alpha = beta = 0 to what these call for, and the variables to what that takes.
func (in *inner[T]) begin() {
	alpha, f := in.of(0)
	beta, ranked := in.of(1)
	in.t = in.o.threshold(ranked)
	switch {
	case in.apart:
		_, sum := in.o.losses(f, 0)
		in.hold(.1 * in.o.C * sum)
		in.each(0, func(g *group, u int) { g.x[u] = in.scalar.at / float64(len(alpha)) })
		in.each(1, func(g *group, u int) { g.x[u] = -in.scalar.at / float64(len(beta)) })
		in.rescore(1)
	case in.tied():
		in.hold(in.guess())
	}
}

// train takes at most so many pair steps, and looks at the scalar where they have come to their end.
func (in *inner[T]) train(steps int) {
	solved := in.solve(in.eps, steps)
	in.measure()
	switch {
	case !solved:
		return
	case !in.tied():
		in.eps /= 3
		return
	}
	slope, off := in.slope()
	if math.Abs(slope) <= in.eps/2*off || slope > 0 && in.scalar.at >= in.most() {
		in.eps /= 4 // the sign is not to be believed yet
		return
	}
	guess := 0.0
	if !in.apart && in.scalar.tries == 0 {
		guess = in.guess()
	}
	if at := in.scalar.next(slope, guess, in.most()); at != in.scalar.at {
		in.shift(at)
	}
}
