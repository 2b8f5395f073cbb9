package main

import "github.com/mmcloughlin/avo/reg"

// chain is what the largest beta adds to a scan: kinks along the step, and its cost.
type chain struct {
	s    *pairScanner
	t, m reg.VecVirtual // beta of each partner, and the largest beta of others
}

func (s *pairScanner) newChain(x reg.VecVirtual) *chain {
	k, c := s.k, &chain{s: s, t: s.k.vec(), m: s.k.vec()}
	k.sub(x, s.the(scanL), c.t)
	first := s.the(scanFirst)
	k.move(first, c.m)
	k.insert(s.the(scanSecond), k.compare(0x1d, first, c.t), c.m) // t >= first
	return c
}

// best is the best step without its box: min(g3, max(KL, min(g1, max(KR, g2)))). Where both kinks are infinite their middle
// is NaN, which VMINPS and VMAXPS pass over for what comes first here.
func (c *chain) best(a, b, step reg.VecVirtual) {
	k, s := c.s.k, c.s
	largest, smallest := pick(k, k.VMAXPS, k.VMAXPD), pick(k, k.VMINPS, k.VMINPD)
	left, right, middle := k.vec(), k.vec(), k.vec()
	k.sub(c.m, s.the(scanK), left)
	k.sub(c.t, c.m, right)
	k.add(left, right, middle)
	k.mul(s.half(), middle, middle)
	smallest(left, middle, left)
	largest(right, middle, right)

	inverse, g := k.vec(), k.vec()
	k.load(k.everywhere(1), inverse)
	pick(k, k.VDIVPS, k.VDIVPD)(a, inverse, inverse)
	k.sub(s.the(scanC), b, step)
	k.mul(inverse, step, step)
	largest(step, right, step)
	k.mul(inverse, b, g)
	smallest(step, g, step)
	largest(step, left, step)
	k.add(s.the(scanC), b, g)
	k.mul(inverse, g, g)
	smallest(step, g, step)
}

// cost is what a step costs by the largest beta: C (max(m, K - step, t + step) - max(First, K)).
func (c *chain) cost(step reg.VecVirtual) reg.VecVirtual {
	k, s := c.s.k, c.s
	largest := pick(k, k.VMAXPS, k.VMAXPD)
	after, before := k.vec(), k.vec()
	k.sub(step, s.the(scanK), after)
	largest(after, c.m, after)
	k.add(step, c.t, c.t)
	largest(c.t, after, after)
	k.move(s.the(scanFirst), before)
	largest(s.the(scanK), before, before)
	k.sub(before, after, after)
	k.mul(s.the(scanC), after, after)
	return after
}
