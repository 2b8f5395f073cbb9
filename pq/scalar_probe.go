package pq

import (
	"math"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// scalarProbe is a query made ready for the codes of a Scalar: sums of products of levels and whole weights are exact,
// and p, made of them, is <q, y> of file scalar_frame.go but for what the weights were rounded by.
type scalarProbe struct {
	s           *Scalar
	frame       *scalarFrame
	metric      Metric
	sums        [kernel.Block]int32
	some        [3][kernel.Lanes]int32
	first       first
	rough, fine weights // of the scan, and of scores
	within      kernel.TailLimit
	estimate    bool // whether limits are of estimates
	scalarQuery
}

// scalarQuery are a query's numbers.
type scalarQuery struct {
	query, turned, exact []float64
	middle               float64 // <Q q, z> of the middle levels
	lost                 float64 // what float64 rounds there
	square, length       float64 // |q|², |q|
	headSquare, head     float64 // of the head's length, rounded up
	tails                [kernel.MaxTails]float64
	tailed               bool    // whether they are set
	along, slack         float64 // as in pqProbe
}

func (s *Scalar) newProbe() probe {
	q := scalarQuery{query: make([]float64, s.d), turned: make([]float64, s.axes()), exact: make([]float64, s.dims)}
	return &scalarProbe{s: s, scalarQuery: q, rough: s.newWeights(2), fine: s.newWeights(3)}
}

func (p *scalarProbe) set(metric Metric, query []float32, f frame) error {
	if err := checkQuery(query, p.s.d); err != nil {
		return err
	}
	p.metric, p.frame = metric, f.(*scalarFrame)
	p.along, p.square = 0, 0
	for t, v := range query {
		c := float64(p.frame.c[t])
		p.query[t] = float64(v)
		if metric == L2 {
			p.query[t] -= c
		}
		p.along += float64(p.query[t] * c)
		p.square += float64(p.query[t] * p.query[t])
	}
	if p.square > math.MaxFloat32/4 {
		return errOverflow
	}
	p.length = math.Sqrt(p.square)
	p.slack = float64(p.s.d+64) * 0x1p-50
	p.turn()
	p.weigh()
	return nil
}

// turn computes the coordinates that codes keep, and bounds the length of Q_h q.
func (p *scalarProbe) turn() {
	s := p.s
	p.tailed = s.Tails() == 0
	if s.turn == Hadamard {
		copy(p.turned, p.query)
		s.mix.turn(p.turned)
	} else {
		vec.MixedGemv(1, s.head(), p.query, 0, p.turned[:s.dims])
	}
	p.head = p.lengthOf(0, s.dims)
	p.headSquare = p.head * p.head
}

// turnTails bounds the lengths of the tails, which only proofs need.
func (p *scalarProbe) turnTails() {
	if p.tailed {
		return
	}
	s := p.s
	p.tailed = true
	if more := s.Axes().Slice(s.dims, s.axes(), 0, s.d); more.Rows > 0 {
		vec.MixedGemv(1, more, p.query, 0, p.turned[s.dims:])
	}
	var all float64
	for _, v := range p.turned {
		all += float64(v * v)
	}
	for g := range s.Tails() {
		if s.ends[g+1] <= s.axes() {
			p.tails[g] = p.lengthOf(s.ends[g], s.ends[g+1])
		} else {
			p.tails[g] = math.Sqrt(math.Max(0, p.square-all)+3*s.defect*p.square) + 2*s.defect*p.length
		}
	}
}

// lengthOf bounds the length of some coordinates of Q q.
func (p *scalarProbe) lengthOf(from, to int) float64 {
	var sum float64
	for _, v := range p.turned[from:to] {
		sum += float64(v * v)
	}
	return math.Sqrt(sum) + 2*p.s.defect*p.length + 0x1p-400
}

// weigh sets the weights.
func (p *scalarProbe) weigh() {
	s, mid := p.s, p.s.mid()
	var middle, all, center float64
	for t := range p.exact {
		z := p.frame.base[t] + float64(s.step[t])*mid
		middle += p.turned[t] * z
		all += math.Abs(p.turned[t] * z)
		center += z * z
		p.exact[t] = p.turned[t] * float64(s.step[t])
	}
	p.middle, p.lost = middle, float64(s.dims+64)*0x1p-51*all
	center = math.Sqrt(center)
	p.rough.center, p.fine.center = center, center
	p.rough.setScan(p.exact, p.length)
	p.fine.setScore(p.exact)
}

// scan leaves the work to near, which does it block by block.
func (p *scalarProbe) scan([]uint16, *block) {}

func (p *scalarProbe) batch() int { return 1 }

func (p *scalarProbe) may(uint16) bool { return true }

// scanBlock computes the sums of the first n codes of a block, n a multiple of 16.
func (p *scalarProbe) scanBlock(b *block, n int) {
	shift := uint(32)
	if p.rough.two > 0 {
		p.s.sums(n, p.rough.two, b.codes, &p.rough, 1, shift, p.sums[:])
		shift = 8
	}
	p.s.sums(n, p.s.groups(), b.codes, &p.rough, 2, shift, p.sums[:])
}

// off returns how far p of the scan, or of scores, may be from <q, y>: the first number, and |y| times the second.
func (p *scalarProbe) off(w *weights) (by, perLength float64) {
	return w.off + p.lost, w.offBy + 2*p.s.defect*p.length
}

func (p *scalarProbe) limit(d float64, proof bool) {
	s := p.s
	kappa, aligned := 1+0x1p-17, 1-0x1p-18
	askew := s.askew()
	if !proof {
		d += math.Abs(d) * 0x1p-22 // estimates are compared in float32
		kappa, aligned = 0, math.Inf(1)
	}
	p.estimate = !proof
	scale := 1.0
	if p.length > 0 {
		_, e := math.Frexp(p.length)
		scale = math.Ldexp(1, min(-e, 100))
	}
	base, norms := -p.along-d-p.slack*p.length*p.frame.norm, 0.0
	if p.metric == L2 {
		base, norms = (p.square-d)/2-(askew+0x1p-19)*p.square, scale*(1-0x1p-17-askew)/2
	} else { // |q| |r| is at most (|q| L + |r|² |q|/L)/2
		typical := float64(s.typical)
		base -= askew * p.length * typical / 2
		norms = -scale * askew * p.length / typical / 2
	}
	base -= 0x1p-19*math.Abs(base) + 0x1p-140
	fineBy, finePer := p.off(&p.fine)
	by, per := p.off(&p.rough)
	unit := p.rough.unit
	origin := p.middle - unit*p.rough.zero
	origin += by + fineBy + 0x1p-20*math.Abs(origin) + 0x1p-22*unit*p.rough.most
	square := scale * scale * p.headSquare
	p.within = kernel.TailLimit{Limit: kernel.Limit{
		Origin: above(scale*origin + 0x1p-110), Step: -float32(scale * unit),
		Square: above(square*(1+0x1p-18) + 0x1p-120),
		Base:   below(scale*base - 0x1p-120), Norms: below(norms), Kappa: float32(kappa), Tiny: 0x1p-120,
		Aligned: float32(square * aligned),
	}, Shift: above(scale*(per+finePer+0x1p-21*p.length) + 0x1p-120)}
	if proof {
		p.turnTails()
		for g := range s.Tails() {
			p.within.Tails[g] = above(scale*p.tails[g]*(1+0x1p-20) + 0x1p-120)
		}
	}
}

func (p *scalarProbe) near(hits []uint32, blocks []*block, n int, _ []uint16) int {
	lanes := shape.Padded(n, kernel.Lanes)
	b := blocks[0]
	p.scanBlock(b, lanes)
	kept, slopes, tails := p.s.kept(b)
	if !p.estimate {
		slopes = kept
	}
	count := kernel.WithinTails(lanes, &p.sums[0], &kept[0], &slopes[0], address(tails), p.s.Tails(),
		&p.within.Origin, 0, &hits[0])
	for count > 0 && int(hits[count-1]) >= n {
		count--
	}
	return count
}

// address is the address of the first number, or nil.
func address(x []float32) *float32 {
	if len(x) == 0 {
		return nil
	}
	return &x[0]
}

// start scores the k codes that look nearest by the scan's sums.
func (p *scalarProbe) start(b *block, sums []uint16, k int) float64 {
	p.scanBlock(b, kernel.Block)
	p.first = first{}
	for i := range sums {
		p.first.offer(p.planeOf(b, i).estimate(p, p.middle+p.rough.value(float64(p.sums[i]))), i, k)
	}
	return p.first.most(p, b, k)
}

func (p *scalarProbe) score(dist, low, high []float32, blocks []*block, hits []uint32) {
	last := -1
	if low != nil {
		p.turnTails()
	}
	for k, h := range hits {
		b := blocks[h/kernel.Block]
		if some := int(h) / kernel.Lanes; some != last {
			last = some
			from := b.codes[some%(kernel.Block/kernel.Lanes)*kernel.Lanes*4:]
			for i := range p.some {
				p.s.sums(kernel.Lanes, p.s.groups(), from, &p.fine, i, 32, p.some[i][:])
			}
		}
		lane := h % kernel.Lanes
		sum := int64(p.some[0][lane])<<16 + int64(p.some[1][lane])<<8 + int64(p.some[2][lane])
		plane, product := p.planeOf(b, int(h%kernel.Block)), p.middle+p.fine.value(float64(sum))
		dist[k] = float32(plane.estimate(p, product))
		if low != nil {
			low[k], high[k] = plane.bounds(p, product)
		}
	}
}

// scalarPlane is a plane with the slope of the estimate, and what tails add to |r|² and to a width.
type scalarPlane struct {
	plane
	slope, tails, width float64
}

func (p *scalarProbe) planeOf(b *block, i int) scalarPlane {
	at := func(f int) float64 { return float64(b.floats[f*kernel.Block+i]) }
	v := scalarPlane{plane: plane{u: at(keptAlong), ee: at(keptError), scale: at(keptScale)}}
	v.slope = v.u
	if p.s.unbiased() {
		v.slope = at(scalarFloats)
	}
	for g := range p.s.Tails() {
		r := at(p.s.tailsAt() + g)
		v.tails += r * r
		v.width += r * p.tails[g]
	}
	return v
}

// estimate is the estimate of the distance for a product <q, y>.
func (v scalarPlane) estimate(p *scalarProbe, product float64) float64 {
	rr, qr := v.u*v.u+v.ee+v.tails, v.slope*product*v.scale
	if v.u != v.u {
		rr, qr = v.ee, 0
	}
	if p.metric == L2 {
		return math.Max(p.square+rr-2*qr, 0)
	}
	return -p.along - qr
}

// bounds are the bounds of the vector's distance, and what float64 makes of them: infinite if it has none.
func (v scalarPlane) bounds(p *scalarProbe, product float64) (low, high float32) {
	rr := v.u*v.u + v.ee + v.tails
	r := math.Sqrt(rr)
	t := product * v.scale
	by, per := p.off(&p.fine)
	off := by*v.scale*(1+0x1p-20) + per + 0x1p-22*(p.length+math.Abs(t)) + 0x1p-140
	least := math.Max(0, math.Abs(t)-off)
	w := math.Sqrt(math.Max(0, p.headSquare*(1+p.slack)-least*least))
	width := v.u*off + math.Sqrt(v.ee)*w + v.width
	tiny, askew := 0x1p-140*(1+p.length), p.s.askew()
	if p.metric == L2 {
		lost, middle := (p.slack+askew)*(p.square+rr), p.square+rr-2*v.u*t
		return reach(math.Max(middle-lost-2*width, 0)-tiny, middle+lost+2*width+tiny)
	}
	width += askew*p.length*r + p.slack*p.length*(p.frame.norm+r) + tiny
	middle := -p.along - v.u*t
	return reach(middle-width, middle+width)
}
