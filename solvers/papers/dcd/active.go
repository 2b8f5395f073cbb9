package dcd

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// activeSets are the examples whose variables are drawn, a set A_l for each label, and the range of gradients [low,
// high] outside of which a variable at a bound is discarded: lb_l and ub_l of the paper.
type activeSets struct {
	of          [][]int // of each label, in the order in which discarding leaves them
	all         [][]int // of each label, the memory of of: all n examples
	active      int     // variables in all sets
	low, high   []float64
	least, most []float64 // of each label, of the projected gradients in its set at the last estimate
}

// newActiveSets returns sets with all variables, and ranges without ends.
func newActiveSets(labels, n int) activeSets {
	ends := make([]float64, 4*labels)
	s := activeSets{of: make([][]int, labels), all: make([][]int, labels), low: ends[:labels],
		high: ends[labels : 2*labels], least: ends[2*labels : 3*labels], most: ends[3*labels:]}
	for l := range s.all {
		s.all[l] = make([]int, n)
		for i := range n {
			s.all[l][i] = i
		}
	}
	s.expand()
	s.unbound()
	return s
}

// full reports whether the sets have all variables.
func (s *activeSets) full() bool { return s.active == len(s.all)*len(s.all[0]) }

// expand puts all variables into the sets.
func (s *activeSets) expand() {
	copy(s.of, s.all)
	s.active = len(s.all) * len(s.all[0])
}

// discard takes the example at a place out of the set of a label: the last one changes places with it.
func (s *activeSets) discard(l, at int) {
	set := s.of[l]
	last := len(set) - 1
	set[at], set[last] = set[last], set[at]
	s.of[l] = set[:last]
	s.active--
}

// unbound sets the ranges to [-Inf, +Inf].
func (s *activeSets) unbound() {
	for l := range s.low {
		s.low[l], s.high[l] = math.Inf(-1), math.Inf(1)
	}
}

// bound sets the ranges to (44) and (45),
//
//	lb_l = min_k |R_kl| min over i in A_k of g_ik,  ub_l = max_k |R_kl| max over i in A_k of g_ik,
//
// where g are projected gradients. Both always include 0, as they do where some R_kl or some projected gradient is 0: a
// variable that is at a bound and could gain by leaving it is never discarded. Empty sets do not count.
func (s *activeSets) bound(r vec.Matrix[float64]) {
	for l := range s.low {
		s.low[l], s.high[l] = 0, 0
		for k, set := range s.of {
			if len(set) > 0 {
				v := math.Abs(r.At(k, l))
				s.low[l], s.high[l] = min(s.low[l], v*s.least[k]), max(s.high[l], v*s.most[k])
			}
		}
	}
}
