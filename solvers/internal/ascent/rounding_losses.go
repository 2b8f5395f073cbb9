package ascent

import (
	"math"

	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// Losses tells how far rounding takes the sum of the losses r_i phi_i(s_i), whose scores are computed in float64. A
// score is a sum of products with the norm n_i, |x_i| or sqrt(K_ii), to which an offset is added, and which the loss
// compares with a number of some size: see Slack. Losses are convex and, of classes, rise with the scores of those that
// are not true and fall with the others. So with scores off by e_i a loss is off by
//
//	max(phi_i(s_i + e_i d), phi_i(s_i - e_i d)) - phi_i(s_i)
//
// at most, with d = -1 for true classes and 1 for others: one at its kink counts, and one on its flat side does not.
// How large this can be is known without a look at the scores where the loss is loss.Steep.
type Losses struct {
	of          loss.Loss[float64]
	outputs     int
	labels      *family.Labels
	radius      []float64
	slope, bend float64
	sizedBy     loss.Sized[float64] // nil where all sizes are 1

	// Sums of the r_i, and of r_i times the squares of the n_i and of the sizes.
	weight, norms, sizes float64
}

// Slack is how far scores may be off: e_i = Norm n_i + 3 u (size_i + |Offset|).
type Slack struct{ Norm, Offset float64 }

// SlackOf is how far the scores of d features may be off, by weights of the norm w, with an offset.
func SlackOf(d int, w, offset float64) Slack {
	return Slack{deviations * math.Sqrt(float64(d+3)) * roundoff * w, offset}
}

// Shaken is memory of a goroutine that looks at losses.
type Shaken struct {
	row  []float64
	work loss.Workspace[float64]
}

// unsquared is a number whose square is the least one: squares of smaller ones are 0, whatever they are times.
const unsquared = 0x1p-537

// deviations is how many standard deviations of a rounding are allowed for.
const deviations = 3

// Losses returns the losses of p, for examples with the squared norms n_i². O(n).
func (p *Problem[T]) Losses(square func(i int) float64) *Losses {
	l := &Losses{of: p.Exact, outputs: p.Outputs, labels: &p.Labels, radius: p.Radius, slope: math.Inf(1)}
	if steep, ok := l.of.(loss.Steep); ok {
		l.slope, l.bend = steep.Steep(p.Outputs)
	}
	var work loss.Workspace[float64]
	l.sizedBy, _ = l.of.(loss.Sized[float64])
	others := false
	for i, r := range l.radius {
		if r == 0 {
			continue
		}
		size := l.size(i, &work)
		others = others || size != 1
		l.weight += r
		l.norms += r * square(i)
		l.sizes += r * size * size
	}
	if !others {
		l.sizedBy = nil
	}
	return l
}

// size returns what the scores of example i are compared with.
func (l *Losses) size(i int, work *loss.Workspace[float64]) float64 {
	if l.sizedBy == nil {
		return 1
	}
	work.Example = i
	return l.sizedBy.Size(l.outputs, work)
}

// Most is what rounding takes the losses by at most, which are sum together: see loss.Steep. O(1). By Cauchy and
// Schwarz the sum of r_i e_i is at most the root of the sums of r_i and of r_i e_i², and the sum of r_i e_i sqrt(phi_i)
// the root of the sums of r_i e_i² and of r_i phi_i.
func (l *Losses) Most(s Slack, sum float64) float64 {
	u, b := deviations*roundoff, math.Abs(s.Offset)
	root := s.Norm*math.Sqrt(l.norms) + u*(math.Sqrt(l.sizes)+b*math.Sqrt(l.weight))
	if l.bend > 0 {
		root += unsquared * math.Sqrt(l.weight)
	}
	second := root * root // Minkowski
	most := 0.0
	if l.slope > 0 {
		most = l.slope * math.Sqrt(l.weight) * root
	}
	if l.bend > 0 {
		most += 2*math.Sqrt(l.bend*second*max(sum, 0)) + l.bend*second
	}
	return most
}

// Off is how far rounding may take the loss of example i at the scores, times r_i. O(m).
func (l *Losses) Off(i int, norm float64, scores []float64, s Slack, m *Shaken) float64 {
	r, y := l.radius[i], l.labels.Of(i)
	if r == 0 {
		return 0
	}
	e := s.Norm*norm + deviations*roundoff*(l.size(i, &m.work)+math.Abs(s.Offset))
	if l.bend > 0 {
		e += unsquared
	}
	if len(m.row) != len(scores) {
		m.row = make([]float64, len(scores))
	}
	m.work.Example = i
	at, most := l.of.Primal(scores, y, &m.work), 0.0
	for _, e := range [2]float64{e, -e} {
		for c, v := range scores {
			m.row[c] = v + e
		}
		for _, c := range y {
			m.row[c] = scores[c] - e
		}
		if off := l.of.Primal(m.row, y, &m.work) - at; !(off <= most) {
			most = off
		}
	}
	return r * most
}

// Sum returns Most where that is no more than enough, and else the sum of Off over all examples.
func (l *Losses) Sum(s Slack, sum, enough float64, norm func(i int) float64, scores func(i int) []float64,
	m *Shaken) float64 {
	most := l.Most(s, sum)
	if most <= enough {
		return most
	}
	off := 0.0
	for i := range l.radius {
		off += l.Off(i, norm(i), scores(i), s, m)
	}
	return off
}

// Terms is the size of the numbers that the dual terms of dual variables, one an example, are differences of together.
func (l *Losses) Terms(a []float64) (sum float64) {
	if l.sizedBy == nil {
		return 0
	}
	var work loss.Workspace[float64]
	for i, v := range a {
		sum += 2 * l.size(i, &work) * math.Abs(v)
	}
	return sum
}

// termSize is the size of the numbers that the dual term of a block is the difference of; 0 where that cannot be much
// larger than the objective.
func (l *Losses) termSize(i int, a []float64, term float64, work *loss.Workspace[float64]) float64 {
	switch {
	case l.sizedBy == nil:
		return 0
	case len(a) == 1:
		return math.Abs(term) + l.size(i, work)*math.Abs(a[0])
	}
	return math.Abs(term) + l.size(i, work)*vec.AbsSum(a)
}
