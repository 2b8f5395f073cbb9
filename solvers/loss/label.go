package loss

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Label is what a loss that is a sum over labels may have beside its formula, with t_c = 1 for the true labels and -1
// for the others:
//
//	phi = sum_c v_c (k_c + psi(u_c - t_c s_c)),   psi(z) = max(0, z) or its square.
//
// Nil stands for v = u = 1 and k = 0, which a user's own decomposable loss need not have. Nothing of it may change
// while a loss is in use.
type Label[T vec.Float] struct {
	Costs []float64 // v_c > 0, of each label; nil: 1

	// Margins sets the u_c and the k_c of example i, which Workspace.Example names; nil: 1 and 0. It is called by
	// several goroutines.
	Margins func(i int, margins, least []float64)

	// Coupling is R, m-by-m, symmetric and positive semidefinite; empty: the identity. A visit then takes the labels
	// one after the other.
	Coupling vec.Matrix[T]

	Factor *Factor[T] // the same by a factor of R: one of the two

	part []int // the labels of a part, nil: all
	of   int   // how many there are in all
}

// partOf returns what l is for some of m labels.
func (l *Label[T]) partOf(labels []int, m int) *Label[T] {
	if l == nil || l.Costs == nil && l.Margins == nil {
		return l
	}
	some := *l
	if l.Costs != nil {
		some.Costs = make([]float64, len(labels))
		for p, c := range labels {
			some.Costs[p] = l.Costs[c]
		}
	}
	some.part, some.of = labels, m
	return &some
}

func (l *Label[T]) coupled() bool { return l != nil && (l.Coupling.Rows > 0 || l.Factor != nil) }

// own returns R_cc.
func (l *Label[T]) own(c int) float64 {
	if l.Factor != nil {
		return l.Factor.own[c]
	}
	return float64(l.Coupling.Data[c*l.Coupling.Stride+c])
}

// along returns what the moves of other labels, together delta, have moved the score of label c by, for h = 1.
func (l *Label[T]) along(c int, delta []T) float64 {
	if l.Factor != nil {
		return l.Factor.along(c, delta)
	}
	return float64(delta[c])
}

// add adds a move of label c, which has not moved yet, to delta.
func (l *Label[T]) add(c int, step T, delta []T) {
	if l.Factor != nil {
		l.Factor.add(c, step, delta)
		return
	}
	row := l.Coupling.Data[c*l.Coupling.Stride:]
	vec.Axpy(step, row[:len(delta)], delta)
}

func (l *Label[T]) cost(c int) float64 {
	if l == nil || l.Costs == nil {
		return 1
	}
	return l.Costs[c]
}

// margins returns the u_c and the k_c of the example that w names, of m labels.
func (l *Label[T]) margins(m int, w *Workspace[T]) (margins, least []float64) {
	all := max(m, l.of)
	if len(w.margin64) < 2*all {
		w.margin64 = make([]float64, 2*all)
	}
	margins, least = w.margin64[:all], w.margin64[all:2*all]
	l.Margins(w.Example, margins, least)
	for p, c := range l.part { // ascending, so that none is lost
		margins[p], least[p] = margins[c], least[c]
	}
	return margins[:m], least[:m]
}

// primal returns phi at the scores s, with psi the square or not. O(m).
func (l *Label[T]) primal(s []T, y []int, squared bool, w *Workspace[T]) (sum float64) {
	if l == nil || l.Costs == nil && l.Margins == nil {
		from := 0
		for _, c := range y {
			sum += falseLabels(s[from:c], squared) + psi(1-float64(s[c]), squared)
			from = c + 1
		}
		return sum + falseLabels(s[from:], squared)
	}
	var margins, least []float64
	if l.Margins != nil {
		margins, least = l.margins(len(s), w)
	}
	each(len(s), y, func(c int, isTrue bool) {
		margin, floor, score := 1.0, 0.0, float64(s[c])
		if margins != nil {
			margin, floor = margins[c], least[c]
		}
		if isTrue {
			score = -score
		}
		sum += l.cost(c) * (floor + psi(margin+score, squared))
	})
	return sum
}

func psi(z float64, squared bool) float64 {
	z = max(0, z)
	if squared {
		return z * z
	}
	return z
}

// falseLabels returns the loss of labels that are not true.
func falseLabels[T vec.Float](s []T, squared bool) (sum float64) {
	if !squared {
		for _, v := range s {
			sum += max(0, 1+float64(v))
		}
		return sum
	}
	for _, v := range s {
		margin := max(0, 1+float64(v))
		sum += margin * margin
	}
	return sum
}

// dual returns the sum over c of u_c x_c and of r v_c k_c, and where psi is the square less the sum of x_c²/(4 r v_c),
// for the x_c = t_c a_c.
func (l *Label[T]) dual(a []T, r float64, squared bool, w *Workspace[T]) (sum float64) {
	if l == nil || l.Costs == nil && l.Margins == nil {
		if l.coupled() && !squared {
			return absSum(a, w)
		}
		squares := 0.0
		for _, v := range a {
			x := math.Abs(float64(v))
			sum += x
			if squared {
				squares += x * (x / r) // x² may be less than the least number
			}
		}
		if squared {
			sum -= squares / 4
		}
		return sum
	}
	var margins, least []float64
	if l.Margins != nil {
		margins, least = l.margins(len(a), w)
	}
	for c, v := range a {
		x, weight := math.Abs(float64(v)), r*l.cost(c)
		if margins != nil {
			sum += margins[c]*x + weight*least[c]
		} else {
			sum += x
		}
		if squared {
			sum -= x * (x / weight) / 4
		}
	}
	return sum
}

// absSum returns the sum of the sizes of a, in float64.
func absSum[T vec.Float](a []T, w *Workspace[T]) float64 {
	if len(w.margin64) < len(a) {
		w.margin64 = make([]float64, len(a))
	}
	exact := w.margin64[:len(a)]
	vec.Convert(exact, a)
	return vec.AbsSum(exact)
}

// repair gives every entry the sign of its label, or 0, and where psi is not the square at most r v_c of size.
func (l *Label[T]) repair(a []T, y []int, r float64, squared bool) {
	each(len(a), y, func(c int, isTrue bool) {
		most := T(math.Inf(1))
		if !squared {
			most = below[T](r * l.cost(c))
		}
		if isTrue {
			a[c] = min(max(0, a[c]), most)
		} else {
			a[c] = max(min(0, a[c]), -most)
		}
	})
}

// reach returns the largest t for which no entry of t a is larger than r v_c.
func (l *Label[T]) reach(a []T, r float64) float64 {
	reach := math.Inf(1)
	for c, v := range a {
		if v != 0 {
			reach = min(reach, r*l.cost(c)/math.Abs(float64(v)))
		}
	}
	return reach
}

// below returns v rounded to T, towards 0.
func below[T vec.Float](v float64) T {
	x := T(v)
	if float64(x) > v { // T is float32
		x = T(math.Nextafter32(float32(x), 0))
	}
	return x
}
