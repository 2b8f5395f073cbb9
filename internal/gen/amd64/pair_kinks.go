package main

import "github.com/mmcloughlin/avo/reg"

// chain is what the largest beta adds to a scan: kinks along the step, and its cost.
type chain struct {
	s    *pairScanner
	t, m reg.VecVirtual // beta of each partner, and the largest beta of others
}

func (s *pairScanner) newChain(x reg.VecVirtual) *chain {
	k, c := s.k, &chain{s: s, t: s.k.vec(), m: s.k.vec()}
	k.Comment("t = L - x; m = First, or Second where t is not below First.")
	k.sub(x, s.the("L"), c.t)
	first := s.the("First")
	k.move(first, c.m)
	k.insert(s.the("Second"), k.compare(0x1d, first, c.t), c.m) // t >= first
	return c
}

// best is the best step without its box: min(g3, max(KL, min(g1, max(KR, g2)))). Where both kinks are infinite their
// middle is NaN, which VMINPS and VMAXPS pass over for what comes first here.
func (c *chain) best(b, inverse, step reg.VecVirtual) {
	k, s := c.s.k, c.s
	largest, smallest := pick(k, k.VMAXPS, k.VMAXPD), pick(k, k.VMINPS, k.VMINPD)
	k.Comment("The kinks K - m and m - t, and their middle where they cross.")
	left, right, middle := k.vec(), k.vec(), k.vec()
	k.sub(c.m, s.the("K"), left)
	k.move(c.m, right)
	s.minus(c.t, right)
	k.move(left, middle)
	s.plus(right, middle)
	k.mul(s.halves(), middle, middle)
	smallest(left, middle, left)
	largest(right, middle, right)

	k.Comment("min(g3, max(KL, min(g1, max(KR, g2)))), where g1, g2, g3 = b/a, (b - C)/a, (b + C)/a.")
	g := k.vec()
	k.move(b, step)
	s.minus(s.the("C"), step)
	k.mul(inverse, step, step)
	largest(step, right, step)
	k.mul(inverse, b, g)
	smallest(step, g, step)
	largest(step, left, step)
	k.move(b, g)
	s.plus(s.the("C"), g)
	k.mul(inverse, g, g)
	smallest(step, g, step)
}

// cost is what a step costs by the largest beta, C max(m, K - step, t + step).
func (c *chain) cost(step reg.VecVirtual) reg.VecVirtual {
	k, s := c.s.k, c.s
	largest := pick(k, k.VMAXPS, k.VMAXPD)
	k.Comment("The cost C max(m, K - step, t + step).")
	after := k.vec()
	k.sub(step, s.the("K"), after)
	largest(after, c.m, after)
	s.plus(step, c.t)
	largest(c.t, after, after)
	k.mul(s.the("C"), after, after)
	return after
}
