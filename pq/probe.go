package pq

import (
	"math"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// pqProbe is a query made ready for the codes of a Quantizer: the table of distances to all centroids, in float32 and
// in bytes. With bounds these are distances to the centroids less the centre, or inner products with them. Then the sum
// of a code's entries gives <q, y> of file bounds.go, for squared distances as (|R q|² - sum + |z|²)/2.
type pqProbe struct {
	q     *Quantizer
	table *Table
	fast  fastTable
	codes []byte // of some hits, one after the other
	first first
	most  uint32 // the largest sum within the limit, without bounds

	frame  *pqFrame // nil without bounds
	metric Metric
	query  []float64 // q, or q - c
	turned []float64 // R of it
	square float64   // |q|², of which the length is |q|
	length float64
	along  float64 // <q, c>, for inner products
	reach  float64 // |R q|², in float32
	lost   float64 // what float32 loses of a sum of squared distances, relative to it
	off    float64 // how far an inner product may be from <q, y> besides
	slack  float64 // of distances: what float64 rounds, relative to |q|² + |r|² or |q| (|c| + |r|)
	within kernel.Limit
}

func (q *Quantizer) newProbe() probe {
	return &pqProbe{q: q, table: q.smallTable(), codes: make([]byte, hitBatch*q.CodeSize())}
}

func (p *pqProbe) set(metric Metric, query []float32, f frame) error {
	p.metric, p.frame = metric, nil
	if f != nil {
		p.frame = f.(*pqFrame)
		return p.setCentred(query)
	}
	if err := p.table.Set(metric, query); err != nil {
		return err
	}
	widest := math.Inf(1)
	if metric == L2 {
		widest = nearby
	}
	return p.fast.set(p.table, widest)
}

// setCentred makes the table about the centre.
//
// R q is computed in float64, off by at most (d+2)2⁻⁵³ |R| |q| in length, and rounded to float32, where numbers that
// underflow are off by 2⁻¹⁵⁰ each, whatever they meet. An entry is a sum of dsub products in float32, and a sum has M
// entries. Of inner products both lose less than (dsub + M + 8)2⁻²⁴ Σ_j |(R q)_j| max_k |z_jk|, the rounding of R q
// included. Of squared distances both lose less than (dsub + M + 8)2⁻²⁴ of the sum, and the rounding of R q 2⁻²⁴ Σ_j.
func (p *pqProbe) setCentred(query []float32) error {
	q, f := p.q, p.frame
	if err := q.checkQuery(query); err != nil {
		return err
	}
	if p.query == nil {
		p.query, p.turned = make([]float64, q.d), make([]float64, q.d)
	}
	p.along, p.square = 0, 0
	for t, v := range query {
		p.query[t] = float64(v)
		if p.metric == L2 {
			p.query[t] -= float64(f.c[t])
		}
		p.along += float64(p.query[t] * float64(f.c[t]))
		p.square += float64(p.query[t] * p.query[t])
	}
	if p.square > math.MaxFloat32/4 {
		return errOverflow
	}
	p.length = math.Sqrt(p.square)
	p.slack = float64(q.d+64) * 0x1p-50
	turned := p.query
	if q.rotation != nil {
		vec.MixedGemv(1, q.Rotation(), p.query, 0, p.turned)
		turned = p.turned
	}
	var sum, all float64
	p.reach = 0
	for j := range q.m {
		var part float64
		for t := q.offset[j]; t < q.offset[j+1]; t++ {
			v := float32(turned[t])
			p.table.query[t] = v
			p.reach += float64(float64(v) * float64(v))
			part += float64(turned[t] * turned[t])
		}
		sum += math.Sqrt(part) * f.largest[j]
		all += f.largest[j] * f.largest[j]
	}
	p.off = float64(q.d+q.m)*0x1p-140 +
		(float64(q.d+16)*0x1p-52*f.frobenius*p.length+float64(q.d)*0x1p-149)*math.Sqrt(all)
	p.lost = float64(q.width(0)+q.m+8) * 0x1p-24 * (1 + 0x1p-10)
	p.table.fillFrom(f.columns, p.metric)
	if p.metric == InnerProduct {
		p.off += p.lost * sum
		return p.fast.set(p.table, math.Inf(1))
	}
	p.off += 0x1p-23 * sum
	return p.fast.set(p.table, nearby)
}

func (p *pqProbe) scan(sums []uint16, b *block) {
	p.fast.scan(p.q, b.codes, sums)
}

func (p *pqProbe) batch() int {
	if p.frame != nil {
		return 1
	}
	return scanBlocks
}

// atMost is what a sum of bytes says of <q, y>: at most origin - step sum, to which |z|²/2 is added where part is 1.
// Of |z|²/2, and of t, float32 loses less than 2⁻²¹ max |z|².
func (p *pqProbe) atMost() (origin, step, part float64) {
	base, step, most := p.fast.base, p.fast.step, 256*float64(p.q.m)
	if p.metric == L2 {
		less := 1 - p.lost
		base, step, part = (base*less-p.reach)/2, step*less/2, 1
	}
	rounding := 0x1p-20*(math.Abs(base)+p.reach*part+step*most) + 0x1p-21*p.frame.largestSquare*part
	return -base + p.off + rounding, step, part
}

// start scores the k codes that look nearest by their sums of bytes.
func (p *pqProbe) start(b *block, sums []uint16, k int) float64 {
	var origin, step, part float64
	if p.frame != nil {
		origin, step, part = p.atMost()
		origin -= step * float64(p.q.m) / 2
	}
	p.first = first{}
	for i, sum := range sums {
		d := float64(sum)
		if p.frame != nil {
			v, product := p.planeOf(b, i), origin-step*d
			sum := product
			if p.metric == L2 {
				sum = p.reach - 2*product
			}
			d = v.estimate(p, product*v.scale+part*v.half, sum)
		}
		p.first.offer(d, i, k)
	}
	return p.first.most(p, b, k)
}

// limit prepares a comparison with d. With
//
//	g = (|q|² - d)/2 + (u² + e²)/2 - u t    or, of inner products,    g = -<q, c> - d - u t,
//
// the estimate is at most d if g <= 0, and the bound is if g <= e w: if g <= 0 or g² <= e² w². u >= 0, so g is least,
// and the estimate is, at the largest t that the sum of bytes allows. u t + e w is largest there, too, if that t is at
// most |q| u/|r|; where it is more, code and query are nearly aligned, and the vector passes.
//
// All of it is multiplied by a power of two near 1/|q|, so that squares stay within float32. What is rounded is
// covered: in g by less of u² + e² and of the rest, in t by more of its origin, in w by more of |q|².
func (p *pqProbe) limit(d float64, proof bool) {
	if p.frame == nil {
		p.most = p.fast.bound(float32(d))
		return
	}
	kappa, aligned := 1+0x1p-17, 1-0x1p-18
	if !proof {
		d += math.Abs(d) * 0x1p-23 // estimates are compared in float32
		kappa, aligned = 0, math.Inf(1)
	}
	scale := 1.0
	if p.length > 0 {
		_, e := math.Frexp(p.length)
		scale = math.Ldexp(1, min(-e, 100))
	}
	origin, step, part := p.atMost()
	base, norms := -p.along-d-p.slack*p.length*p.frame.norm, 0.0
	if p.metric == L2 {
		base, norms = (p.square-d)/2-0x1p-19*p.square, scale*(1-0x1p-18)/2
	}
	base -= 0x1p-19*math.Abs(base) + 0x1p-140 // the least e² that float32 holds
	square := scale * scale * p.square
	p.within = kernel.Limit{
		Origin: above(scale * origin), Step: below(scale * step), Part: float32(scale * part),
		Square: above(square*(1+0x1p-18) + 0x1p-120), Base: below(scale*base - 0x1p-120),
		Norms: below(norms), Kappa: float32(kappa), Tiny: 0x1p-120,
		Aligned: float32(square * aligned),
	}
}

func (p *pqProbe) may(sum uint16) bool { return p.frame != nil || uint32(sum) <= p.most }

func (p *pqProbe) near(hits []uint32, blocks []*block, n int, sums []uint16) int {
	if p.frame == nil {
		return kernel.Below(n, &sums[0], p.most, &hits[0])
	}
	lanes := shape.Padded(n, kernel.Lanes)
	count := kernel.Within(lanes, &sums[0], &blocks[0].floats[0], &p.within.Origin, 0, &hits[0])
	for count > 0 && int(hits[count-1]) >= n {
		count--
	}
	return count
}

func (p *pqProbe) score(dist, low, high []float32, blocks []*block, hits []uint32) {
	size := p.q.CodeSize()
	for k, h := range hits {
		codes, i := blocks[h/kernel.Block].codes, int(h%kernel.Block)
		if p.q.nbits == 8 {
			dist[k] = p.table.sumAt(codes, i)
		} else {
			getByBytes(p.codes[k*size:][:size], codes, i)
		}
	}
	if p.q.nbits == 4 {
		p.table.scan(dist, p.codes[:len(hits)*size])
	}
	for k, h := range hits {
		if p.frame == nil {
			if p.metric == InnerProduct {
				dist[k] = -dist[k]
			}
			continue
		}
		plane, sum := p.planeOf(blocks[h/kernel.Block], int(h%kernel.Block)), float64(dist[k])
		along, off := plane.along(p, sum)
		dist[k] = float32(plane.estimate(p, along, sum))
		if low != nil {
			low[k], high[k] = plane.bounds(p, along, off)
		}
	}
}

// plane is a vector in the plane of file bounds.go.
type plane struct{ u, ee, scale, half float64 }

func (p *pqProbe) planeOf(b *block, i int) plane {
	return plane{float64(b.floats[keptAlong*kernel.Block+i]), float64(b.floats[keptError*kernel.Block+i]),
		float64(b.floats[keptScale*kernel.Block+i]), float64(b.floats[keptHalf*kernel.Block+i])}
}

// along is t for the sum of a code's entries, and how far it may be off.
func (v plane) along(p *pqProbe, sum float64) (t, off float64) {
	off = 0x1p-22*p.length + 0x1p-140
	if p.metric == InnerProduct {
		t = sum * v.scale
		return t, off + p.off*v.scale*(1+0x1p-20) + 0x1p-22*math.Abs(t)
	}
	t = (p.reach-sum)/2*v.scale + v.half
	return t, off + (p.off+p.lost*sum)*v.scale*(1+0x1p-20) + 0x1p-22*((p.reach+sum)*v.scale+v.half)
}

// estimate is the projected estimate of the distance. A vector without bounds has |r|² for e²; its estimate is the
// distance to what its code stands for, as far as known.
func (v plane) estimate(p *pqProbe, t, sum float64) float64 {
	if v.u != v.u {
		if p.metric == L2 {
			return sum
		}
		return -p.along - sum
	}
	if p.metric == L2 {
		return math.Max(p.square+v.u*v.u+v.ee-2*v.u*t, 0)
	}
	return -p.along - v.u*t
}

// bounds are the bounds of the vector's distance for a t and how far it may be off, and what float64 makes of them:
// infinite if it has none.
func (v plane) bounds(p *pqProbe, t, off float64) (low, high float32) {
	rr := v.u*v.u + v.ee
	r := math.Sqrt(rr)
	least := math.Max(0, math.Abs(t)-off)
	w := math.Sqrt(math.Max(0, p.square*(1+p.slack)-least*least))
	width := v.u*off + math.Sqrt(v.ee)*w + 0x1p-27*p.length*r
	tiny := 0x1p-140 * (1 + p.length)
	if p.metric == L2 {
		lost := p.slack*(p.square+rr) + 0x1p-20*rr
		middle := p.square + rr - 2*v.u*t
		return reach(math.Max(middle-lost-2*width, 0)-tiny, middle+lost+2*width+tiny)
	}
	width += p.slack*p.length*(p.frame.norm+r) + tiny
	middle := -p.along - v.u*t
	return reach(middle-width, middle+width)
}

// reach is an interval in float32; what is no number is no bound.
func reach(low, high float64) (float32, float32) {
	if low != low || high != high {
		return float32(math.Inf(-1)), float32(math.Inf(1))
	}
	return below(low), above(high)
}
