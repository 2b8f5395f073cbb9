package l1

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

const (
	slack        = 1e-9 // of the bounds of screening
	leastColumns = 100  // of a working set
	firstColumns = 0.3  // of the columns whose slopes are large enough are the first working set
	nearly       = 0.9  // of the largest slope at the optimum is enough for the working set
)

// look computes the slopes of all live columns at the weights w, and by them the dual value. It screens columns, and
// makes the next working set, by what it finds.
func (t *training[T]) look(o *output, w []float64, s *scratch[T]) {
	norm := 0.0
	for _, v := range w {
		norm += math.Abs(v)
	}
	o.primal = s.value + norm
	largest := 0.0
	o.most = 0
	for p, g := range s.slopesOf(t, o.live) {
		largest, o.most = max(largest, math.Abs(g)), max(o.most, violation(w[o.live[p]], g))
	}
	o.dual, o.theta = s.dual(1 / largest)
	o.looked = true
	t.screen(o, w, s, s.reach(o.primal-o.dual), o.theta)
	t.choose(o, w, s)
}

// screen leaves out the columns whose weight is 0 at the optimum for certain: theta |g_j| + |x_j| radius < 1.
func (t *training[T]) screen(o *output, w []float64, s *scratch[T], radius, theta float64) {
	k := 0
	for p, f := range o.live {
		if w[f] == 0 && theta*math.Abs(s.slopes[p])+t.norms[f]*radius < 1-slack {
			continue
		}
		o.live[k], s.slopes[k] = f, s.slopes[p]
		k++
	}
	o.live, s.slopes = o.live[:k], s.slopes[:k]
}

// choose makes the working set: the columns with weights, and as many others whose slopes are the largest.
func (t *training[T]) choose(o *output, w []float64, s *scratch[T]) {
	o.work, s.order = o.work[:0], s.order[:0]
	for p, f := range o.live {
		if w[f] != 0 {
			o.work = append(o.work, f)
		} else if math.Abs(s.slopes[p]) > nearly {
			s.order = append(s.order, int32(p))
		}
	}
	more := max(leastColumns, len(o.work))
	if len(o.work) == 0 {
		more = max(more, int(firstColumns*float64(len(s.order))))
	}
	if len(s.order) > more {
		s.take(more)
	}
	for _, p := range s.order {
		o.work = append(o.work, o.live[p])
	}
	slices.Sort(o.work)
}

// take leaves the places of the largest slopes in order, of equal ones the first.
func (s *scratch[T]) take(count int) {
	s.sizes = grown(s.sizes, len(s.order)+count)
	of, most := s.sizes[:len(s.order)], s.sizes[len(s.order):]
	for k, p := range s.order {
		of[k] = math.Abs(s.slopes[p])
	}
	s.chosen = grown(s.chosen, count)
	vec.TopK(most, s.chosen, of)
	for k, q := range s.chosen {
		s.chosen[k] = s.order[q]
	}
	s.order, s.chosen = s.chosen, s.order
}
