package toprank

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// query is the examples of one query, and their dual variables: alpha, and beta = S p with S = sum alpha. p sums to 1,
// with 0 <= p <= 1/k. In these variables a step of one alpha, which takes the betas along, and a step of a pair of p
// have bounds that are constants. Where no such step gains, the dual variables are optimal, the others held: p is on
// the k largest scores then, whose mean is t, and the slope of each alpha, 1/theta - 2 p1 alpha - f_i + p'f, is the
// slope of (7).
type query struct {
	at        []int // examples, the positive ones first
	positives int
	k         int // negative examples that the threshold is the mean of
	alpha, p  []float64
	gap       float64 // at the end of the last epoch: what these examples have of the duality gap

	diagonal []float64   // of K
	rows     [][]float64 // of K among these examples, those that are kept
}

// set sets the variables to the given ones of all examples, which are feasible.
func (q *query) set(alpha, beta []float64) {
	for u := range q.alpha {
		q.alpha[u] = alpha[q.at[u]]
	}
	sum := vec.Sum(q.alpha)
	for u := range q.p {
		q.p[u] = 0
		if sum > 0 {
			q.p[u] = min(beta[q.at[q.positives+u]]/sum, 1/float64(q.k))
		}
	}
}

// coefficients sets c to alpha | -beta.
func (q *query) coefficients(c []float64) {
	sum := vec.Sum(q.alpha)
	copy(c, q.alpha)
	for u, v := range q.p {
		c[q.positives+u] = -sum * v
	}
}

// judge returns what the query, with the scores f, has of the certificate: the norm is a sum over all examples, c'f.
func (q *query) judge(o *objective, f []float64) solvers.Certificate {
	c := make([]float64, len(f))
	q.coefficients(c)
	certificate, _ := o.Judge(q.alpha, f[:q.positives], c[q.positives:], f[q.positives:], vec.Dot(c, f))
	return certificate
}

// visit is the moves of one query while all others are held.
type visit[T vec.Float] struct {
	*query
	s     *byQueries[T]
	f     []float64 // scores of the examples
	kp    []float64 // K p
	pkp   float64   // p'K p
	sum   float64   // S
	least float64   // curvature below which rounding has the say
}

const (
	// visitGoal is the part of its gap at which a query is left for the next one, and rounds is how often its alphas
	// and then its p are gone through at most: other queries move its scores anyway.
	visitGoal, rounds = 0.1, 10
)

// visit moves the dual variables of a query, block coordinate ascent of (7) by pairs of p and then each alpha, and then
// the model.
func (s *byQueries[T]) visit(q *query) {
	n := len(q.at)
	v := visit[T]{query: q, s: s, f: make([]float64, n), kp: make([]float64, n), sum: vec.Sum(q.alpha)}
	v.least = max(s.least, s.epsilon*vec.Max(q.diagonal))
	s.space.scores(v.f, q.at)
	before, after := make([]float64, n), make([]float64, n)
	q.coefficients(before)
	v.startP()
	goal := visitGoal * q.judge(s.objective, v.f).Gap()
	for range rounds {
		v.movePairs(goal)
		v.moveAlphas()
		if q.judge(s.objective, v.f).Gap() <= goal {
			break
		}
	}
	q.coefficients(after)
	var at []int
	var move []float64
	for u, i := range q.at {
		if d := after[u] - before[u]; d != 0 {
			at, move = append(at, i), append(move, d)
		}
	}
	s.space.add(at, move)
}

// row returns the row of K of example u among the query's examples.
func (v *visit[T]) row(u int) []float64 {
	if v.rows[u] != nil {
		return v.rows[u]
	}
	row := make([]float64, len(v.at))
	v.s.space.row(row, v.at[u], v.at)
	if v.s.keep >= len(row) {
		v.s.keep -= len(row)
		v.rows[u] = row
	}
	return row
}

// startP computes K p. While S is 0 any p does, and the best one is the threshold's.
func (v *visit[T]) startP() {
	if v.sum == 0 {
		clear(v.p)
		top := make([]int, v.k)
		solvers.Rank(top, v.f[v.positives:])
		for _, u := range top {
			v.p[max(u, 0)] = 1 / float64(v.k)
		}
	}
	clear(v.kp)
	for u, w := range v.p {
		if w > 0 {
			vec.Axpy(w, v.row(v.positives+u), v.kp)
		}
	}
	v.pkp = vec.Dot(v.p, v.kp[v.positives:])
}

// movePairs moves pairs of p, to the largest score that has room from the one that gains most, until what is left to
// gain by p is below the goal.
func (v *visit[T]) movePairs(goal float64) {
	if v.sum == 0 {
		v.startP()
		return
	}
	f, most := v.f[v.positives:], 1/float64(v.k)
	slope := max(v.sum, v.s.Pull(v.f[:v.positives], slices.Max(f)))
	for range 2 * len(v.at) {
		to := -1
		for u, w := range v.p {
			if w < most && (to < 0 || f[u] > f[to]) {
				to = u
			}
		}
		if to < 0 {
			return
		}
		row, from, best, low := v.row(v.positives+to), -1, 0.0, math.Inf(1)
		curvature := func(u int) float64 {
			h := v.diagonal[v.positives+to] + v.diagonal[v.positives+u] - 2*row[v.positives+u]
			return max(h, v.least)
		}
		for u, w := range v.p {
			if w == 0 || f[u] >= f[to] {
				continue
			}
			low = min(low, f[u])
			if gain := (f[to] - f[u]) * (f[to] - f[u]) / curvature(u); gain > best {
				from, best = u, gain
			}
		}
		// With another p the threshold is at most so much higher, and the losses grow by the slope there, S when all
		// is done.
		if from < 0 || slope*(f[to]-low) <= goal/4 {
			return
		}
		d := min((f[to]-f[from])/curvature(from)/v.sum, most-v.p[to], v.p[from])
		v.p[to] = min(v.p[to]+d, most)
		v.p[from] = max(v.p[from]-d, 0)
		other := v.row(v.positives + from)
		vec.Axpy(-d*v.sum, row, v.f)
		vec.Axpy(d*v.sum, other, v.f)
		vec.Axpy(d, row, v.kp)
		vec.Axpy(-d, other, v.kp)
		v.pkp = vec.Dot(v.p, v.kp[v.positives:])
	}
}

// moveAlphas moves each alpha, with the betas, to its optimum.
func (v *visit[T]) moveAlphas() {
	curvature, most := v.s.Curvature(), v.s.Upper()
	pf := vec.Dot(v.p, v.f[v.positives:])
	for u, a := range v.alpha {
		slope := 1/v.s.Theta1 - curvature*a - v.f[u] + pf
		h := max(v.diagonal[u]-2*v.kp[u]+v.pkp, v.least) + curvature
		to := min(max(a+slope/h, 0), most)
		d := to - a
		if d == 0 {
			continue
		}
		v.alpha[u] = to
		vec.Axpy(d, v.row(u), v.f)
		vec.Axpy(-d, v.kp, v.f)
		pf += d * (v.kp[u] - v.pkp)
	}
	v.sum = vec.Sum(v.alpha) // 0 where all are
}
