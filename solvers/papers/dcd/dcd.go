// Package dcd is the linear method of max-margin multi-label learning, section 6 of its paper: dual coordinate descent
// with shrinking, one variable at a time, with a coupling R of the labels. For examples x_i with labels y_il = 1, and
// y_il = -1 for those that example i does not have, it maximises over alpha
//
//	sum_il (C Δ+_il + alpha_il (Δ-_il - Δ+_il)) - 1/2 sum_il 2 y_il alpha_il z_lᵀx_i,   0 <= alpha_il <= C,
//	z_l = 2 sum_ik R_lk y_ik alpha_ik x_i,
//
// which is (25) in terms of the weights z_l, with the constant that (25) leaves out. A variable is drawn from the
// active sets A_l, one for each label. Package m3l is many times faster: it visits all labels of an example at once.
//
// The paper is "Efficient max-margin multi-label classification with applications to zero-shot learning" by Hariharan,
// Vishwanathan and Varma, Machine Learning 88, 2012, whose equations the comments number. Its (40) has z_l on the left,
// where z_k of all labels k are meant.
package dcd

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// method is the method under way. Matrices have a row for each label.
type method struct {
	x      rows
	r      vec.Matrix[float64] // L-by-L
	c      float64
	y      vec.Matrix[float64] // L-by-n, 1 or -1
	margin vec.Matrix[float64] // L-by-n: Δ-_il - Δ+_il
	base   float64             // C sum_il Δ+_il

	alpha vec.Matrix[float64] // L-by-n
	z     vec.Matrix[float64] // L-by-d
	sets  activeSets

	o      Options
	rng    *rand.Rand
	pass   int            // variables that the pass has yet to draw
	along  bool           // whether labels are drawn, and L variables along each
	burst  burst          // of the label that was drawn last
	status solvers.Status // Running until the method stops
	done   int
	dual   float64 // the sum of the gains, and base
}

// burst is what is left to do along a label.
type burst struct {
	label, left int
	v           []float64 // (43): what z_k of the other labels have yet to be told, over 2 R_kl
	pending     bool      // whether v is not 0
}

// begin returns the method at alpha = 0.
func begin(x rows, y, margin, r vec.Matrix[float64], o Options) *method {
	n, d, labels := y.Cols, x.features(), y.Rows
	return &method{
		x: x, r: r, y: y, margin: margin, o: o, rng: rand.New(rand.NewPCG(o.Seed, 0)),
		alpha: vec.NewMatrix[float64](labels, n), z: vec.NewMatrix[float64](labels, d),
		sets: newActiveSets(labels, n), pass: n * labels, burst: burst{v: make([]float64, d)},
	}
}

// Take draws variables, and moves those that are not discarded from their active sets.
func (s *method) Take(ctx context.Context, steps int) (done int) {
	for ; done < steps && s.status == solvers.Running && (done%64 > 0 || ctx.Err() == nil); done++ {
		l := s.label()
		at := s.rng.IntN(len(s.sets.of[l]))
		if s.visit(l, s.sets.of[l][at]) {
			s.sets.discard(l, at)
		}
		if s.pass--; s.pass == 0 || s.sets.active == 0 {
			s.endPass()
		}
	}
	s.done += done
	return done
}

// Stopped returns Running until all projected gradients are below Tau, or moves gain nothing in float64.
func (s *method) Stopped() solvers.Status { return s.status }

// label draws the label of the next variable: with the variable itself from all active sets, or on its own for L
// variables. At least one set is not empty.
func (s *method) label() int {
	if !s.along {
		at, l := s.rng.IntN(s.sets.active), 0
		for ; at >= len(s.sets.of[l]); l++ {
			at -= len(s.sets.of[l])
		}
		return l
	}
	if s.burst.left == 0 || len(s.sets.of[s.burst.label]) == 0 {
		s.spread()
		s.burst.label, s.burst.left = s.rng.IntN(s.y.Rows), s.y.Rows
		for len(s.sets.of[s.burst.label]) == 0 {
			s.burst.label = s.rng.IntN(s.y.Rows)
		}
	}
	s.burst.left--
	return s.burst.label
}

// gradient returns the derivative of the dual by alpha_pl, the numerator of (39): Δ- - Δ+ - 2 y_pl z_lᵀx_p.
func (s *method) gradient(p, l int) float64 {
	return s.margin.At(l, p) - 2*s.y.At(l, p)*s.x.dot(p, s.z.Row(l))
}

// visit moves alpha_pl to its best value by (37) and (39), and Z by (40), or reports that it is to be discarded: it is
// at a bound, and its gradient is outside of the range that the last pass found.
func (s *method) visit(l, p int) (discard bool) {
	g, a := s.gradient(p, l), s.alpha.At(l, p)
	if a == 0 && g < s.sets.low[l] || a == s.c && g > s.sets.high[l] {
		return true
	}
	to := s.best(p, l, g)
	if to == a {
		return false
	}
	s.dual += s.gain(p, l, g, to-a)
	s.alpha.Row(l)[p] = to
	move := s.y.At(l, p) * (to - a)
	if !s.along {
		for k := range s.z.Rows { // (40), for all k
			if r := s.r.At(k, l); r != 0 {
				s.x.axpy(2*r*move, p, s.z.Row(k))
			}
		}
		return false
	}
	s.x.axpy(2*s.r.At(l, l)*move, p, s.z.Row(l))
	s.x.axpy(move, p, s.burst.v) // (43)
	s.burst.pending = true
	return false
}

// best returns (37) with (39), for a gradient of g. Where the denominator is 0, g is all that counts.
func (s *method) best(p, l int, g float64) float64 {
	if g == 0 {
		return s.alpha.At(l, p)
	}
	return max(0, min(s.c, s.alpha.At(l, p)+g/(4*s.r.At(l, l)*s.x.square(p))))
}

// gain returns how much the dual grows where alpha_pl with a gradient of g moves by d.
func (s *method) gain(p, l int, g, d float64) float64 {
	return d * (g - 2*s.r.At(l, l)*s.x.square(p)*d)
}

// spread tells the other labels what the burst along a label has moved: (42).
func (s *method) spread() {
	if !s.burst.pending {
		return
	}
	for k := range s.z.Rows {
		if r := s.r.At(k, s.burst.label); k != s.burst.label && r != 0 {
			vec.Axpy64(2*r, s.burst.v, s.z.Row(k))
		}
	}
	clear(s.burst.v)
	s.burst.pending = false
}

// endPass estimates the gradients of the active sets, and with them the ranges of the next pass. Where all of them are
// below Tau, the sets hold all variables again, and the method stops if these are below Tau as well.
func (s *method) endPass() {
	s.spread()
	s.burst.left = 0
	// Moves that gain less than this part of the dual, together, are 2^-40 of a variable: rounding repeats them
	// forever.
	const least = 0x1p-80
	largest, gains := s.estimate()
	if (largest < s.o.Tau || gains <= least*math.Abs(s.dual)) && !s.sets.full() {
		s.sets.expand()
		largest, gains = s.estimate()
		s.sets.unbound()
	}
	switch {
	case largest < s.o.Tau:
		s.status = solvers.Converged
	case gains <= least*math.Abs(s.dual):
		s.status = solvers.Stalled
	}
	s.along = s.along || largest < s.o.Switch
	s.pass = s.sets.active
}

// estimate finds the projected gradients (31) of the active sets and sets the ranges by (44) and (45). It returns the
// largest magnitude, and the sum of what each variable would gain alone.
func (s *method) estimate() (largest, gains float64) {
	for l, set := range s.sets.of {
		least, most := math.Inf(1), math.Inf(-1)
		for _, p := range set {
			g, a := s.gradient(p, l), s.alpha.At(l, p)
			if to := s.best(p, l, g); to != a {
				gains += s.gain(p, l, g, to-a)
			}
			switch a {
			case 0:
				g = max(0, g)
			case s.c:
				g = min(0, g)
			}
			least, most, largest = min(least, g), max(most, g), max(largest, math.Abs(g))
		}
		s.sets.least[l], s.sets.most[l] = least, most
	}
	s.sets.bound(s.r)
	return largest, gains
}
