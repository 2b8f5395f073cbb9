package ranking

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// choice is a pair step with a variable: x of that grows by step, x of l falls by it.
type choice[T vec.Float] struct {
	l          variable
	gain, step T
}

// partner returns the best pair step with the variable k, whose row of K is given; its gain is 0 where there is none.
func (s *pairs[T]) partner(k variable, row []T) (best choice[T]) {
	first, second, top := s.largest(k)
	for side, x := range s.x {
		skip := len(x)
		switch {
		case side == k.side:
			skip = k.at
		case side == betas && s.p.Tied && top >= 0: // of all others the largest beta is another
			skip = top
			s.scan(&best, k, side, top, top+1, row, [2]float64{second, second})
		}
		s.scan(&best, k, side, 0, skip, row, [2]float64{first, second})
		s.scan(&best, k, side, skip+1, len(x), row, [2]float64{first, second})
	}
	return best
}

// bent reports whether the largest beta sets the scalar, and the dual bends there.
func (s *pairs[T]) bent() bool { return s.p.Cost > 0 && s.p.Minus.Ratio > 0 }

// largest returns the two largest beta but for k's own, 0 in place of one that is not there, and where the first is, or
// -1.
func (s *pairs[T]) largest(k variable) (first, second float64, top int) {
	if !s.p.Tied && !s.bent() {
		return 0, 0, -1
	}
	x, skip := s.x[betas], -1
	if k.side == betas {
		skip = k.at
	}
	top = lowest(x, skip, -1)
	if other := lowest(x, skip, top); other >= 0 {
		second = -float64(x[other])
	}
	if top >= 0 {
		first = -float64(x[top])
	}
	return first, second, top
}

// lowest returns where the least of x is but for those at two places, or -1.
func lowest[T vec.Float](x []T, one, other int) int {
	at, from := -1, 0
	for _, to := range []int{min(one, other), max(one, other), len(x)} {
		if to > from {
			if l := from + vec.ArgMin(x[from:to]); at < 0 || x[l] < x[at] {
				at = l
			}
		}
		from = max(from, to+1)
	}
	return at
}

// scan looks for a better step among the variables from one to another of a side. largest are the two largest beta but
// for k's own.
func (s *pairs[T]) scan(best *choice[T], k variable, side, from, to int, row []T, largest [2]float64) {
	if from >= to {
		return
	}
	place, n := s.first[side]+from, to-from
	row, q, f, x := row[place:][:n], s.q[place:][:n], s.f[place:][:n], s.x[side][from:to]
	p := s.box(k, side, largest[0])
	var c choice[T]
	if s.bent() {
		kinks := s.kinks(k, side, largest)
		kinks.A, kinks.Least, kinks.B = p.A, p.Least, p.B
		kinks.L0, kinks.L1, kinks.U0, kinks.U1 = p.L0, p.L2, p.U0, p.U2
		c.l.at, c.gain, c.step = unchecked.ScanKinks(row, q, f, x, &kinks)
	} else {
		c.l.at, c.gain, c.step = unchecked.ScanPairsOf(row, q, f, x, &p)
	}
	if c.gain > best.gain {
		c.l = variable{side, from + c.l.at}
		*best = c
	}
}

// box returns the steps that k may take with a variable of a side, their slope and curvature: the bounds of Theorems
// 3.1 (TopPushK, quadratic), D.1 (hinge, where the paper has min and max in each other's place), C.1 and D.2 (Pat&Mat).
// bmax is the largest beta outside of the pair.
//
// With TopPushK the cap S/K moves with S where an alpha and a beta grow by the same E, which is D or -D:
//
//	beta + E <= (S + E)/K: E <= (S - K beta)/(K - 1);  bmax <= (S + E)/K: E >= K bmax - S
func (s *pairs[T]) box(k variable, side int, bmax float64) (p unchecked.PairScanOf[T]) {
	x, place := float64(s.x[k.side][k.at]), s.place(k)
	lin, bend := s.slope(k.side)
	otherLin, otherBend := s.slope(side)
	p.A, p.Least = T(float64(s.q[place])+bend+otherBend), T(s.least)
	p.B, p.P = T(lin-float64(s.f[place])-bend*x-otherLin), T(otherBend)

	lo, hi := s.bounds(k.side)
	otherLo, otherHi := s.bounds(side)
	size := 1 / s.p.Minus.Ratio // K of TopPushK
	if s.p.Tied && k.side == betas && side == betas {
		lo, otherLo = -s.sum/size, -s.sum/size
	}
	least, most, slope, offset := lo-x, hi-x, 1.0, -otherLo
	if s.p.Tied && k.side != side {
		room := min(size*bmax-s.sum, 0)
		if k.side == alphas {
			least = max(least, room)
			slope, offset = size/(size-1), s.sum/(size-1)
		} else {
			least, most = max(least, -(s.sum+size*x)/(size-1)), min(most, -room)
		}
	}
	p.L0, p.L1, p.L2 = T(least), 1, T(-otherHi)
	p.U0, p.U1, p.U2 = T(most), T(slope), T(offset)
	return p
}

// kinks returns what the largest beta adds to a scan: of Pat&Mat with the hinge, Theorem D.2 and the bends that it
// leaves out, where one of the pair becomes the largest beta or is it no more.
func (s *pairs[T]) kinks(k variable, side int, largest [2]float64) unchecked.PairKinks[T] {
	p := unchecked.PairKinks[T]{C: T(s.p.Cost / s.p.Minus.Ratio), K: T(math.Inf(-1)), L: T(math.Inf(-1))}
	top := largest[0]
	if k.side == betas {
		beta := -float64(s.x[betas][k.at])
		top = max(top, beta)
		p.K = T(beta - top)
	}
	if side == betas {
		p.L = T(-top)
	}
	p.First, p.Second = T(largest[0]-top), T(largest[1]-top)
	return p
}
