// Package toploss has the losses of rankers that are right at the top: the threshold, the primal and the dual value,
// and the dual variables that go with scores. Package toprank has the problem and the numbers of its equations.
package toploss

import (
	"cmp"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers"
)

// Objective is a problem without its features.
type Objective struct {
	PatMat                 bool // else TopPush
	Hinge                  bool // l1 and l2 are the hinge, else the quadratic
	All                    bool // of PatMat: the threshold is over all examples, else over the negative ones
	K                      int  // of TopPush
	C, Tau, Theta1, Theta2 float64
	Positive               []bool // of each example
	// of TopPush: the examples of each query, which has its own threshold; nil: one of all
	Queries [][]int

	rows   []int   // all examples
	bound  float64 // of PatMat: Tau n, the most that sum_j l2(f_j - t) may be
	tied   bool    // the sums of alphas and of betas are a variable of their own, S
	within bool    // there are Queries
}

// New returns o, all of whose fields are set.
func New(o Objective) *Objective {
	for i := range o.Positive {
		o.rows = append(o.rows, i)
	}
	o.tied = !o.PatMat && o.K > 1
	if o.within = o.Queries != nil; !o.within {
		o.Queries = [][]int{o.rows}
	}
	return o.Part(o.rows)
}

// Rows returns all examples, which must not be changed.
func (o *Objective) Rows() []int { return o.rows }

// Members returns the examples of all queries, ascending.
func (o *Objective) Members() []int {
	rows := slices.Concat(o.Queries...)
	slices.Sort(rows)
	return rows
}

// Within reports whether there are Queries.
func (o *Objective) Within() bool { return o.within }

// QueryOf returns the query of each example, 0 where it has none.
func (o *Objective) QueryOf() []int {
	of := make([]int, len(o.Positive))
	for q, rows := range o.Queries {
		for _, i := range rows {
			of[i] = q
		}
	}
	return of
}

// Merged returns the examples of all queries, ascending, each in a list of its own: but the negative ones of a query
// that has no more than K, and more than one, are one list, since only the mean of their scores matters.
func (o *Objective) Merged() (lists [][]int) {
	first := make([][]int, len(o.Positive))
	for _, rows := range o.Queries {
		var low []int
		for _, i := range rows {
			first[i] = []int{i}
			if !o.Positive[i] {
				low = append(low, i)
			}
		}
		if o.within && len(low) <= o.K {
			for _, i := range low[1:] {
				first[i] = nil
			}
			first[low[0]] = low
		}
	}
	return slices.DeleteFunc(first, func(list []int) bool { return list == nil })
}

// Part returns the problem of some of the examples, as if they were all: C weighs as much, and K is as large a part.
func (o *Objective) Part(rows []int) *Objective {
	l, share, ranked := *o, float64(len(rows))/float64(len(o.Positive)), 0
	for _, i := range rows {
		if o.Ranked(i) {
			ranked++
		}
	}
	l.C, l.bound = o.C/share, o.Tau*float64(ranked)
	l.K = max(min(o.K, 1), int(min(float64(ranked), math.Round(float64(o.K)*share)))) // K may be any number
	return &l
}

// Ranked reports whether the threshold depends on example i, which has a beta then.
func (o *Objective) Ranked(i int) bool { return o.All || !o.Positive[i] }

// ByClass tells whether one of two examples is positive and the other is not: that one comes first.
func (o *Objective) ByClass(i, j int) int {
	class := func(i int) int {
		if o.Positive[i] {
			return 0
		}
		return 1
	}
	return cmp.Compare(class(i), class(j))
}

// PositivesFirst sorts examples so that the positive ones come first.
func (o *Objective) PositivesFirst(rows []int) []int {
	slices.SortStableFunc(rows, o.ByClass)
	return rows
}

// Split returns the scores of the positive ones of the examples rows, and of those that the threshold is over. f has
// the scores of all examples.
func (o *Objective) Split(rows []int, f []float64) (positive, ranked []float64) {
	for _, i := range rows {
		if o.Positive[i] {
			positive = append(positive, f[i])
		}
		if o.Ranked(i) {
			ranked = append(ranked, f[i])
		}
	}
	return positive, ranked
}

// loss returns l(s) and its derivative.
func (o *Objective) loss(theta, s float64) (value, slope float64) {
	v := 1 + theta*s
	switch {
	case v <= 0:
		return 0, 0
	case o.Hinge:
		return v, theta
	}
	return v * v, 2 * theta * v
}

// losses returns sum_i l1(t - f_i), and its derivative by t.
func (o *Objective) losses(f []float64, t float64) (sum, slope float64) {
	for _, v := range f {
		l, d := o.loss(o.Theta1, t-v)
		sum, slope = sum+l, slope+d
	}
	return sum, slope
}

// Pull returns C sum_i l1'(t - f_i): how fast the losses of positive examples with the scores f grow with t.
func (o *Objective) Pull(f []float64, t float64) float64 {
	_, slope := o.losses(f, t)
	return o.C * slope
}

// passing returns sum_j l2(f_j - t), and minus its derivative by t.
func (o *Objective) passing(f []float64, t float64) (sum, slope float64) {
	for _, v := range f {
		l, d := o.loss(o.Theta2, v-t)
		sum, slope = sum+l, slope+d
	}
	return sum, slope
}

// Threshold returns t of the scores f of the examples that it is over, (5) or (10); NaN where there are scores that
// are.
func (o *Objective) Threshold(f []float64) float64 {
	if !o.PatMat {
		at, t := make([]int, min(o.K, len(f))), 0.0
		solvers.Rank(at, f)
		for _, j := range at {
			if j < 0 {
				return math.NaN()
			}
			t += f[j] / float64(len(at))
		}
		return t
	}
	// sum_j l2(f_j - t) is convex and falls with t. By Jensen's inequality it is at least the bound at the t that it
	// would have if all f_j were their mean; from there Newton's steps rise to the solution without passing it.
	mean, n := 0.0, float64(len(f))
	for _, v := range f {
		mean += v / n
	}
	share := o.bound / n
	if !o.Hinge {
		share = math.Sqrt(share)
	}
	t := mean + (1-share)/o.Theta2
	for range 200 {
		sum, slope := o.passing(f, t)
		next := t + (sum-o.bound)/slope
		if !(next > t) {
			break
		}
		t = next
	}
	return t
}

// Primal returns the value (4) of a model with the scores f of all examples and |w|² = norm, and its threshold, the
// last query's.
func (o *Objective) Primal(f []float64, norm float64) (value, t float64) {
	sum := 0.0
	for _, rows := range o.Queries {
		positive, ranked := o.Split(rows, f)
		t = o.Threshold(ranked)
		losses, _ := o.losses(positive, t)
		sum += losses
	}
	return norm/2 + o.C*sum, t
}

// Rounding returns how far the value of Primal may be off for rounding alone, where the score f_i is off by e_i at
// most. The threshold t is off by the largest of these, and the roundoffs of an equation for it; t - f_i is off by some
// roundoffs of both besides, however small the difference is; and a loss by its slope times that, and by the square.
func (o *Objective) Rounding(f, e []float64) (sum float64) {
	const some = 2 * 0x1p-53
	for _, rows := range o.Queries {
		positive, ranked := o.Split(rows, f)
		offs, most := o.Split(rows, e)
		t := o.Threshold(ranked)
		own := slices.Max(most)
		if o.PatMat {
			own += some * math.Sqrt(float64(len(ranked))) * (1/o.Theta2 + math.Abs(t))
		}
		for i, v := range positive {
			at := 1 + o.Theta1*(t-v)
			off := o.Theta1*(own+offs[i]) + some*(1+o.Theta1*(math.Abs(t)+math.Abs(v)))
			switch {
			case at <= -off:
			case o.Hinge:
				sum += o.C * off
			default:
				sum += o.C * off * (2*max(0, at) + off)
			}
		}
	}
	return sum
}

// Judge returns the certificate of the variables of some examples: alphas with the scores f of theirs, betas with the
// scores ranked, and |w|² = norm; and of PatMat the best scalar delta for the scores.
func (o *Objective) Judge(alpha, f, beta, ranked []float64, norm float64) (c solvers.Certificate, scalar float64) {
	t := o.Threshold(ranked)
	losses, alphas := o.losses(f, t)
	c = solvers.Certificate{Primal: norm/2 + o.C*losses, Dual: o.Dual(alpha, beta, norm)}
	if o.PatMat {
		_, betas := o.passing(ranked, t)
		scalar = o.C * alphas / betas
	}
	return c, scalar
}

// First is where a search for the scalar begins on some of the examples of a Part: S, a tenth of what it is while all
// scores are 0, or delta at these.
func (o *Objective) First(rows []int) float64 {
	f, ranked := o.Split(rows, make([]float64, len(o.Positive)))
	t := o.Threshold(ranked)
	_, alphas := o.losses(f, t)
	if !o.PatMat {
		return 0.1 * o.C * alphas
	}
	_, betas := o.passing(ranked, t)
	return o.C * alphas / betas
}

// Wants reports whether a dual variable of example i may be above 0 with the score f and the threshold t, or would be
// if scores were off by a margin: of TopPush, a beta of a score above top.
func (o *Objective) Wants(i int, f, t, margin, top float64) bool {
	if o.Positive[i] && f < t+1/o.Theta1+margin {
		return true
	}
	if o.PatMat {
		top = t - 1/o.Theta2 - margin
	}
	return o.Ranked(i) && f > top
}
