package oneclass

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// side is examples with keys that they are sorted by.
type side struct {
	keys []float64
	of   []int32
}

func (c *side) add(key float64, i int) { c.keys, c.of = append(c.keys, key), append(c.of, int32(i)) }

func (c *side) sort() { vec.SortPairs(c.keys, c.of) }

func (c *side) clear() { c.keys, c.of = c.keys[:0], c.of[:0] }

// share is the part of the active examples that a round takes pairs of: scores are renewed the more often the fewer
// there are.
const (
	share     = .2
	leastPair = 16
)

// round steps through pairs, and computes the scores anew.
func (s *solver[T]) round() {
	s.sides()
	most := max(leastPair, int(share*float64(len(s.active))))
	s.stuck = !s.steps(most)
	s.renew()
	s.shrink()
	s.measure()
}

// sides collects the examples on the wrong side of rho, the farthest first, and those at rho, which make up for what
// one side has more of.
func (s *solver[T]) sides() {
	s.up.clear()
	s.low.clear()
	a, r, rho := s.a, s.r, s.rho
	for _, i := range s.active {
		switch g := s.g[i]; {
		case g < rho && a[i] < r[i]:
			s.up.add(g, i)
		case g > rho && a[i] > 0:
			s.low.add(-g, i)
		case g == rho:
			s.up.add(g, i)
			s.low.add(-g, i)
		}
	}
	s.up.sort()
	s.low.sort()
}

// steps goes through both sides, for a number of pairs at most, and reports whether one moved. An example stays for the
// next pair until it has come to its bound or to the other's score.
func (s *solver[T]) steps(most int) (moved bool) {
	up, low := s.up.of, s.low.of
	for ; most > 0 && len(up) > 0 && len(low) > 0; most-- {
		i, j := int(up[0]), int(low[0])
		t := s.step(i, j)
		moved = moved || t != 0
		full, empty := s.a[i] == s.r[i], s.a[j] == 0
		if full || !empty {
			up = up[1:]
		}
		if empty || !full {
			low = low[1:]
		}
	}
	return moved
}

// step moves a_i up by t and a_j down, and returns t. The product of the two examples is not needed where even a larger
// curvature, (|x_i| + |x_j|)², takes the step to a bound.
func (s *solver[T]) step(i, j int) (t float64) {
	s.touched += 2
	ai, aj, ri, rj := s.a[i], s.a[j], s.r[i], s.r[j]
	slope, low, high := s.rows.difference(s.w, i, j), max(-ai, aj-rj), min(ri-ai, aj)
	hi, hj := s.rows.norms[i], s.rows.norms[j]
	switch most := hi + hj + 2*math.Sqrt(hi*hj); {
	case slope == 0:
		return 0
	case slope >= most*high:
		t = high
	case slope <= most*low:
		t = low
	default:
		s.touched++
		h := max(s.rows.distance(i, j), 0x1p-40*(hi+hj))
		t = min(max(slope/h, low), high)
	}
	if t == 0 {
		return 0
	}
	s.touched += 2
	s.rows.move(s.w, i, j, t)
	s.a[i], s.a[j] = ai+t, aj-t
	if t == ri-ai { // bounds are met to the bit
		s.a[i] = ri
	}
	if t == -ai {
		s.a[i] = 0
	}
	if t == aj {
		s.a[j] = 0
	}
	if t == aj-rj {
		s.a[j] = rj
	}
	return t
}

// shrink leaves out the examples at a bound whose scores are beyond all that violate a condition.
func (s *solver[T]) shrink() {
	a, g, r := s.a, s.g, s.r
	least, most := math.Inf(1), math.Inf(-1) // of those that can move up, and down
	for _, i := range s.active {
		score, v := g[i], a[i]
		if v < r[i] && score < least {
			least = score
		}
		if v > 0 && score > most {
			most = score
		}
	}
	kept := s.active[:0]
	s.within = 0
	for _, i := range s.active {
		score, v := g[i], a[i]
		if v == 0 && score > most || v == r[i] && score < least {
			continue
		}
		s.within += v
		kept = append(kept, i)
	}
	s.active = kept
}

// measure finds rho, and the gap of the active examples.
func (s *solver[T]) measure() {
	s.rho = s.threshold()
	a, g, r, rho, gap := s.a, s.g, s.r, s.rho, 0.0
	for _, i := range s.active {
		if off := g[i] - rho; off > 0 {
			gap += a[i] * off
		} else {
			gap -= (r[i] - a[i]) * off
		}
	}
	s.gap, s.square = gap, vec.SquaredNorm(s.w)
}

// threshold returns the score up to which the weights of the active examples reach what they have of N; the middle
// between two where it is anywhere between.
func (s *solver[T]) threshold() float64 {
	if len(s.active) == 0 {
		return s.rho
	}
	if !s.even {
		return s.uneven()
	}
	keys := s.keys[:len(s.active)]
	if len(keys) == s.n {
		copy(keys, s.g)
	} else {
		for q, i := range s.active {
			keys[q] = s.g[i]
		}
	}
	count := s.within / s.r[0]
	k := int(math.Ceil(count-0x1p-30)) - 1
	k = min(max(k, 0), len(keys)-1)
	vec.NthElement(keys, k)
	if float64(k+1) <= count+0x1p-30 && k+1 < len(keys) { // as many as there are: flat up to the next score
		return keys[k]/2 + vec.Min(keys[k+1:])/2
	}
	return keys[k]
}

// uneven is threshold where weights differ.
func (s *solver[T]) uneven() float64 {
	c := &s.up
	c.clear()
	for _, i := range s.active {
		if s.r[i] > 0 {
			c.add(s.g[i], i)
		}
	}
	if len(c.of) == 0 {
		return 0
	}
	c.sort()
	sum := 0.0
	for q, i := range c.of {
		sum += s.r[i]
		if sum < s.within*(1-0x1p-40) {
			continue
		}
		if sum <= s.within*(1+0x1p-40) && q+1 < len(c.of) {
			return c.keys[q]/2 + c.keys[q+1]/2
		}
		return c.keys[q]
	}
	return c.keys[len(c.of)-1]
}
