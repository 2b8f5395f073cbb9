package pq

import (
	"fmt"
	"math"

	kernel "github.com/dualgap/dualgap/asm/pq"
)

// bounds has the numbers that searches and proofs go by, but do not tell: what rounding is allowed for, limits, and
// bounds of distances.
func (s *steps) bounds() {
	wide, lean := clustered(300, 24, 8), clustered(300, 20, 8)
	for k, c := range s.codecs {
		x := lean
		if c.D() != x.Cols {
			x = wide
		}
		_, scalar := c.Codec.(*Scalar)
		for _, m := range []Metric{L2, InnerProduct, CosineSimilarity} {
			for _, config := range []IndexConfig{{Metric: m}, {Metric: m, Bounds: true},
				{Metric: m, Bounds: true, Centre: x.Row(3)}} {
				if scalar && !config.Bounds {
					continue
				}
				ix, err := NewIndexOf(c.Codec, config)
				if err != nil {
					s.t.Fatal(err)
				}
				if err := ix.Add(x, 1); err != nil {
					s.t.Fatal(err)
				}
				told := []any{config.Bounds, len(config.Centre)}
				for _, i := range []int{0, 77} {
					told = append(told, s.hidden(ix, x.Row(i)))
				}
				s.note(fmt.Sprintf("bounds %d of %s, %v", k, c.name, m), told...)
			}
		}
	}
}

// hidden is what a search for a query has computed.
func (s *steps) hidden(ix *Index, query []float32) (told string) {
	r := newSearcher(ix.codec)
	of := r.hold(ix)
	add := func(v ...any) { told += fmt.Sprintln(v...) }
	r.claim.begin(ix.c.Metric, query, Search{K: 3})
	if err := r.set(ix, of, query); err != nil {
		s.t.Fatal(err)
	}
	for _, r.claim.bar = range []float64{-.5, 0, .25, 7} {
		add(r.claim.limit(), r.claim.limitOfCodes())
	}
	switch p := r.probe.(type) {
	case *pqProbe:
		add(p.fast.base, p.fast.step, p.fast.slack, p.fast.bytes)
		if p.frame != nil {
			add(p.square, p.length, p.along, p.reach, p.lost, p.off, p.slack, p.frame.largest, p.frame.norm)
			add(p.atMost())
		}
	case *scalarProbe:
		p.turnTails()
		add(p.scalarQuery, p.frame.base, p.frame.norm)
		for _, w := range []*weights{&p.rough, &p.fine} {
			add(w.whole, w.parts, w.two, w.unit, w.zero, w.most, w.off, w.offBy, w.center)
			add(p.off(w))
		}
	}
	for _, proof := range []bool{false, true} {
		for _, d := range []float64{-2, 0, .125, 3, 1e10, math.Inf(1)} {
			r.probe.limit(d, proof)
			switch p := r.probe.(type) {
			case *pqProbe:
				add(d, p.within, p.most)
			case *scalarProbe:
				add(d, p.within)
			}
			path := of.blocks
			r.seen = 0
			for len(path) > 0 {
				n := r.take(&path)
				if d, ok := r.begin(n, 5); ok {
					add(d)
				}
				for i, b := range r.group {
					part, sums := []*block{b}, r.sums[i*kernel.Block:][:kernel.Block]
					hits := r.hits[:r.probe.near(r.hits, part, b.n, sums)]
					for len(hits) > 0 {
						now := hits[:min(len(hits), hitBatch)]
						hits = hits[len(now):]
						r.probe.score(r.dist[:len(now)], r.low[:len(now)], r.high[:len(now)], part, now)
						add(now, r.dist[:len(now)], r.low[:len(now)], r.high[:len(now)])
					}
				}
			}
		}
	}
	return told
}
